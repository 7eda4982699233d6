/** Envoy's default text layout: `[time] "request" status flags … "x-forwarded-for" "agent" "request id" "authority" "upstream"`. */
import { beginRecord, type FileState, type LineFormat } from './format.ts'
import { type LogRecord, type MalformedCode, observedStatus } from './record.ts'
import { agentText, hostText } from './remembered.ts'
import { readTime } from './time.ts'
import { readTokens, type Token } from './tokens.ts'

export const envoy: LineFormat = { name: 'envoy', reads: (line) => fieldsOf(line) !== null, read }

interface Fields {
  time: string
  request: Token
  status: number
  client: Token
  agent: Token
  authority: Token
}

const HEAD = /^\[(\d{4}-\d\d-\d\dT[^\]]{1,60})\] (?=")/
/** Two dozen in the widest default layout. */
const MOST_FIELDS = 64

/** The fields of a line of this layout, which ends with five quoted ones; null for any other line. */
function fieldsOf(line: string): Fields | null {
  const head = HEAD.exec(line)
  if (head === null) return null
  const tokens = readTokens(line, head[0].length, MOST_FIELDS)
  const [request, status, flags] = tokens
  const [client, agent, id, authority, upstream] = tokens.slice(3).slice(-5)
  if (request === undefined || status === undefined || flags?.kind !== 'word' || tokens.length === MOST_FIELDS)
    return null
  if (client === undefined || agent === undefined || authority === undefined) return null
  if (![request, client, agent, id, authority, upstream].every((token) => token?.kind === 'quoted')) return null
  const code = line.slice(status.start, status.end)
  if (!/^\d{1,3}$/.test(code) || upstream?.open) return null
  return { time: head[1] as string, request, status: Number(code), client, agent, authority }
}

function read(line: string, into: LogRecord, { zone }: FileState): MalformedCode | null {
  const { time, request, status, client, agent, authority } = fieldsOf(line) as Fields
  const at = readTime(time, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  beginRecord(into, line, at)
  into.request_start = request.start
  into.request_end = request.end
  into.client_start = client.start
  into.client_end = client.end
  into.status_raw = status
  into.status = observedStatus(status)
  into.host = hostText(line.slice(authority.start, authority.end))
  into.user_agent = agentText(line, agent.start, agent.end)
  return null
}
