/** Kinsta: `host client [time] METHOD "/path" HTTP/1.1 status "referer" "agent" …`: only the target is quoted. */
import { isCertainAgent } from './certain-agent.ts'
import { unescapeField } from './decode.ts'
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import { fillRecord } from './named-request.ts'
import type { LogRecord } from './record.ts'
import { agentText } from './remembered.ts'
import { readTime } from './time.ts'
import { readTokens, type Token } from './tokens.ts'

export const kinsta: LineFormat = { name: 'kinsta', reads: (line) => fieldsOf(line) !== null, read }

const HEAD = /^(\S{1,260}) (\S{2,64}) \[([^\]]{20,32})\] ([A-Z]{3,16}) (?="[/*])/
const MAX_FIELDS = 32

interface Fields {
  host: string
  client: string
  time: string
  method: string
  target: string
  status: number
  rest: Token[]
}

function fieldsOf(line: string): Fields | null {
  const head = HEAD.exec(line)
  if (head === null) return null
  const [target, protocol, status, ...rest] = readTokens(line, head[0].length, MAX_FIELDS)
  if (target?.kind !== 'quoted' || protocol === undefined || status === undefined) return null
  const code = line.slice(status.start, status.end)
  if (!/^HTTP\/\d(?:\.\d)?$/.test(line.slice(protocol.start, protocol.end)) || !/^\d{3}$/.test(code)) return null
  const [, host, client, time, method] = head as unknown as [string, string, string, string, string]
  return { host, client, time, method, target: line.slice(target.start, target.end), status: Number(code), rest }
}

function read(line: string, into: LogRecord, { zone }: FileState): LineOutcome {
  const { host, client, time, method, target, status, rest } = fieldsOf(line) as Fields
  const at = readTime(time, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  const [referer, agent, ...tail] = rest
  if (referer === undefined || referer.open || agent?.open === true) return 'line_cut_off'
  if (referer.kind !== 'quoted' || agent?.kind !== 'quoted') return 'unknown_layout'
  const text = (token: Token) => line.slice(token.start, token.end)
  const others = () => tail.filter(({ kind }) => kind === 'quoted').map(text)
  if (!isCertainAgent(text(referer), text(agent), others)) return 'unknown_layout'
  fillRecord(into, { at, method, target: unescapeField(target), status, host, user_agent: '', client })
  into.user_agent = agentText(line, agent.start, agent.end)
  // The line ends with unquoted numbers.
  into.cut_off = true
  return null
}
