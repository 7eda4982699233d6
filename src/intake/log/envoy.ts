/**
 * Envoy's and Istio's default text layouts: `[time] "request" status flags … bytes bytes duration upstream-time
 * "x-forwarded-for" "agent" "request id" "authority" "upstream" …`. Envoy does not escape quotes, so lines with another
 * number of fields are not read.
 */
import { type FieldKind, kindOf } from './field-kinds.ts'
import { beginRecord, type FileState, type LineFormat, type LineOutcome } from './format.ts'
import { observedStatus } from './observed-status.ts'
import type { LogRecord } from './record.ts'
import { agentText, hostText } from './remembered.ts'
import { readTime } from './time.ts'
import { readTokens, type Token, tokenText } from './tokens.ts'

export const envoy: LineFormat = { name: 'envoy', reads: (line) => headOf(line) !== null, read }

const HEAD = /^\[(\d{4}-\d\d-\d\dT[^\]]{1,60})\] "/
/** The widest default layout has two dozen. */
const MAX_FIELDS = 64
/** Envoy has only flags; Istio adds response details, termination details and a quoted failure, old versions fewer. */
const MAX_DETAILS = 4
const NUMBER_COUNT = 4
const QUOTED_COUNT = 5

interface Head {
  time: string
  /** The request and all fields after it. */
  tokens: Token[]
}

/** The fields of a line that begins like these layouts, with status and flags after the request; else null. */
function headOf(line: string): Head | null {
  const head = HEAD.exec(line)
  if (head === null) return null
  const tokens = readTokens(line, head[0].length - 1, MAX_FIELDS)
  const [request, status, flags, next] = tokens
  if (request?.kind !== 'quoted' || status?.kind !== 'word' || flags?.kind !== 'word' || next === undefined) return null
  // In a combined line with a time of this form the size follows the status, and then a quoted field or a host.
  if (!STATUS.test(tokenText(line, status)) || !FLAGS.test(tokenText(line, flags))) return null
  return { time: head[1] as string, tokens }
}

const STATUS = /^\d{1,3}$/
/** `-`, or flags such as `UH` or `NR,UF`. */
const FLAGS = /^(?:-|[A-Z][A-Za-z]*(?:,[A-Z][A-Za-z]*)*)$/
const NUMBER = /^(?:\d+|-)$/

/** Index of the first of the five quoted fields; null if the fields are not those of a known layout. */
function findQuoted(line: string, tokens: readonly Token[]): number | null {
  for (let details = 0; details <= MAX_DETAILS; details += 1) {
    const numbers = 3 + details
    const quoted = numbers + NUMBER_COUNT
    const are_numbers = tokens
      .slice(numbers, quoted)
      .every((token) => token.kind === 'word' && NUMBER.test(tokenText(line, token)))
    if (!are_numbers || tokens[quoted]?.kind !== 'quoted') continue
    const end = tokens.findIndex((token, at) => at > quoted && token.kind !== 'quoted')
    return (end < 0 ? tokens.length : end) === quoted + QUOTED_COUNT ? quoted : null
  }
  return null
}

function read(line: string, into: LogRecord, { zone }: FileState): LineOutcome {
  const { time, tokens } = headOf(line) as Head
  const at = readTime(time, zone)
  if (Number.isNaN(at)) return 'bad_timestamp'
  const first = findQuoted(line, tokens)
  if (first === null) return tokens.at(-1)?.open === true ? 'line_cut_off' : 'unknown_layout'
  const [client, agent, , authority, upstream] = tokens.slice(first, first + QUOTED_COUNT) as [
    Token,
    Token,
    Token,
    Token,
    Token,
  ]
  if (upstream.open) return 'line_cut_off'
  const [request, status] = tokens as [Token, Token]
  const kinds = tokens.slice(first, first + QUOTED_COUNT).map((token) => kindOf(tokenText(line, token)))
  if (!ORDER.every((allowed, place) => allowed.has(kinds[place] as FieldKind))) return 'unknown_layout'
  into.at = at
  // A TCP connection without a request, which the same listener logs.
  if (/^-? ?-? ?-?$/.test(tokenText(line, request)) && Number(tokenText(line, status)) === 0) return 'server_internal'
  const peer = peerOf(line, tokens.slice(first + QUOTED_COUNT)) ?? client
  beginRecord(into, line, at)
  into.request_start = request.start
  into.request_end = request.end
  into.client_start = peer.start
  into.client_end = peer.end
  into.status_raw = Number(tokenText(line, status))
  into.status = observedStatus(into.status_raw)
  into.host = hostText(tokenText(line, authority))
  into.user_agent = agentText(line, agent.start, agent.end)
  // Istio's fields after the upstream end with an unquoted word.
  into.tail_start = upstream.end + 1
  into.tail_end = line.length
  return null
}

/** The kinds that each of the five fields may have; with the operator's own configuration the order differs. */
const ORDER: readonly ReadonlySet<FieldKind>[] = [
  new Set(['empty', 'address', 'number']),
  new Set(['empty', 'agent', 'text']),
  new Set(['empty', 'technical', 'number', 'text']),
  new Set(['empty', 'host', 'address', 'text', 'technical']),
  new Set(['empty', 'address', 'technical', 'url']),
]

/** Istio's `upstream-cluster upstream-local downstream-local downstream-remote server-name route`: the peer. */
function peerOf(line: string, rest: readonly Token[]): Token | null {
  const peer = rest[3]
  return rest.length >= 4 && peer !== undefined && WITH_PORT.test(tokenText(line, peer)) ? peer : null
}

const WITH_PORT = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9A-Fa-f:.]{2,45}\]):\d{1,5}$/
