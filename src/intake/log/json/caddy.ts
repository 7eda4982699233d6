/** Caddy's access log. The stream also has the server's own messages, and a second line for failed requests. */
import type { FileState, JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, objectOf, statusOf, textOf, timeOf } from './values.ts'

export const caddy: JsonFormat = { name: 'caddy', reads, read }

function reads(json: JsonObject): boolean {
  const request = objectOf(json.request)
  if (request !== null) return typeof request.uri === 'string' && ('remote_ip' in request || 'remote_addr' in request)
  return typeof json.logger === 'string' && 'ts' in json && 'msg' in json && 'level' in json
}

function read(json: JsonObject, into: LogRecord, file: FileState): LineOutcome {
  const at = timeOf(json.ts, file.zone)
  if (typeof at === 'string') return at
  into.at = at
  const request = objectOf(json.request)
  if (request === null) return 'server_internal'
  // http.log.error and handlers repeat a request that already has its access line.
  if (typeof json.logger === 'string' && !json.logger.startsWith('http.log.access')) return 'sub_request'
  const headers = objectOf(request.headers)
  if (headers === null) return 'no_user_agent'
  return fillRecord(into, {
    at,
    method: firstText(request.method),
    target: request.uri as string,
    status: statusOf(json.status),
    host: firstText(request.host),
    user_agent: agentOf(headers),
    client: firstText(request.client_ip, request.remote_ip, request.remote_addr),
  })
}

function agentOf(headers: JsonObject): string {
  const key = 'User-Agent' in headers ? 'User-Agent' : Object.keys(headers).find((one) => /^user-agent$/i.test(one))
  const value = key === undefined ? undefined : headers[key]
  const agent = Array.isArray(value) ? textOf(value[0]) : textOf(value)
  return agent ?? ''
}
