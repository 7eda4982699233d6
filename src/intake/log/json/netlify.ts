/** Netlify's log drain. With "exclude PII" it has no user agent, so no crawler can be recognized. */
import type { JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, statusOf, textOf, timeOf, utc } from './values.ts'

export const netlify: JsonFormat = {
  name: 'netlify',
  reads: (json) => 'log_type' in json && ('deploy_id' in json || 'site_id' in json),
  read,
  isOfEdge: () => true,
}

function read(json: JsonObject, into: LogRecord): LineOutcome {
  const at = timeOf(json.timestamp, utc)
  if (typeof at === 'string') return at
  into.at = at
  if (json.log_type !== 'traffic') return 'server_internal'
  const agent = textOf(json.user_agent)
  if (agent === null) return 'no_user_agent'
  const url = textOf(json.url)
  if (url === null) return 'request_without_path'
  return fillRecord(into, {
    at,
    method: firstText(json.method),
    target: url,
    status: statusOf(json.status_code),
    host: null,
    user_agent: agent,
    client: textOf(json.client_ip),
  })
}
