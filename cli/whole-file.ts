/** A small file that a command takes as a whole, by name or on standard input. */
import { createReadStream } from 'node:fs'
import { Refusal } from '#refusal.ts'
import { refuseFile } from './log-files.ts'
import { takeStandardInput } from './standard-input.ts'

/** What a command may carry to a server, with room for its wrapping. */
const MOST_BYTES = 8 << 20

/** @throws Refusal not_readable: it cannot be read, or is no such small file. */
export async function readWhole(file: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    const stream = file === '-' ? takeStandardInput() : createReadStream(file)
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length
      if (size > MOST_BYTES)
        throw new Refusal('not_readable', `${file} is longer than ${MOST_BYTES >> 20} MiB: check its name`)
      parts.push(part)
    }
  } catch (error) {
    throw refuseFile(file, error)
  }
  return Buffer.concat(parts)
}
