/** Errors of PostgreSQL and the network, and what they mean for the operator. */
import { Refusal } from '#refusal.ts'

/**
 * The server and database of a URL as messages show them: without password and options.
 * @throws Refusal invalid_input, without the URL, which may hold a password.
 */
export function nameOfServer(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url)
    if (!/^postgres(ql)?:$/.test(protocol)) throw new Error('another scheme')
    return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`
  } catch {
    throw new Refusal(
      'invalid_input',
      'SPOOR_DATABASE_URL is not a PostgreSQL address: give postgres://user:password@host:5432/database, with special characters of the password percent-encoded (@ as %40).',
    )
  }
}

/** The server and the failure, for the operator; never the password. */
export class ControlServerAway extends Error {}

/** The reason why the store cannot be opened, with advice. A Refusal and a bug are returned unchanged. */
export function explainOpening(error: unknown, name: string): unknown {
  if (error instanceof Refusal) return error.kind === 'store_busy' ? refuse(name, 'the connection broke', AGAIN) : error
  const code = codeOf(error)
  const advice = ADVICE[code === PROTOCOL_VIOLATION ? codeBehindPooler(messageOf(error)) : code]
  if (advice !== undefined) return refuse(name, messageOf(error), advice)
  if (isLostConnection(error)) return refuse(name, messageOf(error), AGAIN)
  // Every other code of a connection attempt (certificates, SSL, name look-up) explains itself.
  return code.startsWith('28') || /SSL|TLS|certificate|self-signed/i.test(messageOf(error))
    ? refuse(
        name,
        messageOf(error),
        'Check the user in SPOOR_DATABASE_URL, and what the server asks of a connection (pg_hba.conf, sslmode of the URL).',
      )
    : error
}

/** Whether the connection is lost or cannot be made, so that the statement is not the reason. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error)
  if (LOST.has(code) || code.startsWith('08')) return true
  return /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/.test(
    messageOf(error),
  )
}

/** Whether the server stopped a statement at its time limit, for example while it waited for the write lock. */
export function isTooSlow(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** Whether an earlier statement of the same transaction had failed. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

/** Whether PostgreSQL aborted the transaction in favour of another one, so that it may run again. */
export function mayRunAgain(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

const AGAIN = 'Check that the server runs and that SPOOR_DATABASE_URL names it, then start again.'
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password in SPOOR_DATABASE_URL; special characters of the password are percent-encoded.',
  '3D000': 'Create it first: CREATE DATABASE … ENCODING UTF8, owned by the user of SPOOR_DATABASE_URL.',
  '42501': 'Make that user the owner of the database, or GRANT it USAGE and CREATE on the schema.',
  '3F000': 'Create a schema for it, or make that user the owner of the database.',
  '25006': 'This server only answers reads (a standby): name the primary in SPOOR_DATABASE_URL.',
  '53300': 'Raise max_connections of the server (a Spoor process uses up to 10), or stop what holds them.',
}

/** pgbouncer refuses connections with this code only; the reason is in the message. */
const PROTOCOL_VIOLATION = '08P01'

function codeBehindPooler(message: string): string {
  if (/authentication failed/.test(message)) return '28P01'
  if (/does not exist/.test(message)) return '3D000'
  return PROTOCOL_VIOLATION
}

const LOST: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session and idle_in_transaction timeouts
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
])

function refuse(name: string, cause: string, advice: string): Refusal {
  return new Refusal('not_readable', `The control store ${name} cannot be opened (${cause}). ${advice}`)
}

/** The code of an error or of its cause, because a migration wraps the server's error. */
function codeOf(error: unknown): string {
  const found = origin(error)
  return 'code' in found && typeof found.code === 'string' ? found.code : ''
}

/** The message of the server or of the network, with the code if the message lacks it. */
export function reasonOfTrouble(error: unknown): string {
  const [message, code] = [messageOf(error), codeOf(error)]
  return code === '' || message.includes(code) ? message : `${message} (${code})`
}

/** The message of an error. If a name has several addresses, each has an error, and the first one counts. */
function messageOf(error: unknown): string {
  const found = origin(error)
  const [first] = found instanceof AggregateError ? found.errors : []
  return found.message === '' && first instanceof Error ? first.message : found.message
}

function origin(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? origin(error.cause) : error
}
