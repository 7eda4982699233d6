/** A backup as bytes: the manifest, the control store, the evidence's files, and last the checksums of all of them. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKSUMS } from './manifest.ts'
import { TAR_END, tarBytes, tarHeader, tarPadding } from './ustar.ts'

/** A member of the archive: held in memory, or a file that nothing changes. */
export interface Member {
  name: string
  size: number
  from: Buffer | string
}

/** Every file below a folder, named after it, in order. */
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

export async function memberOf(name: string, path: string): Promise<Member> {
  const { size } = await stat(path)
  return { name, size, from: path }
}

/** How long the archive of these members will be, in bytes. */
export function packedBytes(members: readonly Member[]): number {
  const checksums = members.reduce((sum, { name }) => sum + lineOf('0'.repeat(64), name).length, 0)
  return members.reduce((sum, { size }) => sum + tarBytes(size), tarBytes(checksums)) + TAR_END.length
}

/** The archive, front to back, a part at a time. */
export async function* pack(members: readonly Member[], modified_at: number): AsyncGenerator<Buffer> {
  const lines: string[] = []
  for (const member of members) {
    const hash = createHash('sha256')
    yield tarHeader(member, modified_at)
    let left = member.size
    for await (const part of bytesOf(member)) {
      hash.update(part)
      left -= part.length
      yield part
    }
    if (left !== 0) throw new Error(`${member.name} changed while it was packed.`)
    yield tarPadding(member.size)
    lines.push(lineOf(hash.digest('hex'), member.name))
  }
  const checksums = Buffer.from(lines.join(''))
  yield tarHeader({ name: CHECKSUMS, size: checksums.length }, modified_at)
  yield checksums
  yield tarPadding(checksums.length)
  yield TAR_END
}

function bytesOf({ from }: Member): AsyncIterable<Buffer> | Buffer[] {
  return typeof from === 'string' ? createReadStream(from, { highWaterMark: 1 << 20 }) : [from]
}

const lineOf = (sha256: string, name: string): string => `${sha256}  ${name}\n`
