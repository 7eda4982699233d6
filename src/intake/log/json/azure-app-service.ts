/** Azure App Service's HTTP logs: renamed IIS columns, in `properties` (object or JSON text) or exported. */
import { plusDecoded } from '../decode.ts'
import type { JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import { parseBinary } from '../parse-binary.ts'
import type { LogRecord } from '../record.ts'
import { firstText, objectOf, statusOf, textOf, timeOf, utc } from './values.ts'

export const azureAppService: JsonFormat = {
  name: 'azure app service',
  reads: (json) => json.category === 'AppServiceHTTPLogs' || ('CsUriStem' in json && 'CsMethod' in json),
  read,
}

function read(json: JsonObject, into: LogRecord): LineOutcome {
  const at = timeOf(firstText(json.time, json.TimeGenerated, json['TimeGenerated [UTC]']), utc)
  if (typeof at === 'string') return at
  into.at = at
  const request = requestOf(json)
  if (request === null) return 'unknown_json'
  const agent = textOf(request.UserAgent)
  if (agent === null) return 'no_user_agent'
  // Requests of the platform, which keep the application awake or check its health.
  if (PLATFORM.test(agent)) return 'server_internal'
  const target = textOf(request.CsUriStem)
  if (target === null) return 'request_without_path'
  return fillRecord(into, {
    at,
    method: firstText(request.CsMethod),
    target,
    status: statusOf(request.ScStatus),
    host: firstText(request.CsHost),
    user_agent: agent.includes(' ') ? agent : plusDecoded(agent),
    client: firstText(request.CIp),
  })
}

const PLATFORM = /^(?:AlwaysOn|HealthCheck\/|ReadyForRequest\/)/

function requestOf(json: JsonObject): JsonObject | null {
  if (!('properties' in json)) return json
  const { properties } = json
  return objectOf(typeof properties === 'string' ? parseBinary(properties) : properties)
}
