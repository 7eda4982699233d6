/** This process as the host of its one command. */
import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { devNull } from 'node:os'
import type { Readable } from 'node:stream'
import { isatty, ReadStream } from 'node:tty'
import { processEnvironment } from '#config.ts'
import type { CommandHost } from './command-host.ts'

/** The launcher passes standard input on a separate descriptor, because the evidence engine reads descriptor 0. */
const HANDED_OVER = 4
const has_launcher = process.channel !== undefined

export const processHost: CommandHost = {
  environment: processEnvironment(),
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  signals: process,
  get sendToLauncher() {
    if (!process.connected) return null
    // If the launcher has ended, the `disconnect` event ends this process.
    return (message: object) => void process.send?.(message, undefined, undefined, () => {})
  },
  openStandardInput: () => (has_launcher ? streamOf(HANDED_OVER) : process.stdin),
  standardInputIsTerminal: () => isatty(has_launcher ? HANDED_OVER : 0),
  standardOutputIsNull: () => isSameDevice(fstatSync(1), statSync(devNull)),
  setExitCode(code) {
    process.exitCode = code
  },
  exitNow: () => process.exit(),
  endBy(signal) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  },
}

/**
 * A reader that stops reading (`| head`) is not a failure: the command has done its work, and only the rest of its
 * output is lost. Other failures to write a result, such as a full disk, are reported to `onLost` at the end.
 */
export function outliveReaders(onLost: (error: Error) => void): void {
  let lost: Error | null = null
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost ??= error
  })
  // A failure of standard error cannot be reported anywhere.
  process.stderr.on('error', () => {})
  process.once('exit', () => {
    if (lost !== null && !process.exitCode) onLost(lost)
  })
}

const isSameDevice = (one: Stats, other: Stats) => one.isCharacterDevice() && one.rdev === other.rdev

/** As Node opens descriptor 0: a read of a silent pipe or terminal must not hold a thread of the pool. */
function streamOf(fd: number): Readable {
  if (isatty(fd)) return new ReadStream(fd)
  const stats = fstatSync(fd)
  if (stats.isFIFO() || stats.isSocket()) return new Socket({ fd, readable: true, writable: false })
  return createReadStream('', { fd })
}
