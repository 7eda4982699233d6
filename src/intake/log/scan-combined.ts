/** Reads plain combined lines as text: those from envelopes, and those that the byte scanner leaves. */

import { isCertainAgent } from './certain-agent.ts'
import { isObservedStatus } from './observed-status.ts'
import type { LogRecord } from './record.ts'
import { agentField, hostText } from './remembered.ts'
import { readClfTime } from './time.ts'
import { readTokens } from './tokens.ts'

/**
 * Reads `client - user [time] "request" status bytes "referer" "agent"` at text[start, end), also with `host[:port]`
 * first and with anything after the agent. Returns false if the line is not exactly that, or if the order of its fields
 * is not certain at once (see isCertainAgent); then the content of the record is undefined.
 */
export function scanCombined(text: string, start: number, end: number, record: LogRecord): boolean {
  const request = text.indexOf('"', start) + 1
  const front_end = request - TIME_AND_BRACKETS
  if (request === 0 || request >= end || front_end <= start) return false
  if (text.charCodeAt(front_end) !== BRACKET || text.charCodeAt(request - 3) !== CLOSING_BRACKET) return false
  if (text.charCodeAt(request - 2) !== BLANK || !scanFront(text, start, front_end - 1, record)) return false

  const at = readClfTime(text, front_end + 1)
  if (Number.isNaN(at)) return false

  const request_end = closingQuote(text, request, end)
  if (request_end < 0 || text.charCodeAt(request_end + 1) !== BLANK) return false
  if (!isHttp(text, request, request_end)) return false
  const status = threeDigits(text, request_end + 2)
  if (status < 0 || text.charCodeAt(request_end + 5) !== BLANK) return false

  const referer = text.indexOf('"', request_end + 6) + 1
  if (referer === 0 || referer >= end || !isSize(text, request_end + 6, referer - 2)) return false
  const referer_end = closingQuote(text, referer, end)
  if (referer_end < 0 || text.charCodeAt(referer_end + 1) !== BLANK || text.charCodeAt(referer_end + 2) !== QUOTE)
    return false
  if (!isEmptyOrUrl(text, referer, referer_end)) return false

  const agent = referer_end + 3
  const agent_end = closingQuote(text, agent, end)
  if (agent_end < 0 || (agent_end + 1 !== end && text.charCodeAt(agent_end + 1) !== BLANK)) return false
  const field = agentField(text, agent, agent_end)
  if (!field.is_certain && !(field.is_alone && isCertainBeside(text, agent, agent_end, end))) return false

  record.at = at
  record.status_raw = status
  record.status = isObservedStatus(status) ? status : null
  record.user_agent = field.text
  record.edge_action = null
  record.source = text
  record.request_start = request
  record.request_end = request_end
  record.tail_start = agent_end + 1
  record.tail_end = end
  record.cut_off = false
  record.verified_bot = null
  return true
}

/** `[dd/Mon/yyyy:HH:MM:SS +zzzz] "` */
const TIME_AND_BRACKETS = 30
const BLANK = 32
const QUOTE = 34
const MINUS = 45
const SLASH = 47
const COLON = 58
const BRACKET = 91
const BACKSLASH = 92
const CLOSING_BRACKET = 93

/** `client - user` has no host, `host client - user` has one. The careful reader reads everything else. */
function scanFront(text: string, start: number, end: number, record: LogRecord): boolean {
  if (text.charCodeAt(end) !== BLANK) return false
  const first = text.indexOf(' ', start)
  const second = text.indexOf(' ', first + 1)
  if (second >= end) return false
  const third = text.indexOf(' ', second + 1)
  if (third === end) {
    if (second !== first + 2 || text.charCodeAt(first + 1) !== MINUS) return false
    record.host = null
    record.client_start = start
    record.client_end = first
    return true
  }
  if (third > end || third !== second + 2 || text.charCodeAt(second + 1) !== MINUS) return false
  // A tag of syslog, whose time a shipper took off, ends in a colon.
  if (text.charCodeAt(first - 1) === COLON) return false
  if (text.indexOf(' ', third + 1) !== end || !beginsAddress(text, first + 1)) return false
  const host = hostText(text.slice(start, first))
  if (host === null) return false
  record.host = host
  record.client_start = first + 1
  record.client_end = second
  return true
}

/** Other text in the position of the request may be another field. */
function isHttp(text: string, start: number, end: number): boolean {
  const begins = text.charCodeAt(end - 4) === SLASH ? end - 8 : end - 6
  if (begins > start + 1 && text.charCodeAt(begins - 1) === BLANK && text.startsWith('HTTP/', begins)) return true
  return text.startsWith('GET /', start) || text.startsWith('POST /', start) || text.startsWith('HEAD /', start)
}

function isEmptyOrUrl(text: string, start: number, end: number): boolean {
  if (end === start) return true
  if (text.charCodeAt(start) === MINUS) return end === start + 1
  return text.startsWith('http://', start) || text.startsWith('https://', start)
}

/** If the agent is not clearly one, a quoted field after it may be the agent. */
function isCertainBeside(text: string, agent: number, agent_end: number, end: number): boolean {
  const quote = text.indexOf('"', agent_end + 1)
  if (quote < 0 || quote >= end) return true
  const tail = text.slice(agent_end + 1, end)
  const others = () => {
    const quoted = readTokens(tail, 0).filter(({ kind }) => kind === 'quoted')
    return quoted.map((one) => tail.slice(one.start, one.end))
  }
  return isCertainAgent('-', text.slice(agent, agent_end), others)
}

function beginsAddress(text: string, at: number): boolean {
  const first = text.charCodeAt(at)
  return (first >= 48 && first <= COLON) || text.charCodeAt(at + 4) === COLON
}

/** Offset of the next quote before `end`; -1 if there is none, or a backslash before it. */
function closingQuote(text: string, from: number, end: number): number {
  const quote = text.indexOf('"', from)
  return quote < 0 || quote >= end || text.charCodeAt(quote - 1) === BACKSLASH ? -1 : quote
}

function threeDigits(text: string, at: number): number {
  const a = text.charCodeAt(at) - 48
  const b = text.charCodeAt(at + 1) - 48
  const c = text.charCodeAt(at + 2) - 48
  return a >= 0 && a <= 9 && b >= 0 && b <= 9 && c >= 0 && c <= 9 ? a * 100 + b * 10 + c : -1
}

function isSize(text: string, from: number, end: number): boolean {
  if (end <= from || text.charCodeAt(end) !== BLANK) return false
  if (end === from + 1 && text.charCodeAt(from) === MINUS) return true
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 48 || code > 57) return false
  }
  return true
}
