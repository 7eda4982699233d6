/** Traefik's JSON access log; it has headers only if it is configured to write them. */
import type { JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, statusOf, textOf, timeOf, utc } from './values.ts'

export const traefik: JsonFormat = { name: 'traefik', reads, read }

/** ASP.NET applications (Serilog) also write `RequestPath` and `RequestMethod`, but with a `StatusCode`. */
function reads(json: JsonObject): boolean {
  if (!('RequestPath' in json)) return false
  return 'DownstreamStatus' in json || (('RequestMethod' in json || 'RequestHost' in json) && !('StatusCode' in json))
}

function read(json: JsonObject, into: LogRecord): LineOutcome {
  const at = timeOf(firstText(json.StartUTC, json.StartLocal, json.time), utc)
  if (typeof at === 'string') return at
  into.at = at
  const agent = textOf(json['request_User-Agent'])
  if (agent === null) return 'no_user_agent'
  return fillRecord(into, {
    at,
    method: firstText(json.RequestMethod),
    target: textOf(json.RequestPath) ?? '',
    status: statusOf(json.DownstreamStatus),
    host: firstText(json.RequestHost, json.RequestAddr),
    user_agent: agent,
    client: firstText(json.ClientHost, json.ClientAddr),
  })
}
