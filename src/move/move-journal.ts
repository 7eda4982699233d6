/** Records the progress of a move, to show it to people, and for the start after a crash. */
import { type Clock, instantText } from '#clock.ts'
import type { CopyListener } from './copy-evidence.ts'
import { type MovePhase, type MoveProgress, type MoveState, writeMoveState } from './move-state.ts'
import type { MoveReport } from './report.ts'

type Begun = Omit<MoveState, 'phase' | 'progress' | 'failure' | 'report' | 'updated_at'>

/** The state is written at least this often; if it is much older, its process has ended. */
export const HEARTBEAT_MS = 2_000
/** The pace is shown after this time. */
const MIN_PACE_MS = 3_000

export class MoveJournal implements CopyListener {
  state: MoveState
  readonly #folder: string
  readonly #clock: Clock
  readonly #onProgress: (progress: MoveProgress) => void
  readonly #rows_total: number
  readonly #timer: NodeJS.Timeout
  #progress: MoveProgress
  #entered_at: number

  constructor(
    folder: string,
    clock: Clock,
    onProgress: (progress: MoveProgress) => void,
    rows_total: number,
    begun: Begun,
  ) {
    this.#folder = folder
    this.#clock = clock
    this.#onProgress = onProgress
    this.#rows_total = rows_total
    this.#entered_at = clock.elapsed()
    this.#progress = this.#nothing('copying')
    this.state = { ...begun, phase: 'copying', updated_at: '', progress: null, failure: null, report: null }
    this.#write()
    this.#timer = setInterval(() => this.#writeHeartbeat(), HEARTBEAT_MS)
    this.#timer.unref()
  }

  /** Begins a phase; durable once it returns. From the mark on a phase has a report. */
  enter(phase: MovePhase, report: MoveReport | null = null): void {
    this.#entered_at = this.#clock.elapsed()
    this.#progress = this.#nothing(phase)
    this.#write({ phase, report })
    this.#onProgress(this.#progress)
  }

  onTable(table: string): void {
    this.#report({ table })
  }

  onCompared(rows: number, pieces: number): void {
    this.#report({ rows: this.#progress.rows + rows, pieces: this.#progress.pieces + pieces })
  }

  fail(error: unknown): void {
    this.#write({ failure: error instanceof Error ? error.message : String(error) })
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #nothing(phase: MovePhase): MoveProgress {
    const rows_total = phase === 'copying' || phase === 'verifying' ? this.#rows_total : 0
    return { phase, table: null, rows: 0, rows_total, pieces: 0, rows_per_second: 0, seconds_left: null }
  }

  #report(more: Partial<MoveProgress>): void {
    const progress = { ...this.#progress, ...more }
    const took_ms = this.#clock.elapsed() - this.#entered_at
    const rows_per_second = took_ms === 0 ? 0 : Math.round((progress.rows * 1_000) / took_ms)
    const left = Math.max(0, progress.rows_total - progress.rows)
    const is_known = took_ms >= MIN_PACE_MS && rows_per_second > 0 && progress.rows_total > 0
    const seconds_left = is_known ? Math.ceil(left / rows_per_second) : null
    this.#progress = { ...progress, rows_per_second, seconds_left }
    this.#onProgress(this.#progress)
  }

  /** A full disk must not end the process; the next phase fails. */
  #writeHeartbeat(): void {
    try {
      this.#write()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
  }

  /** `state` changes only after it is written: a mark that failed must not be written by a later heartbeat. */
  #write(change: Partial<MoveState> = {}): void {
    const updated_at = instantText(this.#clock.now())
    const state = { ...this.state, ...change, updated_at, progress: this.#progress }
    writeMoveState(this.#folder, state)
    this.state = state
  }
}
