/** Problems of the intake's endpoint. Its statuses are not those of surface A, which are closed (RFC 9457). */
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts'
import { IntakeRefusal, type IntakeRefusalKind } from '#intake/batches/batch-refusal.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import type { FailureAnswer } from '../register-operations.ts'
import { wordsOf } from '../step-words.ts'
import { answerTo } from './problems.ts'

type IntakeProblemKind = IntakeRefusalKind | 'unsupported_encoding' | 'unavailable' | 'too_slow'

/** Seconds after which a sender may try again. */
const BUSY_SECONDS = 2
const UNAVAILABLE_SECONDS = 10

interface Form {
  status: number
  title: string
  headers?: Readonly<Record<string, string>>
}

const PROBLEMS = {
  not_readable: { status: 400, title: 'body cannot be read' },
  invalid_parameter: { status: 400, title: 'invalid parameter' },
  unauthenticated: { status: 401, title: 'authentication failed', headers: { 'www-authenticate': 'Bearer' } },
  source_disconnected: { status: 403, title: 'source is disconnected' },
  // The rest of it is not waited for, so the connection ends with the answer.
  too_slow: { status: 408, title: 'body too slow', headers: { connection: 'close' } },
  too_large: { status: 413, title: 'batch too large' },
  unsupported_encoding: {
    status: 415,
    title: 'content encoding not supported',
    headers: { 'accept-encoding': 'gzip, zstd' },
  },
  key_reused: { status: 422, title: 'idempotency key used for another batch' },
  busy: { status: 429, title: 'too much at once', headers: { 'retry-after': String(BUSY_SECONDS) } },
  unavailable: {
    status: 503,
    title: 'temporarily unavailable',
    headers: { 'retry-after': String(UNAVAILABLE_SECONDS) },
  },
} as const satisfies Record<IntakeProblemKind, Form>

/** Null: the sender cannot correct it, so it is a bug. */
const REFUSALS = {
  store_busy: 'unavailable',
  reader_unavailable: 'unavailable',
  invalid_input: 'invalid_parameter',
  not_readable: 'not_readable',
  empty_log: null,
  unauthenticated: 'unauthenticated',
  forbidden: null,
  site_not_found: null,
  not_found: null,
  conflict: null,
  limit_reached: null,
  not_built: null,
  unreachable: null,
  too_large: null,
} as const satisfies Record<RefusalKind, IntakeProblemKind | null>

/** A request that the endpoint itself refuses. */
export class IntakeProblem extends Error {
  readonly kind: IntakeProblemKind
  constructor(kind: IntakeProblemKind, detail: string) {
    super(detail)
    this.name = 'IntakeProblem'
    this.kind = kind
  }
}

/** The answer to anything thrown here; what every path shares (405, a malformed URL) reads as on surface A. */
export function answerToSender(error: unknown): { answer: FailureAnswer; bug: boolean; reason: string } {
  if (error instanceof IntakeProblem || error instanceof IntakeRefusal) {
    return { answer: write(error.kind, wordsOf(error)), bug: false, reason: error.kind }
  }
  const kind = error instanceof Refusal ? REFUSALS[error.kind] : null
  if (error instanceof Refusal && kind !== null)
    return { answer: write(kind, wordsOf(error)), bug: false, reason: kind }
  const shared = answerTo(error instanceof Refusal ? new Error(error.message, { cause: error }) : error, null)
  return { ...shared, reason: shared.bug ? 'failed' : 'not_a_batch' }
}

function write(kind: IntakeProblemKind, detail: string): FailureAnswer {
  const { status, title, headers }: Form = PROBLEMS[kind]
  return {
    status,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE, ...headers },
    body: JSON.stringify({ type: `urn:spoor:problem:${kind}`, title, status, detail }),
  }
}
