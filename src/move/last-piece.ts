/** The last piece of a move: writes are refused meanwhile, and then the folder is marked as moved (decisions 8.2). */
import { writeSetting } from '#control/settings.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { Refusal } from '#refusal.ts'
import { SECRET_KEY_CHECK } from '#secrets/key-check.ts'
import { type ControlTableTotal, copyControl } from './copy-control.ts'
import type { Copied, EvidenceCopy } from './copy-evidence.ts'
import type { MoveJournal } from './move-journal.ts'
import type { MoveRun, MoveSource } from './move-source.ts'
import { readMoveState } from './move-state.ts'
import { type MoveReport, totalOf } from './report.ts'
import type { MoveTarget } from './target.ts'

export interface LastPiece {
  source: MoveSource
  target: MoveTarget
  evidence_id: string
  /** Null: the evidence is not moved. */
  copy: EvidenceCopy | null
  journal: MoveJournal
  run: MoveRun
  /** The check value of the key that all processes of the moved installation need; null: they need none. */
  secret_key_check: string | null
  /** The number of rows that were copied before the last piece. */
  copied_rows: number
  /** Epoch milliseconds. */
  started_at: number
  /** Called just before the mark. @throws what makes the move impossible. */
  check(): void
}

const MAX_READ_ONLY_MS = 60_000

/**
 * Moves the last changes and marks the folder. Returns null if that took too long for a running service, which then
 * accepts writes again, as after a failure. Without a service there is no limit.
 */
export async function takeLastPiece(piece: LastPiece): Promise<MoveReport | null> {
  const { source, copy, journal, run } = piece
  const { gate, serving, clock } = source
  const late = new AbortController()
  const signal = AbortSignal.any([run.signal, late.signal])
  const limit_ms = run.max_read_only_ms ?? MAX_READ_ONLY_MS
  let limit: NodeJS.Timeout | undefined
  try {
    await serving?.stopJobs()
    const before = copy === null ? 0 : (await copy.changed(run.signal)).copied_rows
    if (serving !== null) limit = setTimeout(() => late.abort(), limit_ms)
    const refused_at = clock.elapsed()
    journal.enter('read_only')
    await closeGate(source, signal)
    const seconds = serving === null ? undefined : Math.ceil(limit_ms / 1_000)
    const last = copy === null ? 0 : refuseDifferences(await copy.changed(signal, seconds)).copied_rows
    await recordKey(piece)
    const control = await copyControlOf(piece, signal)
    signal.throwIfAborted()
    piece.check()
    const report = reportOf(piece, control, before + last, clock.elapsed() - refused_at)
    mark(piece, report)
    return report
  } catch (error) {
    gate.open()
    serving?.resume()
    run.signal.throwIfAborted()
    const is_timeout = error instanceof EvidenceError && error.kind === 'timeout'
    if (late.signal.aborted || (serving !== null && is_timeout)) return null
    throw error
  } finally {
    clearTimeout(limit)
  }
}

/**
 * Refuses writes, and waits for those that had begun.
 * @throws the reason of the signal, which does not wait: a statement of an import may take minutes.
 */
async function closeGate({ gate, serving }: MoveSource, signal: AbortSignal): Promise<void> {
  const close = async () => {
    await serving?.refuseWrites()
    signal.throwIfAborted()
    await gate.close()
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    await Promise.race([close(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Writes the mark, from which on the old stores no longer count. A readable mark counts, even if writing it reported an
 * error.
 */
function mark({ source, journal }: LastPiece, report: MoveReport): void {
  try {
    journal.enter('handing_over', report)
  } catch (error) {
    if (readMoveState(source.folder)?.phase !== 'handing_over') throw error
  }
}

/**
 * Stores the check value of the key before the control store is copied. Otherwise the first start after the move would
 * set it, and if that start had a wrong key, the right one would be refused from then on.
 */
async function recordKey({ source, copy, secret_key_check }: LastPiece): Promise<void> {
  if (copy === null || secret_key_check === null) return
  await source.control.transaction((tx) => writeSetting(tx, SECRET_KEY_CHECK, secret_key_check))
}

async function copyControlOf(piece: LastPiece, signal: AbortSignal): Promise<ControlTableTotal[] | null> {
  const { source, target, evidence_id } = piece
  return target.control === null ? null : copyControl(source.control, target.control, evidence_id, signal)
}

function refuseDifferences(copied: Copied): Copied {
  const [first] = copied.differing
  if (first === undefined) return copied
  throw new Refusal(
    'conflict',
    `The servers hold other data than they were sent: ${copied.differing.length} pieces differ, such as ${first.piece.join(' ')} of ${first.table}. Nothing was moved; {next} --cluster checks the servers.`,
    { next: { step: 'diagnose' } },
  )
}

function reportOf(
  { source, journal, copy, copied_rows, started_at }: LastPiece,
  control: ControlTableTotal[] | null,
  last_rows: number,
  read_only_ms: number,
): MoveReport {
  const { to_evidence, to_control } = journal.state
  const tables = copy?.totals() ?? []
  const [pieces, rows] = [totalOf(tables, 'pieces'), totalOf(tables, 'rows')]
  return {
    evidence:
      copy === null || to_evidence === null
        ? null
        : { to: to_evidence, tables, pieces, rows, copied_rows: copied_rows + last_rows },
    control:
      control === null || to_control === null
        ? null
        : { to: to_control, tables: control, rows: totalOf(control, 'rows') },
    differences: 0,
    read_only_seconds: Math.round(read_only_ms / 100) / 10,
    took_seconds: Math.round((source.clock.now() - started_at) / 1_000),
  }
}
