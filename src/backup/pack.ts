/** The bytes of a backup: manifest, control store, files of the evidence, and then the checksums of all of them. */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKSUMS } from './manifest.ts'
import { type TarContent, tarBytes, writeTar } from './tar.ts'

/** A member of the archive: in memory, or an unchanging file. */
export interface Member {
  name: string
  size: number
  from: Buffer | string
}

/** Every file below a folder, in order, under this name. */
export async function membersOf(name: string, folder: string): Promise<Member[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found: Member[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await membersOf(`${name}/${entry.name}`, path)))
    else found.push(await memberOf(`${name}/${entry.name}`, path))
  }
  return found
}

/** A file as a member of the archive. */
export async function memberOf(name: string, path: string): Promise<Member> {
  const { size } = await stat(path)
  return { name, size, from: path }
}

/** The size of the archive in bytes. */
export function packedBytes(members: readonly Member[]): number {
  const checksums = members.reduce((sum, { name }) => sum + lineOf('0'.repeat(64), name).length, 0)
  return tarBytes([...members.map(({ size }) => size), checksums])
}

/** The archive in parts, in order. */
export function pack(members: readonly Member[], modified_at: number): AsyncGenerator<Buffer> {
  return writeTar(filesOf(members), modified_at)
}

async function* filesOf(members: readonly Member[]): AsyncGenerator<TarContent> {
  const lines: string[] = []
  for (const member of members) {
    const hash = createHash('sha256')
    yield { ...member, bytes: hashed(bytesOf(member), hash) }
    lines.push(lineOf(hash.digest('hex'), member.name))
  }
  const checksums = Buffer.from(lines.join(''))
  yield { name: CHECKSUMS, size: checksums.length, bytes: [checksums] }
}

async function* hashed(bytes: Iterable<Buffer> | AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const part of bytes) {
    hash.update(part)
    yield part
  }
}

function bytesOf({ from }: Member): AsyncIterable<Buffer> | Buffer[] {
  return typeof from === 'string' ? createReadStream(from, { highWaterMark: 1 << 20 }) : [from]
}

const lineOf = (sha256: string, name: string): string => `${sha256}  ${name}\n`
