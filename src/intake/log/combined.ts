/**
 * The careful reader of the combined family: escaped quotes, fields before, between and after the combined core. It
 * reads a line only if the positions of request, status and user agent are certain.
 */
import { type FoundTime, findTime } from './bracketed-time.ts'
import { isCertainAgent } from './certain-agent.ts'
import { readFront } from './combined-front.ts'
import { type FieldKind, kindOf } from './field-kinds.ts'
import { beginRecord, type FileState, type LineFormat } from './format.ts'
import { observedStatus } from './observed-status.ts'
import type { LogRecord, MalformedCode } from './record.ts'
import { agentText } from './remembered.ts'
import { readTokens, type Token, tokenText } from './tokens.ts'

/** The last format: it claims every line, and returns a reason for those that it cannot read. */
export const combined: LineFormat = { name: 'combined', reads: () => true, read: readCombined }

function readCombined(line: string, into: LogRecord, { zone }: FileState): MalformedCode | null {
  const time = findTime(line, zone)
  if (time === null) return withoutTime(line)
  beginRecord(into, line, time.at)
  const parts = findRequest(line, time.end, /^\S+ \S+ \S+/.test(line.slice(0, time.start)))
  if (typeof parts === 'string') return parts
  into.request_start = parts.request_start
  into.request_end = parts.request_end
  into.status_raw = parts.status
  into.status = observedStatus(parts.status)

  const others = (known: readonly Token[]) => otherQuoted(line, time, parts, known)
  const agent = findAgent(line, parts.after, time.start === 0)
  if (typeof agent === 'string') return withoutAgent(agent, others([]))
  const referer = agent.referer === null ? '-' : tokenText(line, agent.referer)
  const rest = () => {
    if (isTraefikTail(line, agent.field.end + 1)) return []
    return others([agent.field, ...(agent.referer === null ? [] : [agent.referer])])
  }
  if (!agent.is_bare && !isCertainAgent(referer, tokenText(line, agent.field), rest)) return 'unknown_layout'
  if (!isCertainRequest(line.slice(parts.request_start, parts.request_end), () => others([]))) return 'unknown_layout'
  into.user_agent = agentText(line, agent.field.start, agent.field.end)
  into.cut_off = isOpen(line, agent.field)
  into.tail_start = Math.min(agent.field.end + 1, line.length)
  into.tail_end = line.length
  const around = { time_start: time.start, between: parts.between, after: agent.between }
  return readFront(line, around, into) ? null : 'unknown_layout'
}

/** Traefik's layout has known fields after the agent: request number, router, server and duration. */
function isTraefikTail(line: string, from: number): boolean {
  return line.length - from <= MAX_KNOWN_TAIL && TRAEFIK_TAIL.test(line.slice(from))
}

const MAX_KNOWN_TAIL = 4_096
const TRAEFIK_TAIL = /^ \d+ "[^"]*" "[^"]*" \d+ms$/

/** The quoted fields of the line, except its request and the known ones. */
function otherQuoted(line: string, time: FoundTime, parts: RequestAndStatus, known: readonly Token[]): string[] {
  const front = line.slice(0, time.start).includes('"') ? readTokens(line.slice(0, time.start), 0) : []
  return [...front, ...parts.between, ...parts.after]
    .filter((token) => token.kind === 'quoted' && !known.includes(token))
    .map((token) => tokenText(line, token))
}

/** A line without an agent has at most a quoted referer; more quoted fields, or an agent, show another layout. */
function withoutAgent(reason: MalformedCode, others: readonly string[]): MalformedCode {
  if (reason !== 'no_user_agent') return reason
  return others.length > 1 || others.some((field) => kindOf(field) === 'agent') ? 'unknown_layout' : reason
}

/** The request may be text that is not HTTP, but not a field of another kind, and no other field may be a request. */
function isCertainRequest(request: string, others: () => readonly string[]): boolean {
  const kind = kindOf(request)
  if (kind === 'request') return true
  // The greeting of a scanner has a name, but no product with a version.
  if (NEVER_REQUEST.has(kind) || (kind === 'agent' && request.includes('/'))) return false
  return others().every((field) => kindOf(field) !== 'request')
}

const NEVER_REQUEST: ReadonlySet<FieldKind> = new Set(['host', 'address', 'url'])

interface RequestAndStatus {
  request_start: number
  request_end: number
  status: number | null
  /** Words between the time and the request. */
  between: Token[]
  /** The fields after the status. */
  after: Token[]
}

/** Error logs of nginx, Apache, PHP and LiteSpeed: they also quote requests, but are never evidence. */
const ERROR_LOGS = [
  /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[[a-z]+\] \d+#\d+/,
  /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \d{4}\] /,
  /^\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d [^\]]*\] /,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \[[A-Z]+\] /,
]

function withoutTime(line: string): MalformedCode {
  if (ERROR_LOGS.some((pattern) => pattern.test(line))) return 'error_log_line'
  if (/^\s*[[{]/.test(line.slice(0, 64)) && /[}\]],?\s*$/.test(line.slice(-64))) return 'unknown_json'
  const tokens = readTokens(line, 0)
  const request = tokens.findIndex((token, at) => isRequest(line, token) && isStatus(line, tokens[at + 1]))
  if (request < 0) return 'not_an_access_log_line'
  const front = line.slice(0, line.indexOf('"'))
  const bracket = front.indexOf('[')
  return bracket >= 0 && front.includes(']', bracket) ? 'bad_timestamp' : 'no_timestamp'
}

function isRequest(line: string, token: Token): boolean {
  return (
    token.kind === 'quoted' && /^[A-Za-z]{3,16} /.test(line.slice(token.start, Math.min(token.end, token.start + 20)))
  )
}

function isStatus(line: string, token: Token | undefined): boolean {
  return token !== undefined && /^(?:\d{3}|-)$/.test(tokenText(line, token))
}

/** Whether the agent may continue: its field has no closing quote, or an escaped one. */
function isOpen(line: string, field: Token): boolean {
  return field.open || field.kind === 'word' || line[field.end - 1] === '\\'
}

/** The request is the first quoted field after the time, or unquoted before it if that field is the status. */
function findRequest(line: string, from: number, is_clf: boolean): RequestAndStatus | MalformedCode {
  const tokens = readTokens(line, from)
  const index = tokens.findIndex((token) => token.kind === 'quoted')
  const request = tokens[index]
  if (request === undefined) return 'not_an_access_log_line'
  const between = tokens.slice(0, index)
  const bare = between[0]
  if (bare !== undefined && STATUS.test(tokenText(line, request)) && isBareRequest(line, between)) {
    const request_end = (between.at(-1) as Token).end
    const status = statusOf(tokenText(line, request))
    return { request_start: bare.start, request_end, status, between: [], after: tokens.slice(index + 1) }
  }
  const empty = afterEmptyStatus(line, request, tokens.slice(index + 1))
  if (empty === 'unknown_layout' || (empty !== null && mayStandBefore(line, between, '-', empty[0])))
    return 'unknown_layout'
  if (empty !== null) {
    return { request_start: request.start, request_end: request.end, status: null, between, after: empty }
  }
  const status = tokens[index + 1]
  if (status !== undefined && STATUS.test(tokenText(line, status))) {
    if (mayStandBefore(line, between, tokenText(line, status), tokens[index + 2])) return 'unknown_layout'
    // A size after a quoted field shows that it is the status.
    if (status.kind === 'quoted' && !isSize(line, tokens[index + 2])) return 'unknown_layout'
    const found = { request_start: request.start, request_end: request.end, status: statusOf(tokenText(line, status)) }
    return { ...found, between, after: tokens.slice(index + 2) }
  }
  const later = findLaterStatus(line, request, between)
  if (later !== null) return later
  if (request.open) return 'line_cut_off'
  if (status?.kind === 'quoted') return 'unknown_layout'
  return is_clf ? 'no_status' : 'not_an_access_log_line'
}

const STATUS = /^(?:\d{1,3}|-)$/

/** Whether the status may be before the request; then the number after the request is the size. */
function mayStandBefore(line: string, between: readonly Token[], status: string, next: Token | undefined): boolean {
  const words = between.filter((token) => token.kind === 'word').map((token) => tokenText(line, token))
  if (words.some((word) => KNOWN_STATUS.test(word) && word !== status)) return true
  return !isSize(line, next) && words.some((word) => word === '-' || KNOWN_STATUS.test(word))
}

function isSize(line: string, token: Token | undefined): boolean {
  return token?.kind === 'word' && /^(?:\d+|-)$/.test(tokenText(line, token))
}

/** An unquoted `GET /path HTTP/1.1`. */
function isBareRequest(line: string, words: readonly Token[]): boolean {
  const [method, target] = words
  if (method === undefined || target === undefined || words.some((word) => word.kind !== 'word')) return false
  return /^[A-Za-z]+$/.test(tokenText(line, method)) && /^(?:[/*]|[a-z]+:\/\/)/i.test(tokenText(line, target))
}

/**
 * The fields after an empty status (`""`, or nothing between two blanks); null if there is a status. TRICKY: otherwise
 * the size would be read as a status that was never sent (test: "an empty status"). An empty field before a number that
 * could be the status may be another field: a host, or a forwarded address.
 */
function afterEmptyStatus(line: string, request: Token, after: Token[]): Token[] | 'unknown_layout' | null {
  const [first, second] = after
  if (first === undefined || second === undefined) return null
  if (first.kind === 'quoted') {
    if (!/^-?$/.test(tokenText(line, first)) || !isSize(line, second)) return null
    return KNOWN_STATUS.test(tokenText(line, second)) ? 'unknown_layout' : after.slice(1)
  }
  const follows_gap = first.start - request.end > 2
  return follows_gap && isSize(line, first) && second.kind === 'quoted' ? after : null
}

/** Statuses that servers send. */
const KNOWN_STATUS = /^(?:10[0-3]|20[0-8]|226|30[0-8]|4[0-4]\d|451|50\d|51[01]|52\d|530)$/
const MAX_PROTOCOL = 16
const WITH_PROTOCOL = / HTTP\/\d(?:\.\d)?$/i
const STATUS_AFTER_QUOTE = /" "?(\d{3}|-)"? (?=\d|-|"|\S+ ")/g

/** For servers that do not escape quotes in requests: the request ends at the first quote before a status. */
function findLaterStatus(line: string, request: Token, between: Token[]): RequestAndStatus | null {
  STATUS_AFTER_QUOTE.lastIndex = request.start
  const found = STATUS_AFTER_QUOTE.exec(line)
  if (found === null) return null
  // A quote after a blank opens another field.
  const whole = line.slice(request.start, found.index)
  if (whole.includes(' "') || !WITH_PROTOCOL.test(whole.slice(-MAX_PROTOCOL)) || kindOf(whole) !== 'request')
    return null
  const after = readTokens(line, found.index + found[0].length)
  return {
    request_start: request.start,
    request_end: found.index,
    status: statusOf(found[1] as string),
    between,
    after,
  }
}

interface FoundAgent {
  field: Token
  /** The assumed referer, a quoted field; null if it is missing or unquoted. */
  referer: Token | null
  /** The agent is unquoted, and ends with the line. */
  is_bare: boolean
  /** Words between status and referer: bytes, and perhaps a host or the result of a cache. */
  between: Token[]
}

/** Referer and agent are the first two quoted fields after the status; each may be an unquoted `-`. */
function findAgent(line: string, after: Token[], time_first: boolean): FoundAgent | MalformedCode {
  const index = after.findIndex((token) => token.kind === 'quoted')
  if (index < 0) return findBareAgent(line, after, time_first)
  const referer = after[index] as Token
  const next = after[index + 1]
  if (next?.kind === 'quoted' || (next !== undefined && tokenText(line, next) === '-')) {
    return { field: next, referer, is_bare: false, between: after.slice(0, index) }
  }
  const before = after[index - 1]
  if (index >= 2 && before !== undefined && tokenText(line, before) === '-') {
    return { field: referer, referer: null, is_bare: false, between: after.slice(0, index - 1) }
  }
  return referer.open ? 'line_cut_off' : 'no_user_agent'
}

/** `bytes - -`, or a layout that begins with the time, with two sizes and unquoted referer and agent. */
function findBareAgent(line: string, after: Token[], time_first: boolean): FoundAgent | MalformedCode {
  const words = after.map((token) => tokenText(line, token))
  const [bytes, referer, agent] = after
  if (agent !== undefined && after.length === 3 && words[1] === '-' && words[2] === '-') {
    return { field: agent, referer: null, is_bare: true, between: [bytes as Token] }
  }
  const begin = after[3]
  const is_size = (word: string | undefined) => word !== undefined && /^(?:\d+|-)$/.test(word)
  const is_referer = words[2] === '-' || (words[2] ?? '').indexOf('://') > 0
  if (time_first && is_size(words[0]) && is_size(words[1]) && is_referer && begin !== undefined) {
    const field: Token = { kind: 'word', start: begin.start, end: line.length, open: false }
    return { field, referer: null, is_bare: true, between: [bytes as Token, referer as Token] }
  }
  return 'no_user_agent'
}

function statusOf(text: string): number | null {
  return text === '-' ? null : Number(text)
}
