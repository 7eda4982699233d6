/**
 * Moves an embedded installation to servers while it serves (decisions 8.2). Until the folder is marked, the move may
 * be interrupted at any time, also by a crash: the next run compares the stores and continues.
 */
import { type Clock, instantText } from '#clock.ts'
import { Refusal } from '#refusal.ts'
import { checkCurrentControl, checkKey, inspectSource, movesOf, nothingToMove } from './check-move.ts'
import { claimTarget } from './claim-target.ts'
import { EvidenceCopy } from './copy-evidence.ts'
import { type LastPiece, takeLastPiece } from './last-piece.ts'
import { MoveJournal } from './move-journal.ts'
import type { MoveRun, MoveSource } from './move-source.ts'
import { hasMoved, type MoveState, readMoveState, writeMoveState } from './move-state.ts'
import { namesOf } from './named-targets.ts'
import { type MoveReport, totalOf } from './report.ts'
import { handOver, openTarget, openTargetAgain, type TargetSettings } from './target.ts'

/** After a round of catching up that is shorter than this, the last piece follows. */
const QUICK_MS = 5_000
const MAX_ROUNDS = 20
/** How often the last piece is tried while the service runs. */
const MAX_TRIES = 3

/** @throws Refusal: the targets are not suitable, or differ after the copy. The installation is unchanged then. */
export async function moveInstallation(
  source: MoveSource,
  settings: TargetSettings,
  run: MoveRun,
): Promise<MoveReport> {
  const known = readMoveState(source.folder)
  if (known?.phase === 'handing_over' || (known !== null && hasMoved(known, settings)))
    return finishHandOver(source.folder, source.clock, settings, known)
  const moves = movesOf(source, settings)
  checkKey(source, settings, moves)
  const started_at = source.clock.now()
  const { evidence_id, parts } = await inspectSource(source)
  const current = source.has_embedded_control ? null : source.control
  const target = await openTarget(settings, { ...moves, evidence_id, to_evidence: null, to_control: null }, current)
  try {
    if (!moves.moves_control) await checkCurrentControl(source, settings)
    await claimTarget(target, evidence_id, totalOf(parts, 'bytes'))
    const journal = new MoveJournal(source.folder, source.clock, run.onProgress, totalOf(parts, 'rows'), {
      evidence_id,
      ...moves,
      earlier_control: known?.phase === 'moved' ? known.to_control : (known?.earlier_control ?? null),
      to_evidence: target.evidence === null ? null : namesOf(settings.clickhouse?.urls ?? []),
      to_control: target.control === null ? null : namesOf([settings.database_url ?? '']),
      started_at: known === null || known.evidence_id !== evidence_id ? instantText(started_at) : known.started_at,
    })
    try {
      // A key may be created during the move.
      const check = () => checkKey(source, settings, moves)
      const report = await moveStores({
        source,
        target,
        evidence_id,
        journal,
        run,
        started_at,
        check,
        secret_key_check: settings.secret_key_check,
      })
      await handOver(target, journal.state)
      journal.enter('moved', report)
      return report
    } catch (error) {
      journal.fail(error)
      throw error
    } finally {
      journal.stop()
    }
  } finally {
    await target.close()
  }
}

/** Finishes a move that was interrupted after its mark; it does not need the old stores. */
export async function finishHandOver(
  folder: string,
  clock: Clock,
  settings: TargetSettings,
  state: MoveState,
): Promise<MoveReport> {
  if (state.report === null) throw nothingToMove()
  if (state.phase === 'moved') return state.report
  const target = await openTargetAgain(settings, state)
  try {
    await handOver(target, state)
  } finally {
    await target.close()
  }
  writeMoveState(folder, { ...state, phase: 'moved', failure: null, updated_at: instantText(clock.now()) })
  return state.report
}

async function moveStores(moving: Omit<LastPiece, 'copy' | 'copied_rows'>): Promise<MoveReport> {
  const { source, target, journal, run } = moving
  const [from, to] = [source.evidence, target.evidence]
  const copy = from === null || to === null ? null : await EvidenceCopy.begin(from, to, journal)
  let copied_rows = 0
  if (copy !== null) {
    journal.enter('copying')
    copied_rows += (await copy.all(run.signal)).copied_rows
    journal.enter('verifying')
    copied_rows += (await copy.all(run.signal)).copied_rows
  }
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    if (copy !== null) copied_rows += await catchUp(copy, moving)
    const report = await takeLastPiece({ ...moving, copy, copied_rows })
    if (report !== null) return report
  }
  throw new Refusal(
    'store_busy',
    'The last piece took longer than writes may be refused, three times in a row; the copy is kept. Repeat the command when the service receives less, or stop the service first: then the last piece may take as long as it needs.',
  )
}

/** Copies changes in rounds until a round is short. Returns the number of copied rows. */
async function catchUp(
  copy: EvidenceCopy,
  { source: { clock }, journal, run }: Pick<LastPiece, 'source' | 'journal' | 'run'>,
): Promise<number> {
  let copied_rows = 0
  journal.enter('catching_up')
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const began = clock.elapsed()
    copied_rows += (await copy.changed(run.signal)).copied_rows
    if (clock.elapsed() - began < QUICK_MS) break
  }
  return copied_rows
}
