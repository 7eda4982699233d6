/** Reads fields of a generic record in the spellings of known senders, with bounded lengths. */
import { normalizeHost } from '#sites/root-domain.ts'
import { decodeTarget, decodeText, toBinary } from '../log/decode.ts'
import { type EdgeAction, edgeActionOf } from '../log/edge-action.ts'
import { MAX_STATUS, observedStatus } from '../log/observed-status.ts'
import type { IntakeRecord, JsonRecord } from './record.ts'

/** Enough for every documented agent. */
const MAX_AGENT_LENGTH = 1_024
/** Far more than is stored of a path. */
const MAX_TARGET_LENGTH = 16_384
const MAX_HOST_LENGTH = 300
const MAX_ID_LENGTH = 512

/** A number or numeric text below 1000; null, absent, empty, `-` or below 100: no response (rules 2). Else false. */
export function readStatus(value: unknown, into: IntakeRecord): boolean {
  into.status = 0
  into.status_raw = 0
  if (value === undefined || value === null || value === '' || value === '-') return true
  const number = typeof value === 'string' && /^-?\d{1,6}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number > MAX_STATUS) return false
  into.status_raw = Math.max(0, number)
  const observed = observedStatus(number)
  if (observed !== null) into.status = observed
  return true
}

/** Reads the method; false: the text is not a method. */
export function readMethod(value: unknown, into: IntakeRecord): boolean {
  if (value === undefined || value === null || value === '' || value === '-') {
    into.method = 'UNKNOWN'
    return true
  }
  if (value === 'GET') {
    into.method = value
    return true
  }
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z_-]{0,31}$/.test(value)) return false
  into.method = value.toUpperCase()
  return true
}

/** Reads the target from `path`, else from `url`, whose host counts if the record names none. */
export function readTarget(json: JsonRecord, into: IntakeRecord): 'path_missing' | 'path_invalid' | null {
  const { path, url } = json
  const has_path = typeof path === 'string' && path !== ''
  const given = has_path ? path : url
  if (has_path && path.charCodeAt(0) === SLASH && into.host !== null) {
    into.target = plainTarget(path)
    return null
  }
  if (given === undefined || given === null || given === '')
    return path === undefined || path === null || path === '' ? 'path_missing' : 'path_invalid'
  if (typeof given !== 'string') return 'path_invalid'
  const target = targetOf(given, into)
  if (target === null) return 'path_invalid'
  into.target = target
  if (into.host === null && has_path && typeof url === 'string') targetOf(url, into)
  return null
}

/** The target of a path or URL; fills the URL's host if the record has none. Null: neither a path nor a URL. */
function targetOf(text: string, into: IntakeRecord): string | null {
  if (text.charCodeAt(0) === SLASH) return plainTarget(text)
  if (text === '*') return text
  const found = ABSOLUTE.exec(text.slice(0, MAX_TARGET_LENGTH))
  if (found === null) return null
  const authority = found[1] as string
  into.host ??= readHost(authority.slice(authority.lastIndexOf('@') + 1))
  const rest = text.slice(found[0].length)
  return plainTarget(rest.startsWith('/') ? rest : `/${rest}`)
}

const SLASH = 47
const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/([^/?#]*)/
/** Control characters, and what may be a byte that is not UTF-8 (see decodeKeepingBytes). */
const UNSAFE = /[^ -~\u0080-\udc7f\udd00-\uffff]/

/** The target with %XX for control characters and bytes that are not UTF-8, cut to the maximum length. */
function plainTarget(text: string): string {
  const target = text.length > MAX_TARGET_LENGTH ? text.slice(0, MAX_TARGET_LENGTH) : text
  return UNSAFE.test(target) ? decodeTarget(toBinary(target)) : target
}

const hosts = new Map<string, string | null>()
const MAX_HOSTS = 10_000

/** The normalised host, cached because there are few; null: an address, localhost, or no host. */
export function readHost(text: string): string | null {
  const known = hosts.get(text)
  if (known !== undefined) return known
  if (text.length > MAX_HOST_LENGTH) return null
  const host = normalizeHost(text)
  if (hosts.size >= MAX_HOSTS) hosts.clear()
  hosts.set(text, host)
  return host
}

/** A user agent, truncated to the maximum length; empty for `-`. */
export function readAgent(text: string): string {
  if (text === '-') return ''
  const agent = text.isWellFormed() ? text : decodeText(toBinary(text))
  return agent.length > MAX_AGENT_LENGTH ? agent.slice(0, MAX_AGENT_LENGTH) : agent
}

/** The id; null: none; undefined: the value is not an id. */
export function readRecordId(value: unknown): string | null | undefined {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return value.length <= MAX_ID_LENGTH ? value : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined
}

/** The action of the edge in any vendor's words; null for all other values, which do not refuse the record. */
export function readEdgeAction(value: unknown): EdgeAction | null {
  return typeof value === 'string' ? edgeActionOf(value) : null
}

/**
 * The provider's verdict: true, or its name; a category or another text means that some provider has verified the bot.
 * In log formats values are text, so that texts such as `false` or `unknown` are not verdicts.
 */
export function readVerdict(value: unknown): { provider: string } | null {
  if (value === true) return { provider: SOME_PROVIDER }
  if (typeof value !== 'string') return null
  const said = value.trim().toLowerCase()
  if (NO_VERDICT.has(said)) return null
  return { provider: !YES.has(said) && /^[a-z][a-z0-9_-]{0,31}$/.test(value) ? value : SOME_PROVIDER }
}

const SOME_PROVIDER = 'sender'
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'verified', 'y', 'on', 't', '1'])
const NO_VERDICT: ReadonlySet<string> = new Set([
  '',
  '-',
  'false',
  'no',
  'n',
  'f',
  'off',
  '0',
  'none',
  'null',
  'nil',
  'undefined',
  'n/a',
  'na',
  '(null)',
  'unknown',
  'unverified',
  'not_verified',
  'not verified',
  'not-verified',
  'failed',
  'invalid',
])
