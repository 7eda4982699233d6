/** The input of commands: files by name or by pattern, and standard input, which can be read once. */
import { isUtf8 } from 'node:buffer'
import { createReadStream, existsSync, globSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal } from '#refusal.ts'
import { type CommandHost, commandHost } from '../host/command-host.ts'

/** The largest input that a command can send to a server, with space for the message around it. */
const MAX_WHOLE_BYTES = 8 << 20
/** The first character that makes a name a pattern. */
const GLOB = /[*?[{]/
const taken = new WeakSet<CommandHost>()

/** The stream of standard input, once; Refusal(not_readable) the second time. */
export function takeStandardInput(): Readable {
  const host = commandHost()
  if (taken.has(host)) throw new Refusal('not_readable', 'standard input can be read only once')
  taken.add(host)
  return host.openStandardInput()
}

/** Shells expand globs; a quoted one arrives here unexpanded. An existing name is never read as a pattern. */
export function expandAll(patterns: readonly string[]): { files: string[]; unmatched: string[] } {
  const unmatched: string[] = []
  const files = patterns.flatMap((pattern) => {
    if (pattern === '-' || !GLOB.test(pattern) || existsSync(pattern)) return [pattern]
    const found = globSync(pattern).sort()
    if (found.length === 0) unmatched.push(pattern)
    return found
  })
  return { files, unmatched }
}

/** Reads a small file whole. @throws Refusal not_readable: the file cannot be read or is too large. */
export async function readWhole(file: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    const stream = file === '-' ? takeStandardInput() : createReadStream(file)
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length
      if (size > MAX_WHOLE_BYTES)
        throw new Refusal('not_readable', `${file} is longer than ${MAX_WHOLE_BYTES >> 20} MiB: check its name`)
      parts.push(part)
    }
  } catch (error) {
    throw refuseFile(file, error)
  }
  return Buffer.concat(parts)
}

/** Reads a small text whole. @throws Refusal not_readable: the same, or it is packed, or its bytes are not UTF-8. */
export async function readWholeText(file: string): Promise<string> {
  const bytes = await readWhole(file)
  const packed = PACKED.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins))
  if (packed !== undefined) throw new Refusal('not_readable', `${file} ${packed.advice}`)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new Refusal('not_readable', `${file} is not UTF-8: convert it first, for example with iconv`)
}

const PACKED = [
  { begins: Buffer.from('PK\x03\x04'), advice: 'is a ZIP archive: unpack it, and import its files one by one' },
  { begins: Buffer.from([0x1f, 0x8b]), advice: 'is compressed with gzip: unpack it first (gunzip)' },
]

/** Logs of web servers are often readable by root and one group only. */
const PERMISSION_ADVICE =
  'Run the command as a user who may, or name - instead of the file and pipe it in, for example from sudo cat'

/**
 * Why no file matches a pattern. The search passes over folders that this user may not list, as those of web servers
 * often are.
 */
export function refusePattern(pattern: string): Refusal {
  const folder = dirname(pattern.slice(0, pattern.search(GLOB) + 1))
  const why = isClosedFolder(folder) ? `this user may not list ${folder}. ${PERMISSION_ADVICE}` : 'check its name'
  return new Refusal('not_readable', `no file matches ${pattern}: ${why}`)
}

function isClosedFolder(folder: string): boolean {
  try {
    readdirSync(folder)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

/** Why a file could not be opened or read to its end. */
export function refuseFile(file: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (file === '') return new Refusal('not_readable', 'the name of a file is empty: give its path')
  if (code === 'ENOENT') return new Refusal('not_readable', `${file} does not exist: check its name`)
  if (code === 'EISDIR') return new Refusal('not_readable', `${file} is a folder: name the files in it`)
  if (code === 'EACCES')
    return new Refusal('not_readable', `${file} may not be read by this user. ${PERMISSION_ADVICE}`)
  const advice = 'check that it is a file this user may read'
  return new Refusal('not_readable', `${file} cannot be read (${message}): ${advice}, and repeat`)
}
