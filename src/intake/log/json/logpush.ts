/** Cloudflare Logpush, dataset http_requests: the operator chooses the fields, so any field may be missing. */
import { type EdgeAction, strictestAction } from '../edge-action.ts'
import type { JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, statusOf, textOf, timeOf, utc } from './values.ts'

export const logpush: JsonFormat = { name: 'cloudflare logpush', reads, read, isOfEdge: () => true }

/** Firewall events have some of the names of requests, but `Datetime` and no edge times. */
function reads(json: JsonObject): boolean {
  if ('Datetime' in json && !('EdgeStartTimestamp' in json) && !('EdgeEndTimestamp' in json)) return false
  return REQUEST_KEYS.filter((key) => key in json).length >= 2
}

/** Cloudflare's verdict counts only here (rules 4). The category is empty if it has verified no bot. */
function read(json: JsonObject, into: LogRecord): LineOutcome {
  const outcome = readVisit(json, into)
  if (outcome === null && firstText(json.VerifiedBotCategory) !== null) into.verified_bot = { provider: 'cloudflare' }
  return outcome
}

function readVisit(json: JsonObject, into: LogRecord): LineOutcome {
  const at = timeOf(firstText(json.EdgeStartTimestamp, json.EdgeEndTimestamp), utc)
  if (typeof at === 'string') return at
  into.at = at
  const source = textOf(json.ClientRequestSource)?.toLowerCase()
  if (isSubRequest(json, source)) return 'sub_request'
  if (source !== undefined && OWN_REQUESTS.has(source)) return 'server_internal'
  const agent = textOf(json.ClientRequestUserAgent)
  if (agent === null) return 'no_user_agent'
  const target = textOf(json.ClientRequestURI) ?? textOf(json.ClientRequestPath)
  if (target === null) return 'request_without_path'
  return fillRecord(into, {
    at,
    method: firstText(json.ClientRequestMethod),
    target,
    status: statusOf(json.EdgeResponseStatus),
    host: firstText(json.ClientRequestHost, json.EdgeRequestHost),
    user_agent: agent,
    client: textOf(json.ClientIP),
    edge_action: edgeActionIn(json),
  })
}

/** The terminating action, and all actions where delivered; null where neither is. Empty: no rule acted. */
function edgeActionIn({ SecurityAction, SecurityActions }: JsonObject): EdgeAction | null {
  const terminating = textOf(SecurityAction)
  const others = Array.isArray(SecurityActions) ? SecurityActions : null
  if (terminating === null && others === null) return null
  const words = [terminating, ...(others ?? [])].map(textOf).filter((word) => word !== null && word !== '')
  return words.length === 0 ? 'none' : strictestAction(words as string[])
}

/** Whether a Worker or the image resizer sent the request, on behalf of one that has a line of its own. */
function isSubRequest(json: JsonObject, source: string | undefined): boolean {
  if (json.WorkerSubrequest === true || json.WorkerSubrequest === 'true') return true
  const parent = textOf(json.ParentRayID)
  if (parent !== null && !/^0*$/.test(parent)) return true
  return source !== undefined && (source.startsWith('edgeworker') || source === 'imageresizing')
}

/** Requests of Cloudflare itself (see its reference of ClientRequestSource). */
const OWN_REQUESTS = new Set(['purge', 'alwaysonline', 'healthcheck', 'ssldetector', 'earlyhintscache'])
const REQUEST_KEYS = [
  'ClientRequestHost',
  'ClientRequestURI',
  'ClientRequestPath',
  'ClientRequestMethod',
  'ClientRequestUserAgent',
  'EdgeStartTimestamp',
  'EdgeEndTimestamp',
  'EdgeResponseStatus',
]
