/** HAProxy's HTTP log. It has a user agent only where the configuration captures that header, in braces before the request. */
import { beginRecord, type FileState, type LineFormat, type Outcome } from './format.ts'
import { type LogRecord, observedStatus } from './record.ts'
import { agentText, hostText } from './remembered.ts'
import { readTime } from './time.ts'

export const haproxy: LineFormat = {
  name: 'haproxy',
  reads: (line) => REQUEST.test(line) || CONNECTION.test(line),
  read,
}

/** `client [accept time] frontend backend/server timers status bytes cookies state counters queues {captures} "request"`. */
const REQUEST =
  /^(\S+) \[([^\]]{20,26})\] \S+ [^\s/]+\/\S+ [-+\d/]+ (-?\d{1,3}) \+?\d+ \S+ \S+ \S{4} [\d/+]+ [\d/]+ ((?:\{.*\} )?)"(.*?)("?)$/d
/** A connection that brought no request, such as a failed TLS handshake. */
const CONNECTION = /^\S+:\d+ \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?)\] \S+: /

function read(line: string, into: LogRecord, { zone }: FileState): Outcome {
  const parts = REQUEST.exec(line)
  const time = parts?.[2] ?? CONNECTION.exec(line)?.[1] ?? ''
  const at = readTime(time, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  into.at = at
  if (parts === null) return 'server_internal'
  const captured = readCaptures(parts[4] as string)
  if (captured.agent === null) return 'no_user_agent'
  const ranges = parts.indices as RegExpIndicesArray
  const [client_start, client_end] = ranges[1] as [number, number]
  const [request_start, request_end] = ranges[5] as [number, number]
  beginRecord(into, line, at)
  into.request_start = request_start
  into.request_end = request_end
  into.client_start = client_start
  into.client_end = client_end
  const status = Number(parts[3])
  into.status_raw = status < 0 ? null : status
  into.status = observedStatus(into.status_raw)
  into.host = captured.host === null ? null : hostText(captured.host)
  into.user_agent = agentText(captured.agent, 0, captured.agent.length)
  into.cut_off = parts[6] === ''
  return null
}

const HOST = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9-]+(?::\d{1,5})?$/
/** A product with a version, as nearly every agent has one at its beginning. */
const PRODUCT = /^[^\s/|:;,=]+\/v?\d/

/**
 * Host and agent among the captured headers, whose names the line does not tell: the agent is the part that begins with a product and
 * version, or what follows the host where two headers are captured. Null when no part can be told to be one.
 */
function readCaptures(braces: string): { host: string | null; agent: string | null } {
  const groups = braces.trimEnd().slice(1, -1).split('} {')
  const parts = (groups[0] as string).split('|').map(decoded)
  const host = parts.find((part) => HOST.test(part)) ?? null
  const at = parts.findIndex((part) => PRODUCT.test(part))
  if (at >= 0) return { host, agent: wholeAgent(parts, at) }
  const [first, second] = parts
  const pair = parts.length === 2 && first !== undefined && second !== undefined && (first === '' || HOST.test(first))
  return { host, agent: pair && !/^https?:\/\//i.test(second) && !HOST.test(second) ? second : null }
}

/** Old versions leave a bar inside the agent as it is; a bracket that is still open tells that the agent goes on. */
function wholeAgent(parts: string[], from: number): string {
  let agent = parts[from] as string
  const open = () => agent.split('(').length > agent.split(')').length
  for (let at = from + 1; at < parts.length && open(); at += 1) agent += `|${parts[at]}`
  return agent
}

/** HAProxy writes `#XX` for what may not stand in a captured header. */
function decoded(part: string): string {
  return part.replace(/#([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
