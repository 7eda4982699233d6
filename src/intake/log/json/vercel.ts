/** Vercel's drains: a request may have several entries, and build output is not about requests. */
import { edgeActionOf } from '../edge-action.ts'
import type { FileState, JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, objectOf, statusOf, textOf, timeOf, utc } from './values.ts'

export const vercel: JsonFormat = { name: 'vercel', reads, read, isOfEdge: () => true }

function reads(json: JsonObject): boolean {
  return 'deploymentId' in json && 'source' in json && ('id' in json || 'projectId' in json)
}

function read(json: JsonObject, into: LogRecord, file: FileState): LineOutcome {
  const proxy = objectOf(json.proxy)
  const at = timeOf(proxy?.timestamp ?? json.timestamp, utc)
  if (typeof at === 'string') return at
  into.at = at
  if (proxy === null) return 'server_internal'
  // -1: Vercel renewed the page in the background, without a visitor.
  const status = statusOf(proxy.statusCode)
  if (status === -1) return 'sub_request'
  const agent = agentOf(proxy.userAgent)
  if (agent === null) return 'no_user_agent'
  const target = textOf(proxy.path)
  if (target === null) return 'request_without_path'
  const request_id = firstText(json.requestId)
  if (request_id !== null && file.requests.seen(request_id)) return 'sub_request'
  return fillRecord(into, {
    at,
    method: firstText(proxy.method),
    target,
    status,
    host: firstText(proxy.host),
    user_agent: agent,
    client: textOf(proxy.clientIp),
    // Missing if no rule of the firewall matched; other actions of the firewall are not logged.
    edge_action: edgeActionOf(textOf(proxy.wafAction) ?? ''),
  })
}

/** The agent is a list, sometimes split at the commas of the agent. */
function agentOf(value: unknown): string | null {
  if (!Array.isArray(value)) return textOf(value)
  return value.map((piece) => textOf(piece)?.trim() ?? '').join(', ')
}
