/** Google Cloud's load balancers (Cloud Logging entries with an httpRequest). */
import type { EdgeAction } from '../edge-action.ts'
import type { JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, objectOf, statusOf, textOf, timeOf, utc } from './values.ts'

export const googleCloud: JsonFormat = {
  name: 'google cloud',
  reads: (json) => objectOf(json.httpRequest) !== null && ('logName' in json || 'insertId' in json),
  read,
}

function read(json: JsonObject, into: LogRecord): LineOutcome {
  const at = timeOf(json.timestamp, utc)
  if (typeof at === 'string') return at
  into.at = at
  const request = json.httpRequest as JsonObject
  const url = textOf(request.requestUrl)
  if (url === null) return 'request_without_path'
  return fillRecord(into, {
    at,
    method: firstText(request.requestMethod),
    // An absolute URL, from which the host is read.
    target: url,
    status: statusOf(request.status),
    host: null,
    // Cloud Logging leaves out empty fields, so a missing agent is an empty one.
    user_agent: textOf(request.userAgent) ?? '',
    client: textOf(request.remoteIp),
    edge_action: edgeActionIn(objectOf(objectOf(json.jsonPayload)?.enforcedSecurityPolicy)),
  })
}

/** The action of Cloud Armor's enforced rule; a redirect is a challenge only if it leads to reCAPTCHA. */
function edgeActionIn(policy: JsonObject | null): EdgeAction | null {
  if (policy === null) return null
  if (policy.outcome === 'DENY') return 'block'
  if (policy.outcome === 'REDIRECT') return policy.configuredAction === 'GOOGLE_RECAPTCHA' ? 'challenge' : null
  return policy.outcome === 'ACCEPT' || policy.outcome === 'EXEMPT' ? 'none' : null
}
