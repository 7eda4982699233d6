/** HAProxy's HTTP log. It has a user agent, in braces, only if the configuration captures that header. */
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import { fillFromLine } from './named-request.ts'
import { type LogRecord, withoutPort } from './record.ts'
import { readTime } from './time.ts'

export const haproxy: LineFormat = {
  name: 'haproxy',
  reads: (line) => partsOf(line) !== null || CONNECTION.test(line.slice(0, MAX_HEAD_LENGTH)),
  read,
}

/** `client [accept time] frontend backend/server timers status bytes cookies state counters queues {…} "request"` */
const HEAD =
  /^(\S+) \[([^\]]{20,26})\] \S+ [^\s/]+\/\S+ [-+\d/]+ (-?\d{1,3}) \+?\d+ \S+ \S+ \S{4} [\d/+]+ [\d/]+ (?=["{])/
/** Names, numbers and two cookies of at most 63 characters. */
const MAX_HEAD_LENGTH = 2_048
/** A connection without a request, such as a failed TLS handshake. */
const CONNECTION = /^\S+:\d+ \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?)\] \S+: /

interface Parts {
  client: string
  time: string
  status: number
  /** With their braces; empty if nothing is captured. */
  captures: string
  /** Offset after the quote that opens the request, which is the last field. */
  request_start: number
}

/** TRICKY: the last brace before a quote ends the captures, because HAProxy writes a quote in the request as `#22`. */
function partsOf(line: string): Parts | null {
  const head = HEAD.exec(line.slice(0, MAX_HEAD_LENGTH))
  if (head === null) return null
  const from = head[0].length
  const braces = line[from] === '{' ? line.lastIndexOf('} "') + 1 : from
  if (braces < from) return null
  return {
    client: head[1] as string,
    time: head[2] as string,
    status: Number(head[3]),
    captures: line.slice(from, braces),
    request_start: braces === from ? from + 1 : braces + 2,
  }
}

function read(line: string, into: LogRecord, { zone }: FileState): LineOutcome {
  const parts = partsOf(line)
  const time = parts?.time ?? CONNECTION.exec(line.slice(0, MAX_HEAD_LENGTH))?.[1] ?? ''
  const at = readTime(time, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  into.at = at
  if (parts === null) return 'server_internal'
  const captured = readCaptures(parts.captures)
  if (captured.agent === null) return 'no_user_agent'
  const is_closed = line.length > parts.request_start && line.endsWith('"')
  fillFromLine(into, decoded(line.slice(parts.request_start, is_closed ? -1 : undefined)), {
    at,
    status: parts.status,
    host: captured.host,
    user_agent: captured.agent,
    client: withoutPort(parts.client),
  })
  into.cut_off = !is_closed
  return null
}

const HOST = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9-]+(?::\d{1,5})?$/
/** A product with a version, with which nearly every agent begins. */
const PRODUCT = /^[^\s/|:;,=]+\/v?\d/

/**
 * Host and agent among the captured headers, which the line does not name: the agent is the part that begins with a
 * product and a version, or the part after the host if two headers are captured; null if there is none.
 */
function readCaptures(braces: string): { host: string | null; agent: string | null } {
  const [group = ''] = braces.slice(1, -1).split('} {', 1)
  const parts = group.slice(0, MAX_CAPTURE_LENGTH).split('|', MAX_CAPTURES).map(decoded)
  const host = parts.find((part) => HOST.test(part)) ?? null
  const at = parts.findIndex((part) => PRODUCT.test(part))
  if (at >= 0) return { host, agent: wholeAgent(parts, at) }
  const [first, second] = parts
  const pair = parts.length === 2 && first !== undefined && second !== undefined && (first === '' || HOST.test(first))
  return { host, agent: pair && !/^https?:\/\//i.test(second) && !HOST.test(second) ? second : null }
}

/** Old versions do not escape a bar in the agent; the agent continues while a bracket is open. */
function wholeAgent(parts: string[], from: number): string {
  let end = from + 1
  for (let open = brackets(parts[from] as string); end < parts.length && open > 0; end += 1) {
    open += brackets(parts[end] as string)
  }
  return parts.slice(from, end).join('|')
}

/** The number of opening brackets minus that of closing ones. */
function brackets(text: string): number {
  return text.split('(').length - text.split(')').length
}

/** Configurations capture a few headers, each up to a given length. */
const MAX_CAPTURE_LENGTH = 16_384
const MAX_CAPTURES = 64

/** HAProxy writes `#XX` for bytes that are not printable ASCII, and for quotes, bars and braces of headers. */
function decoded(part: string): string {
  return part.replace(/#([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
