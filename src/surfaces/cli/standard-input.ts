/** Standard input as the launcher hands it over: on a descriptor of its own, because the evidence engine reads descriptor 0. */
import { createReadStream, fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isatty, ReadStream } from 'node:tty'
import { Refusal } from '#refusal.ts'

const HANDED_OVER = 4
const has_launcher = process.channel !== undefined

let taken = false

/** The stream of standard input, once; Refusal(not_readable) the second time. */
export function takeStandardInput(): Readable {
  if (taken) throw new Refusal('not_readable', 'standard input can be read only once')
  taken = true
  return has_launcher ? streamOf(HANDED_OVER) : process.stdin
}

/** True when a person can be asked. */
export function standardInputIsTerminal(): boolean {
  return isatty(has_launcher ? HANDED_OVER : 0)
}

/** As Node opens descriptor 0: a read of a silent pipe or terminal must not hold a thread of the pool. */
function streamOf(fd: number): Readable {
  if (isatty(fd)) return new ReadStream(fd)
  const stats = fstatSync(fd)
  if (stats.isFIFO() || stats.isSocket()) return new Socket({ fd, readable: true, writable: false })
  return createReadStream('', { fd })
}
