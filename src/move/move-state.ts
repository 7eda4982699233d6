/**
 * The state of a move, stored in the data folder: its progress, and where the stores are once they are handed over.
 * Stores that have moved are refused from then on (decisions 8.2).
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Config } from '#config.ts'
import { syncFolderNow } from '#machine/sync-folder.ts'
import { Refusal } from '#refusal.ts'
import type { MoveReport } from './report.ts'

export const PHASES = ['copying', 'verifying', 'catching_up', 'read_only', 'handing_over', 'moved'] as const
export type MovePhase = (typeof PHASES)[number]

export interface MoveProgress {
  phase: MovePhase
  /** The table that is being compared; null between two tables. */
  table: string | null
  /** Rows and pieces (usually days of sites) that were compared in this phase. */
  rows: number
  /** All rows of the source, by its parts. */
  rows_total: number
  pieces: number
  rows_per_second: number
  /** Null while it is too early to say. */
  seconds_left: number | null
}

const textOrNull = Type.Union([Type.String(), Type.Null()])
/** The part that decides which stores count. */
const Decisive = Type.Object({
  evidence_id: Type.String(),
  /** Which stores are moved. */
  moves_evidence: Type.Boolean(),
  moves_control: Type.Boolean(),
  /** The target of the control store in an earlier move; null: there was none. */
  earlier_control: textOrNull,
  /** Targets without users and passwords; null: this store is not moved. */
  to_evidence: textOrNull,
  to_control: textOrNull,
  started_at: Type.String(),
  /** Updated every few seconds while a process runs the move. */
  updated_at: Type.String(),
  phase: Type.Enum([...PHASES]),
})

export interface MoveState extends Static<typeof Decisive> {
  progress: MoveProgress | null
  /** Why the move failed; null while it runs, and after a crash. */
  failure: string | null
  /** Null until everything is moved. */
  report: MoveReport | null
}

const FILE = 'move.json'

/**
 * The state; null: no move of this folder was begun.
 * @throws Refusal not_readable: the file cannot be read, or holds something else.
 */
export function readMoveState(folder: string): MoveState | null {
  const file = join(folder, FILE)
  try {
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!Value.Check(Decisive, state)) throw new Error('it has another form')
    return state as MoveState
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTDIR'].includes(String(code))) return null
    throw new Refusal(
      'not_readable',
      `${file} cannot be read (${message}), so it is not known whether the stores of this folder have moved. ` +
        'If they have, restore the file from a copy; if no move has reached its end, delete it.',
    )
  }
}

/** Durable once it returns. */
export function writeMoveState(folder: string, state: MoveState): void {
  const file = join(folder, FILE)
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  syncFolderNow(folder)
}

/** Deletes the state of an abandoned move; the mark of an earlier move stays. */
export function deleteMoveState(folder: string, state: MoveState): void {
  if (state.earlier_control === null) {
    rmSync(join(folder, FILE), { force: true })
    return
  }
  const { earlier_control: to_control, ...rest } = state
  const moved = { moves_control: true, moves_evidence: false, to_evidence: null, earlier_control: null } as const
  writeMoveState(folder, { ...rest, ...moved, to_control, phase: 'moved', progress: null, failure: null })
}

/** Whether the recorded move has already moved the stores to where these settings say. */
export const hasMoved = (state: MoveState, { clickhouse }: Pick<Config, 'clickhouse'>): boolean =>
  state.phase === 'moved' && (state.moves_evidence || clickhouse === null)

/** Whether the mark is set: from then on the old stores no longer count. */
export const isHandedOver = ({ phase }: Pick<MoveState, 'phase'>): boolean =>
  phase === 'handing_over' || phase === 'moved'

/** The configured stores have moved. */
export class MovedRefusal extends Refusal {}

/** The refusal for a folder whose stores have moved; null: they have not, or the move has not ended. */
export function movedRefusal(
  folder: string,
  settings: Pick<Config, 'database_url' | 'clickhouse'>,
): MovedRefusal | null {
  if (readMoveState(folder)?.phase !== 'moved') return null
  try {
    refuseMoved(folder, settings)
    return null
  } catch (error) {
    if (error instanceof MovedRefusal) return error
    throw error
  }
}

/**
 * Call it before a store of the folder is opened.
 * @throws MovedRefusal conflict: the configured stores have moved to servers, or are being handed over.
 */
export function refuseMoved(
  folder: string,
  { database_url, clickhouse }: Pick<Config, 'database_url' | 'clickhouse'>,
): void {
  const state = readMoveState(folder)
  if (state === null) return
  const is_over = isHandedOver(state)
  const to_evidence = is_over ? state.to_evidence : null
  const to_control = (is_over ? state.to_control : null) ?? state.earlier_control
  const where = [to_evidence, to_control].filter((to) => to !== null).join(' and ')
  if (state.phase === 'handing_over') {
    throw new MovedRefusal(
      'conflict',
      `The installation of the data folder ${folder} is being handed over to ${where}, and that was broken off. ` +
        'Finish it with {next}, with the same settings as before.',
      { next: { step: 'migrate_to' } },
    )
  }
  const missing = [
    ...(to_evidence !== null && clickhouse === null ? ['SPOOR_CLICKHOUSE_URL'] : []),
    ...(to_control !== null && database_url === null ? ['SPOOR_DATABASE_URL'] : []),
  ]
  if (missing.length === 0) return
  throw new MovedRefusal(
    'conflict',
    `The stores of the data folder ${folder} have moved to ${where} (${state.updated_at}), and what is left in it is out of date. ` +
      `Set ${missing.join(' and ')} to start with the moved ones; to begin anew, choose another folder with --data.`,
  )
}
