/** The service's log for a person at a terminal: one line per event, instead of one JSON object. */
import type { DestinationStream } from 'pino'
import { withoutControlCharacters } from '#names.ts'

/** Fields that every line has, or that only machines need. */
const LEFT_OUT = new Set(['level', 'time', 'service', 'version', 'pid', 'msg', 'err', 'request_id'])

interface LogLine {
  readonly level: string
  /** RFC 3339, UTC. */
  readonly time: string
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly reason?: string; readonly stack?: string }
}

/** A destination that hands each line of the log to `lines`, readable. */
export function readableLog(lines: DestinationStream): DestinationStream {
  return { write: (line) => lines.write(`${readableLine(line)}\n`) }
}

/**
 * `12:00:00 info   answered  operation=getPerformance status=200`; a failure brings its stack. Times are UTC, as
 * everywhere.
 */
export function readableLine(json: string): string {
  const line = JSON.parse(json) as LogLine & Record<string, unknown>
  const { level, time, msg = '', err } = line
  const details = Object.entries(line).flatMap(([name, value]) =>
    LEFT_OUT.has(name) || value === null ? [] : [`${name}=${isPlain(value) ? value : JSON.stringify(value)}`],
  )
  const first = [
    `${time.slice(11, 19)} ${level.padEnd(5)}`,
    isPlain(msg) ? msg : JSON.stringify(msg),
    details.join(' '),
  ]
    .filter(Boolean)
    .join('  ')
  const failure = err === undefined ? [] : [err.stack ?? [err.message, err.reason].filter(Boolean).join(': ')]
  return withoutControlCharacters(
    [first, ...failure.flatMap((text) => text.split('\n').map((part) => `    ${part}`))].join('\n'),
  )
}

/** A text that needs no quotes. A text with a line break would look like two events. */
const isPlain = (value: unknown): boolean => typeof value === 'string' && !value.includes('\n')
