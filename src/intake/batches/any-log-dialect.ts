/**
 * Records with field names of the operator's choice (Fastly, Vector): generic records, any other JSON access log, and
 * events with a generic record or a log line of a known layout in `message`.
 */
import type { LineOutcome } from '../log/format.ts'
import { type LineKind, LogReader } from '../log/read-line.ts'
import type { Dialect } from './dialects.ts'
import { fromLogRecord } from './from-log-record.ts'
import { readRecord } from './read-generic-record.ts'
import type { JsonRecord } from './record.ts'

/** The dialect of log lines in any layout that imports read. */
export function anyLogDialect(): Dialect {
  const reader = new LogReader()
  return {
    is_binary: false,
    get sees_edge() {
      return reader.sees_edge
    },
    read(json, into) {
      if (isGeneric(json)) return readRecord(json, into)
      const carried = objectInMessage(json)
      if (carried !== null && isGeneric(carried)) return readRecord(carried, into)
      reader.load({ bytes: Buffer.from(JSON.stringify(json)), too_long: false, terminated: true })
      const kind = reader.next()
      if (kind === null) return 'unknown_json'
      const reading = fromLogRecord(
        outcomeOf(reader, kind),
        reader.record,
        idOf(json) ?? (carried && idOf(carried)),
        into,
      )
      // A line in a provider's own format is of its dialect, uploaded or delivered (rules 4).
      if (reading === null) into.verified_bot = reader.record.verified_bot
      return reading
    },
  }
}

/** Why a line is not a record; null: it is one. */
function outcomeOf({ malformed }: LogReader, kind: LineKind): LineOutcome {
  if (kind === 'record') return null
  return kind === 'malformed' ? malformed : kind
}

/** The JSON object in `message`; null: it has none. */
function objectInMessage({ message }: JsonRecord): JsonRecord | null {
  if (typeof message !== 'string' || !message.startsWith('{')) return null
  try {
    return JSON.parse(message) as JsonRecord
  } catch {
    // The text only looks like JSON: the log readers decide.
    return null
  }
}

function isGeneric(json: JsonRecord): boolean {
  return 'timestamp' in json && 'user_agent' in json && ('path' in json || 'url' in json)
}

function idOf({ id, request_id }: JsonRecord): string | null {
  const given = typeof id === 'string' && id !== '' ? id : request_id
  return typeof given === 'string' && given !== '' ? given : null
}
