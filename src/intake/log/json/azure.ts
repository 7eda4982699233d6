/** Azure Front Door and Application Gateway: resource logs with the request under `properties`. */
import type { JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, objectOf, statusOf, textOf, timeOf, utc } from './values.ts'

export const azure: JsonFormat = {
  name: 'azure',
  reads: (json) =>
    typeof json.category === 'string' && CATEGORY.test(json.category) && objectOf(json.properties) !== null,
  read,
  // Front Door is a CDN; an Application Gateway is at the origin.
  isOfEdge: (json) => /^FrontDoor/i.test(json.category as string),
}

const CATEGORY = /^(?:FrontDoor|ApplicationGateway)\w*Log$/i

function read(json: JsonObject, into: LogRecord): LineOutcome {
  const at = timeOf(firstText(json.time, json.timeStamp), utc)
  if (typeof at === 'string') return at
  into.at = at
  // The stream also has health probes, firewall findings and performance data, which are not visits.
  if (!/AccessLog$/i.test(json.category as string)) return 'server_internal'
  const request = json.properties as JsonObject
  // A request between two points of presence; that of the visitor has a line of its own.
  if (request.isReceivedFromClient === false || request.isReceivedFromClient === 'false') return 'sub_request'
  const agent = textOf(request.userAgent)
  if (agent === null) return 'no_user_agent'
  const target = textOf(request.requestUri)
  if (target === null) return 'request_without_path'
  return fillRecord(into, {
    at,
    method: firstText(request.httpMethod),
    target,
    status: statusOf(request.httpStatusCode ?? request.httpStatus),
    host: target.startsWith('/') ? firstText(request.originalHost, request.host, request.hostName) : null,
    user_agent: agent,
    client: firstText(request.clientIp, request.clientIP, request.socketIp),
  })
}
