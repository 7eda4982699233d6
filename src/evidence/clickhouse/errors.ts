/** Maps failures of a ClickHouse server to `EvidenceError`, and decides what may be repeated on another server. */
import { EvidenceError, type EvidenceErrorKind } from '../errors.ts'

const FREE_SPACE = 'Free some space there.'
const CHECK_DISK = 'Look into its system log for the cause, and mount the disk writable.'
const TIMEOUT_EXCEEDED = 159

/** The server's error codes for failures that are not a bug of Spoor. */
const KINDS: ReadonlyMap<number, readonly [EvidenceErrorKind, string]> = new Map([
  [159, ['timeout', 'The statement took longer than allowed. Ask for a shorter window.']],
  [
    241,
    ['memory', 'The statement needs more memory than allowed, or the server has too little. Ask for a shorter window.'],
  ],
  [243, ['disk_full', `A disk of the ClickHouse server is almost full: nothing was stored. ${FREE_SPACE}`]],
  [
    202,
    ['unavailable', 'The ClickHouse server runs as many statements as it allows. Raise max_concurrent_queries there.'],
  ],
  [
    252,
    ['unavailable', 'The ClickHouse server has not merged what was stored before (TOO_MANY_PARTS). Try again later.'],
  ],
  [394, ['unavailable', 'The statement was stopped because the evidence store is closing.']],
])

/** A change waits for every replica; its caller tries again. */
const LATE_WRITE =
  'The ClickHouse server did not finish a write or a change of tables in time. Changes wait for every replica: ' +
  'check that all servers of the cluster are up.'

/** No quorum, a replica without its Keeper, or a server that is stopping. These never lead to a partial result. */
const NOT_SERVING: ReadonlySet<number> = new Set([
  209, 210, 225, 236, 242, 254, 265, 279, 285, 286, 289, 319, 341, 415, 416, 999,
])

/** The user lacks a permission for the statement: AUTHENTICATION_FAILED, UNKNOWN_USER, ACCESS_DENIED. */
const REFUSED_USER: ReadonlySet<number> = new Set([192, 193, 194, 497, 516])

/** A server of the cluster cannot be reached: ALL_CONNECTION_TRIES_FAILED. */
const SERVER_DOWN = 279

/** Codes of a connection that failed: the statement has not reached the server. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** The most characters of a reply in a message: a proxy may answer with a whole page. */
const MAX_REPLY_CHARACTERS = 300

/** Maps any failure of a request to the server at `url`; the error of the server or the connection is the cause. */
export function serverError(error: unknown, url: string, kind: 'read' | 'write' = 'read'): EvidenceError {
  if (error instanceof EvidenceError) return error
  const code = serverCode(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === undefined) {
    const said = message.slice(0, MAX_REPLY_CHARACTERS)
    const advice = 'Check SPOOR_CLICKHOUSE_URL, the server, and proxies in front of it.'
    return new EvidenceError('unavailable', `No answer from the ClickHouse server ${url} (${said}). ${advice}`, error)
  }
  const text = `${message.trim()}${typeOf(error)}`
  if (code === TIMEOUT_EXCEEDED && kind === 'write') return new EvidenceError('timeout', LATE_WRITE, error)
  const known = KINDS.get(code)
  if (known !== undefined) return new EvidenceError(known[0], known[1], error)
  if (NOT_SERVING.has(code)) {
    return new EvidenceError('unavailable', `The ClickHouse server ${url} cannot do this now: ${text}`, error)
  }
  if (REFUSED_USER.has(code)) {
    const advice = 'Check user and password in SPOOR_CLICKHOUSE_URL, and the grants of the user.'
    return new EvidenceError('unavailable', `The ClickHouse server ${url} refuses the user: ${text} ${advice}`, error)
  }
  // Messages of the server's operating system, which the engine reports under different codes.
  if (/no space left on device|errno: 28\b/i.test(message)) {
    return new EvidenceError('disk_full', `A disk of the ClickHouse server ${url} is full. ${FREE_SPACE}`, error)
  }
  if (/read-only file system|errno: 30\b/i.test(message)) {
    return new EvidenceError('unavailable', `A disk of the ClickHouse server ${url} is read-only. ${CHECK_DISK}`, error)
  }
  return new EvidenceError('bug', `The engine refused a statement: ${text}`, error)
}

/** Whether a read of all servers of a cluster failed because one of them is down. */
export const isServerDown = (error: unknown): error is EvidenceError =>
  error instanceof EvidenceError && serverCode(error.cause) === SERVER_DOWN

/** Whether the server cannot serve requests now, so that the next one should go to another server. */
export function isNotServing(error: unknown): boolean {
  const code = serverCode(error)
  return code === undefined || NOT_SERVING.has(code)
}

/**
 * Whether a statement may be repeated on another server: a write only if it certainly never arrived. TABLE_IS_READ_ONLY
 * may be about one shard while others have stored their rows.
 */
export function mayAskNext(error: unknown, kind: 'read' | 'write'): boolean {
  if (kind === 'read') return isNotServing(error)
  return serverCode(error) === undefined && NOT_CONNECTED.has(connectionCode(error))
}

/** The error code of a failure that the server reported. */
function serverCode(error: unknown): number | undefined {
  const known = error instanceof Error && 'type' in error && 'code' in error && /^\d+$/.test(String(error.code))
  return known ? Number(error.code) : undefined
}

const typeOf = (error: unknown): string =>
  error instanceof Error && 'type' in error && error.type !== undefined ? ` (${String(error.type)})` : ''

function connectionCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
