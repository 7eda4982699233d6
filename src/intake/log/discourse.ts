/** Discourse's nginx layout: `[time] "host" client "request" "agent" "route" status bytes "referer" …`. */
import { kindOf } from './field-kinds.ts'
import { beginRecord, type FileState, type LineFormat, type LineOutcome } from './format.ts'
import { observedStatus } from './observed-status.ts'
import type { LogRecord } from './record.ts'
import { agentText, hostText } from './remembered.ts'
import { readTime } from './time.ts'
import { readTokens, type Token } from './tokens.ts'

export const discourse: LineFormat = { name: 'discourse', reads: (line) => fieldsOf(line) !== null, read }

const HEAD = /^\[([^\]]{20,32})\] ["0-9A-Fa-f:]/
const MAX_FIELDS = 24
/** A Rails controller and its action. */
const ROUTE = /^(?:-|[a-z_][\w/]*\/[a-z_]\w*)?$/

interface Fields {
  time: string
  host: Token | null
  client: Token
  request: Token
  agent: Token
  status: Token
}

/** The fields of a line with exactly this order; null for any other line. */
function fieldsOf(line: string): Fields | null {
  const head = HEAD.exec(line)
  if (head === null) return null
  const tokens = readTokens(line, head[0].length - 1, MAX_FIELDS)
  const host = tokens[0]?.kind === 'quoted' ? (tokens.shift() as Token) : null
  const [client, request, agent, route, status, bytes, referer, upstream_time, time] = tokens
  const order = [client, request, agent, route, status, bytes, referer, upstream_time, time]
  if (order.map((token) => token?.kind[0]).join('') !== 'wqqqwwqww') return null
  const text = (token: Token | undefined) => (token === undefined ? '' : line.slice(token.start, token.end))
  if (kindOf(text(client)) !== 'address' || !ROUTE.test(text(route))) return null
  if (!/^\d{3}$/.test(text(status)) || !/^(?:\d+|-)$/.test(text(bytes)) || !SECONDS.test(text(time))) return null
  if (!MAY_BE_AGENT.has(kindOf(text(agent))) || !MAY_BE_REFERER.has(kindOf(text(referer)))) return null
  if (host !== null && !MAY_BE_HOST.has(kindOf(text(host)))) return null
  const found = { host, client, request, agent, status } as Omit<Fields, 'time'>
  return { time: head[1] as string, ...found }
}

const SECONDS = /^\d+\.\d{1,6}$/
const MAY_BE_AGENT: ReadonlySet<string> = new Set(['empty', 'agent', 'text'])
const MAY_BE_REFERER: ReadonlySet<string> = new Set(['empty', 'url'])
const MAY_BE_HOST: ReadonlySet<string> = new Set(['empty', 'host', 'address'])

function read(line: string, into: LogRecord, { zone }: FileState): LineOutcome {
  const { time, host, client, request, agent, status } = fieldsOf(line) as Fields
  const at = readTime(time, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  beginRecord(into, line, at)
  into.request_start = request.start
  into.request_end = request.end
  into.client_start = client.start
  into.client_end = client.end
  into.status_raw = Number(line.slice(status.start, status.end))
  into.status = observedStatus(into.status_raw)
  into.host = host === null ? null : hostText(line.slice(host.start, host.end))
  into.user_agent = agentText(line, agent.start, agent.end)
  // Newer versions have more fields.
  into.cut_off = true
  return null
}
