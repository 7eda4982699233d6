/** Records in a provider's own form, read by the same readers as its log files (decisions 3.4, 3.5). */
import { decodeText } from '../log/decode.ts'
import type { JsonFormat } from '../log/format.ts'
import { akamai as akamaiFormat } from '../log/json/akamai.ts'
import { logpush } from '../log/json/logpush.ts'
import { firstText, textOf } from '../log/json/values.ts'
import { vercel as vercelFormat } from '../log/json/vercel.ts'
import { emptyRecord } from '../log/record.ts'
import type { Dialect } from './dialects.ts'
import { batchState, fromLogRecord } from './from-log-record.ts'
import type { JsonRecord } from './record.ts'

/** `idOf` returns the provider's id of the request, which is the same in every delivery. */
function vendor(format: JsonFormat, idOf: (json: JsonRecord) => string | null): Dialect {
  const state = batchState()
  const log = emptyRecord()
  return {
    is_binary: true,
    sees_edge: true,
    read(json, into) {
      const reading = fromLogRecord(format.read(json, log, state), log, idOf(json), into)
      if (reading === null) into.verified_bot = log.verified_bot
      // Only the provider's own records can be known as no visits. Other ones are refused, so that the sender notices.
      return reading === 'not_a_visit' && !format.reads(json) ? 'unknown_json' : reading
    },
  }
}

/** Cloudflare Logpush, dataset http_requests. */
export function logpushDialect(): Dialect {
  const dialect = vendor(logpush, (json) => firstText(json.RayID))
  return {
    ...dialect,
    read(json, into) {
      return isTrial(json) ? 'not_a_visit' : dialect.read(json, into)
    },
    // When a job is set up, Cloudflare posts this word alone.
    isWord: (line) => line.length < 10 && /^"?test"?$/.test(line.trim()),
  }
}

/** `{"content": "test…"}`, with which Cloudflare tests an address. */
function isTrial(json: JsonRecord): boolean {
  const names = Object.keys(json)
  return names.length === 1 && names[0] === 'content' && textOf(json.content)?.startsWith('test') === true
}

/** Vercel's drains: entries of one request share its id, also over several batches. */
export const vercelDialect = (): Dialect => vendor(vercelFormat, (json) => firstText(json.requestId))

/** Akamai DataStream 2: its request id is short, so that time and target are added to it. */
export const akamaiDialect = (): Dialect =>
  vendor(akamaiFormat, (json) => {
    const id = firstText(json.reqId)
    if (id === null) return null
    const rest = [json.reqTimeSec, json.reqHost, json.reqPath].map((value) => textOf(value) ?? '')
    return decodeText([id, ...rest].join(' ').slice(0, 512))
  })
