/**
 * The service's log: JSON lines on standard error, with no secret, client address, URL or site (rules 7). On a terminal
 * the command line makes the lines readable (cli/host/readable-log.ts).
 */
import pino, { type DestinationStream, type Logger, stdSerializers } from 'pino'
import { machineAdvice } from './machine/advice.ts'
import { withoutStep } from './next-step.ts'
import { version } from './version.ts'

/** Level as a word, time as an ISO instant of the machine. */
export function openLog(level: string, destination: DestinationStream = logToStandardError()): Logger {
  const options = {
    level,
    base: { service: 'spoor', version, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: withoutValues },
  }
  return pino(options, destination)
}

const MAX_KEPT_BYTES = 1 << 20

/**
 * Writes synchronously, so that a line before a crash is not lost. A log that cannot be written, for example on a full
 * disk, must not end the service: lines wait for the next one that can be written, up to a megabyte.
 */
export function logToStandardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MAX_KEPT_BYTES })
  destination.on('error', () => {})
  return destination
}

/** TRICKY: the engine quotes values in its errors, and those are hosts and paths ("even an engine’s error"). */
function withoutValues(error: Error): unknown {
  const advice = machineAdvice(error)
  const { type, message, stack, ...more } = stdSerializers.errWithCause(error)
  // A fault of the machine needs no stack, but the first line of its message.
  const described =
    advice === null
      ? { type, message, stack, ...more }
      : { type, message: withoutStep(advice), reason: firstLine(message) }
  return JSON.parse(JSON.stringify(described), (_name, value: unknown) =>
    typeof value === 'string' ? value.replace(/'(?:[^'\\\n]|\\.|'')*'/g, "'…'") : value,
  )
}

const firstLine = (text: string) => (text.split('\n', 1)[0] as string).slice(0, 300)
