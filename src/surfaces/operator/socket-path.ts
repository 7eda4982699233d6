import { join, relative, resolve } from 'node:path'
import { Refusal } from '#refusal.ts'

const LONGEST = 100

/**
 * Where a server on this data folder listens for its operator: inside the folder (0700), never on the network (rules
 * 7). TRICKY: the kernel takes at most 107 bytes of a socket's path, so the shorter form is used.
 */
export function socketPath(folder: string): string {
  const absolute = join(resolve(folder), 'spoor.sock')
  const local = relative(process.cwd(), absolute)
  const shorter = local.length < absolute.length ? local : absolute
  if (Buffer.byteLength(shorter) > LONGEST) {
    throw new Refusal(
      'invalid_input',
      `the path of the data folder is too long for a Unix socket (${Buffer.byteLength(shorter)} bytes, at most ${LONGEST}): use a shorter --data, or run the command from a folder nearer to it`,
    )
  }
  return shorter
}
