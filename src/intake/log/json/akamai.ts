/** Akamai DataStream 2: all values strings, `-` and `^` for none, encoded agent, path without its slash. */
import { percentDecoded } from '../decode.ts'
import type { EdgeAction } from '../edge-action.ts'
import type { JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { firstText, statusOf, textOf, timeOf, utc } from './values.ts'

export const akamai: JsonFormat = {
  name: 'akamai datastream',
  reads: (json) => 'reqPath' in json && ('reqTimeSec' in json || 'reqHost' in json || 'cliIP' in json),
  read,
  isOfEdge: () => true,
}

function read(json: JsonObject, into: LogRecord): LineOutcome {
  const at = timeOf(json.reqTimeSec, utc)
  if (typeof at === 'string') return at
  into.at = at
  const agent = textOf(json.UA)
  if (agent === null) return 'no_user_agent'
  const path = textOf(json.reqPath)
  // The stream was configured without the field; a home page has `-` or an empty text.
  if (path === null) return 'request_without_path'
  return fillRecord(into, {
    at,
    method: firstText(json.reqMethod),
    target: path.startsWith('/') ? path : `/${path === '-' || path === '^' ? '' : path}`,
    status: statusOf(json.statusCode),
    host: firstText(json.reqHost),
    user_agent: agent === '^' ? '' : percentDecoded(agent),
    client: firstText(json.cliIP),
    edge_action: edgeActionIn(textOf(json.securityRules)),
  })
}

/** `policy|rules that only matched|rules that denied`; present if a policy checked the request. */
function edgeActionIn(rules: string | null): EdgeAction | null {
  const parts = rules === null ? [] : percentDecoded(rules.slice(0, MAX_RULES_LENGTH)).split('|')
  if (parts.length < SECTIONS) return null
  return (parts[SECTIONS - 1] as string).replace(/[-^\s]/g, '') === '' ? 'none' : 'block'
}

const SECTIONS = 3
const MAX_RULES_LENGTH = 4_096
