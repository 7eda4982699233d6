/**
 * Records whose field names their operator chose (Fastly, Vector): generic records as they are, every other JSON access
 * log, and events that carry a generic record or a log line of any known layout in `message`.
 */
import { LogReader } from '../log/read-line.ts'
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
      const carried = carriedBy(json)
      if (carried !== null && isGeneric(carried)) return readRecord(carried, into)
      reader.load({ bytes: Buffer.from(JSON.stringify(json)), too_long: false, terminated: true })
      const kind = reader.next()
      if (kind === null) return 'unknown_json'
      const outcome = kind === 'record' ? null : kind === 'malformed' ? reader.malformed : kind
      return fromLogRecord(outcome, reader.record, idOf(json) ?? (carried && idOf(carried)), into)
    },
  }
}

/** The JSON object in `message`; null where that is no such text. */
function carriedBy({ message }: JsonRecord): JsonRecord | null {
  if (typeof message !== 'string' || !message.startsWith('{')) return null
  try {
    return JSON.parse(message) as JsonRecord
  } catch {
    // Text that only looks like JSON: the log readers say what it is.
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
