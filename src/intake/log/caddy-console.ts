/** Caddy's console encoder: `time level logger message {fields}`, tab-separated, with the fields of its JSON log. */
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import { caddy } from './json/caddy.ts'
import { hasTooManyParts } from './json-parts.ts'
import { parseBinary } from './parse-binary.ts'
import type { LogRecord } from './record.ts'

export const caddyConsole: LineFormat = { name: 'caddy console', reads: (line) => HEAD.test(line), read }

/** The level is coloured if the log is written to a terminal. */
const HEAD =
  /^(\d{4}[/-]\d\d[/-]\d\d[ T][\d:.,]{8,18}(?:Z|[+-]\d\d:?\d\d)?)\t[^\t]{0,8}(?:DEBUG|INFO|WARN|ERROR|PANIC|FATAL)[^\t]{0,8}\t([\w.-]{1,128})\t/i

function read(line: string, into: LogRecord, file: FileState): LineOutcome {
  const [front, ts, logger] = HEAD.exec(line) as unknown as [string, string, string]
  const fields_at = line.indexOf('\t{', front.length)
  // Every request has fields; the server's own messages may have none.
  if (fields_at < 0 && logger.startsWith('http.log.access')) return 'line_cut_off'
  if (fields_at >= 0 && hasTooManyParts(line.slice(fields_at))) return 'unknown_json'
  const fields = fields_at < 0 ? {} : parseBinary(line.slice(fields_at + 1))
  if (fields === undefined) return line.endsWith('}') ? 'json_broken' : 'line_cut_off'
  return caddy.read({ ...(fields as object), ts, logger }, into, file)
}
