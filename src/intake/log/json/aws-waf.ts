/** AWS WAF: one record for each inspected request, with all headers. It shows no response of allowed ones. */
import { edgeActionOf } from '../edge-action.ts'
import type { JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, objectOf, statusOf, textOf, timeOf, utc } from './values.ts'

export const awsWaf: JsonFormat = {
  name: 'aws waf',
  reads: (json) => 'webaclId' in json && objectOf(json.httpRequest) !== null,
  read,
}

function read(json: JsonObject, into: LogRecord): LineOutcome {
  const at = timeOf(json.timestamp, utc)
  if (typeof at === 'string') return at
  into.at = at
  const request = json.httpRequest as JsonObject
  const agent = headerOf(request, 'user-agent')
  // The operator may have WAF redact a header; then no crawler can be recognized.
  if (agent === REDACTED) return 'no_user_agent'
  const target = textOf(request.uri)
  if (target === null || target === REDACTED) return 'request_without_path'
  fillRecord(into, {
    at,
    method: firstText(request.httpMethod),
    target,
    status: statusOf(json.responseCodeSent),
    host: headerOf(request, 'host') ?? firstText(request.host),
    user_agent: agent ?? '',
    client: firstText(request.clientIp),
    edge_action: edgeActionOf(textOf(json.action) ?? ''),
  })
  if (isVerifiedBot(json.labels)) into.verified_bot = { provider: 'aws' }
  return null
}

const REDACTED = 'REDACTED'

function headerOf({ headers }: JsonObject, name: string): string | null {
  if (!Array.isArray(headers)) return null
  const header = headers.map(objectOf).find((one) => textOf(one?.name)?.toLowerCase() === name)
  return textOf(header?.value)
}

/** Whether the managed rules for bots have labelled the request as that of a verified bot. */
function isVerifiedBot(labels: unknown): boolean {
  if (!Array.isArray(labels)) return false
  return labels.some((label) => objectOf(label)?.name === 'awswaf:managed:aws:bot-control:bot:verified')
}
