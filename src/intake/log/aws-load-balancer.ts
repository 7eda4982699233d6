/** AWS application and classic load balancers: fields by position from the left, the host in the request's URL. */
import type { EdgeAction } from './edge-action.ts'
import { beginRecord, type FileState, type LineFormat, type LineOutcome } from './format.ts'
import { observedStatus } from './observed-status.ts'
import { type LogRecord, withoutPort } from './record.ts'
import { agentText } from './remembered.ts'
import { readTime } from './time.ts'
import { readTokens, type Token } from './tokens.ts'

export const awsLoadBalancer: LineFormat = { name: 'aws load balancer', reads: (line) => LAYOUT.test(line), read }

/** Application balancers have a type: `type time balancer client target three-times status target-status sizes`. */
const LAYOUT =
  /^(?:(?:https?|h2|grpcs|wss?) )?(\d{4}-\d\d-\d\dT\S+) \S+ (\S+) \S+ -?[\d.]+ -?[\d.]+ -?[\d.]+ (\d{1,3}|-) \S+ -?\d+ -?\d+ (?=")/d

function read(line: string, into: LogRecord, { zone }: FileState): LineOutcome {
  const parts = LAYOUT.exec(line) as RegExpExecArray
  const at = readTime(parts[1] as string, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  const tokens = readTokens(line, parts[0].length, ACTIONS + 1)
  const [request, agent] = tokens
  if (request === undefined || request.open) return 'line_cut_off'
  if (agent?.kind !== 'quoted') return 'no_user_agent'
  const [client_start] = (parts.indices as RegExpIndicesArray)[2] as [number, number]
  beginRecord(into, line, at)
  into.request_start = request.start
  into.request_end = request.end
  into.client_start = client_start
  into.client_end = client_start + withoutPort(parts[2] as string).length
  into.status_raw = parts[3] === '-' ? null : Number(parts[3])
  into.status = observedStatus(into.status_raw)
  into.user_agent = agentText(line, agent.start, agent.end)
  into.edge_action = edgeActionIn(line, tokens[ACTIONS], into.status_raw)
  // Unquoted fields follow, and newer versions have more of them.
  into.cut_off = true
  return null
}

/** Index of `actions_executed` among the fields from the request on. */
const ACTIONS = 10

/**
 * AWS WAF rejected the request if `waf` is the last action, and let it pass if others follow. It answers with a status
 * that AWS documents to show a challenge or a captcha.
 */
function edgeActionIn(line: string, actions: Token | undefined, status: number | null): EdgeAction | null {
  if (actions?.kind !== 'quoted' || actions.open) return null
  const executed = line.slice(actions.start, actions.end).split(',')
  if (!executed.includes('waf')) return null
  if (executed.at(-1) !== 'waf') return 'none'
  return status === 202 || status === 405 ? 'challenge' : 'block'
}
