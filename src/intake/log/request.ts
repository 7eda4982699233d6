/** Reads the request of a log line: method, target and the host of an absolute target, or why it is not readable. */
import { trimBlanks } from './blanks.ts'
import { decodeTarget } from './decode.ts'
import { clientOf, type LogRecord, type MalformedCode, requestOf } from './record.ts'
import { hostText } from './remembered.ts'

/** A readable request. `target` begins with `/` (query included) or is `*`; input of pathV1. */
export interface RequestLine {
  /** Upper case. */
  method: string
  target: string
  /** The host of an absolute target; null: the target is a path, or the host an address or localhost (rules 4). */
  absolute_host: string | null
}

/** Why a request cannot be read; the line is then malformed with this reason. */
export type RequestFault = Extract<MalformedCode, `request_${string}`>

/**
 * Reads a request line (binary, without the quoting of the log; see requestOf). The URI may contain blanks: the first
 * word is the method, and the last one the protocol. Without a protocol it is HTTP/0.9 if the target looks like a path.
 */
export function readRequest(request: string): RequestLine | RequestFault {
  const line = trimBlanks(request)
  if (/^[\s-]?$/.test(line)) return 'request_empty'
  const first = line.indexOf(' ')
  if (first < 0) return 'request_not_http'
  const method = line.slice(0, first)
  if (!METHOD.test(method)) return 'request_not_http'
  const last = line.lastIndexOf(' ')
  const last_word = line.slice(last + 1)
  let end = line.length
  if (last > first && last_word.length <= MAX_PROTOCOL_LENGTH && PROTOCOL.test(last_word)) {
    if (!/^http\//i.test(last_word)) return 'request_not_http'
    end = last
  } else if (!WITHOUT_PROTOCOL.test(method)) {
    return 'request_not_http'
  }
  return readTarget(method.toUpperCase(), trimBlanks(line.slice(first + 1, end)))
}

/** Whether the server wrote the line about itself: Apache's dummy connection, or `OPTIONS *` from its own loopback. */
export function isServerInternal(record: LogRecord): boolean {
  if (isDummyConnection(record.user_agent)) return true
  const first = record.source.charCodeAt(record.client_start)
  if (first !== COLON && first !== ONE) return false
  if (!/^(?:::1|127\.\d+\.\d+\.\d+|::ffff:127\.0\.0\.1)$/.test(clientOf(record))) return false
  return /^OPTIONS \*(?: |$)/.test(requestOf(record))
}

/** Whether the agent is that of Apache's connections to itself, which wake its processes. */
export function isDummyConnection(userAgent: string): boolean {
  return userAgent.endsWith('(internal dummy connection)')
}

const COLON = 58
const ONE = 49
const METHOD = /^[A-Za-z][A-Za-z_-]{0,31}$/
const MAX_PROTOCOL_LENGTH = 32
const PROTOCOL = /^[A-Za-z]{2,10}\/\d+(?:\.\d+)*$/
const WITHOUT_PROTOCOL = /^(?:GET|HEAD|POST)$/i
const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)/

/** Paths are stored far shorter, and decoding a mebibyte letter by letter takes long. */
const MAX_TARGET_LENGTH = 8_192

function readTarget(method: string, whole: string): RequestLine | RequestFault {
  const target = whole.slice(0, MAX_TARGET_LENGTH)
  if (target.startsWith('/')) return { method, target: decodeTarget(target), absolute_host: null }
  if (target === '*') return method === 'PRI' ? 'request_not_http' : { method, target, absolute_host: null }
  const absolute = ABSOLUTE.exec(target)
  if (absolute === null) return 'request_without_path'
  const authority = absolute[1] as string
  const host = hostText(authority.slice(authority.lastIndexOf('@') + 1))
  const rest = decodeTarget(target.slice(absolute[0].length))
  return { method, target: rest.startsWith('/') ? rest : `/${rest}`, absolute_host: host }
}
