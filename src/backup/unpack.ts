/** Reads a backup. All of it is compared with its checksums before any of it is used. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal } from '#refusal.ts'
import { foreignFile } from './foreign-file.ts'
import { CHECKSUMS, CONTROL, EVIDENCE, type Layouts, MANIFEST, type Manifest, readManifest } from './manifest.ts'
import { readTar, TarError } from './tar.ts'

const MAX_MANIFEST_BYTES = 1 << 20

export interface CheckedBackup {
  manifest: Manifest
  /** The size of all members. */
  size: number
}

/**
 * The path of a backup that can be read twice. /dev/stdin may name a file, but the engine empties the standard input.
 * @throws Refusal not_readable: missing, or a pipe or device.
 */
export async function findBackup(file: string): Promise<string> {
  try {
    const found = await stat(file)
    if (found.isFile() || found.isDirectory()) return await realpath(file)
  } catch (error) {
    throw refuseFile(file, error, false)
  }
  throw new Refusal(
    'not_readable',
    `${file} is not a regular file, and a restore reads it twice: write the backup to a disk, and restore that file`,
  )
}

/**
 * Reads the whole file and compares every member with its checksum. `onRead` is called with the bytes read so far.
 * @throws Refusal not_readable: missing, no backup, truncated, damaged, or of a newer Spoor.
 */
export async function checkBackup(
  file: string,
  known: Layouts,
  onRead: (bytes: number) => void = () => {},
): Promise<CheckedBackup> {
  const sums = new Map<string, string>()
  let manifest: Manifest | null = null
  let checksums: string | null = null
  let size = 0
  try {
    for await (const { name, size: length, bytes } of readTar(bytesOf(file))) {
      if (manifest === null && name !== MANIFEST) throw foreignFile(file)
      if (checksums !== null || !isOurs(name)) throw new TarError(`it holds ${JSON.stringify(name)}`)
      if (name === MANIFEST && length > MAX_MANIFEST_BYTES) throw new TarError('its manifest is too long')
      const hash = createHash('sha256')
      const parts: Buffer[] = []
      for await (const part of bytes) {
        hash.update(part)
        if (name === MANIFEST || name === CHECKSUMS) parts.push(Buffer.from(part))
        size += part.length
        onRead(size)
      }
      if (name === CHECKSUMS) checksums = Buffer.concat(parts).toString('utf8')
      else sums.set(name, hash.digest('hex'))
      if (name === MANIFEST) manifest = readManifest(file, Buffer.concat(parts), known)
    }
    const found = [...sums].map(([name, sha256]) => `${sha256}  ${name}\n`).join('')
    if (manifest === null || checksums !== found || !sums.has(CONTROL)) throw new TarError('its checksums do not match')
    return { manifest, size }
  } catch (error) {
    throw refuseFile(file, error, manifest === null)
  }
}

/** Writes the members of a checked backup durably to the paths that `place` returns; null: the member is left out. */
export async function unpack(file: string, place: (name: string) => string | null): Promise<void> {
  for await (const { name, bytes } of readTar(bytesOf(file))) {
    const path = isOurs(name) ? place(name) : null
    if (path === null) for await (const _ of bytes);
    else await writeFile(path, bytes)
  }
}

async function writeFile(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const part of bytes) await handle.writeFile(part)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether a name may occur in a backup. Other names are not written, so that none can lead out of the data folder. */
function isOurs(name: string): boolean {
  if (name === MANIFEST || name === CONTROL || name === CHECKSUMS) return true
  const parts = name.split('/')
  return parts[0] === EVIDENCE && parts.length >= 4 && parts.every((part) => /^(?!\.{1,2}$)[\w.%-]+$/.test(part))
}

const bytesOf = (file: string): Readable => createReadStream(file, { highWaterMark: 1 << 20 })

function refuseFile(file: string, error: unknown, is_foreign: boolean): unknown {
  if (error instanceof TarError) {
    if (is_foreign) return foreignFile(file)
    return new Refusal(
      'not_readable',
      `${file} is damaged (${error.message}): nothing was changed. Take another copy of it, or an earlier backup`,
    )
  }
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new Refusal('not_readable', `${file} does not exist: check its name`)
  if (code === 'EISDIR') return new Refusal('not_readable', `${file} is a folder: name the backup file`)
  if (code === 'EACCES')
    return new Refusal(
      'not_readable',
      `${file} may not be read by this user: give it to them, or run the command as its owner`,
    )
  if (error instanceof Error && 'syscall' in error) {
    const advice = 'check that it is a file this user may read, and repeat'
    return new Refusal('not_readable', `${file} cannot be read (${error.message}): ${advice}`)
  }
  return error
}
