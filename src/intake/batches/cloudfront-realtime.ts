/**
 * CloudFront's real-time logs as Amazon Data Firehose delivers them: `{"requestId", "timestamp", "records": [{"data":
 * base64}]}`, each record a line of tab-separated columns that the operator chose, or JSON by the same names.
 */
import { REALTIME_FIELDS } from '../log/cloudfront-realtime.ts'
import { readColumns } from '../log/columns.ts'
import { textOf } from '../log/json/values.ts'
import { parseBinary } from '../log/parse-binary.ts'
import { emptyRecord } from '../log/record.ts'
import type { Dialect } from './dialects.ts'
import { batchState, fromLogRecord } from './from-log-record.ts'
import type { JsonRecord } from './record.ts'

/** The dialect of CloudFront’s real-time logs with these fields; null: the default ones. */
export function cloudFrontRealtimeDialect(fields: readonly string[] | null): Dialect {
  const state = batchState()
  const log = emptyRecord()
  const columns = fields ?? REALTIME_FIELDS
  const readNamed = (json: JsonRecord): ReturnType<typeof readColumns> =>
    readColumns((name) => textOf(json[name]) ?? undefined, log, state, 'percent')
  return {
    is_binary: true,
    sees_edge: true,
    read(json, into) {
      if (TOO_FEW in json) return 'columns_unlike_header'
      return fromLogRecord(readNamed(json), log, textOf(json['x-edge-request-id']), into)
    },
    unpack(json) {
      if (typeof json.data !== 'string') return null
      const lines = Buffer.from(json.data, 'base64').toString('latin1').split('\n')
      return lines.filter((line) => line.trim() !== '').map((line) => objectOf(line, columns))
    },
    unwrap: withoutEnvelope,
  }
}

const TOO_FEW = '\0columns'

/** A line as an object by column names. Newer columns are added at the end, so extra values are not a fault. */
function objectOf(line: string, columns: readonly string[]): unknown {
  if (line.trimStart().startsWith('{')) return parseBinary(line)
  const values = line.replace(/\r$/, '').split('\t')
  if (values.length < Math.min(columns.length, FEWEST)) return { [TOO_FEW]: true }
  return Object.fromEntries(columns.map((name, index) => [name, values[index]]))
}

/** A line with fewer values is not a real-time log. */
const FEWEST = 4
const MAX_ENVELOPE_LENGTH = 4_096
const RECORDS = /^\s*\{(?:\s*"(?:requestId|timestamp)"\s*:\s*(?:"[^"\\]*"|\d+)\s*,)*\s*"records"\s*:\s*(?=\[)/

/** Only the list of records; the text before it identifies the delivery. */
async function* withoutEnvelope(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    const found = RECORDS.exec(head.toString('latin1', 0, MAX_ENVELOPE_LENGTH))
    if (found === null && head.length < MAX_ENVELOPE_LENGTH) continue
    yield found === null ? head : head.subarray(found[0].length)
    head = null
  }
  if (head !== null && head.length > 0) yield head
}
