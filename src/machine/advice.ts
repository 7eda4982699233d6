/** Failures of the machine or the files as one line of advice, because a stack does not help an operator. */
import type { Advised } from '#next-step.ts'

export const RAISE_OPEN_FILES =
  'Raise the limit (ulimit -n 65536, or LimitNOFILE=65536 of systemd) and start Spoor again.'
const FILES = `Too few files may be open at once. ${RAISE_OPEN_FILES}`
const MEMORY =
  'There is not enough memory. Give Spoor more of it, lower SPOOR_EVIDENCE_MEMORY_MB, or stop what else runs on this machine, then start Spoor again.'
const THREADS =
  'No further thread or process may be started. Raise the limit (ulimit -u, or TasksMax of systemd) and start Spoor again.'
const CONTROL =
  'A table of the control store is missing or damaged. Restore a backup (docs/operating/backup.md); {next} checks the installation.'
const EVIDENCE =
  'A table of the evidence store is missing or damaged. Look into the system log for a fault of the disk, then restore a backup (docs/operating/backup.md); {next} checks the installation.'

/** Patterns of messages of the system, the engine and the databases; the first that matches counts, causes first. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(EMFILE|ENFILE)\b|Too many open files|errno: 2[34]\b/, FILES],
  [
    /\bENOMEM\b|Cannot allocate memory|errno: 12\b|std::bad_alloc|Array buffer allocation failed|failed to map segment/,
    MEMORY,
  ],
  [/\bERR_WORKER_(OUT_OF_MEMORY|INIT_FAILED)\b|ERR_MEMORY_ALLOCATION_FAILED/, MEMORY],
  [/Cannot schedule a task|\bCode: 439\b|pthread_create|Resource temporarily unavailable/, THREADS],
  [/database disk image is malformed|file is not a database|no such (table|column)|SQLITE_CORRUPT/, CONTROL],
  [/\b(42P01|42703|XX001|XX002)\b/, CONTROL],
  [/\bCode: (16|32|33|36|40|44|47|60|74|76|79|81|107|117|226|228|246|271|432|1001)\b.*(DB::|std::)/s, EVIDENCE],
]

/** What to do about a failure, also a wrapped one; null where the failure is not of this kind. */
export function machineAdvice(error: unknown): Advised | null {
  const text = wordsOf(error, 0).join('\n')
  const message = PATTERNS.find(([pattern]) => pattern.test(text))?.[1]
  if (message === undefined) return null
  return message === CONTROL || message === EVIDENCE ? { message, next: { step: 'diagnose' } } : { message }
}

const MAX_DEPTH = 8

/** Codes and messages of an error, its causes and its parts. */
function wordsOf(error: unknown, depth: number): string[] {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return []
  const code = 'code' in error ? String(error.code) : ''
  const parts = error instanceof AggregateError ? error.errors : []
  return [code, error.message, ...[error.cause, ...parts].flatMap((inner) => wordsOf(inner, depth + 1))]
}
