/** Records the time in which the collector was up and accepted events were durable (rules 6, `data_through`). */
import { randomUUID } from 'node:crypto'
import type { CollectorContext } from './context.ts'

export interface CollectorRun {
  /**
   * Records that the collector is up now. After a silence or an outage a new run begins; the time between is unknown.
   */
  mark(): Promise<void>
  /** Records that events could not be made durable. Returns true on the first call since the last mark. */
  noteOutage(): boolean
}

/** A longer time without a mark is an outage (rules 6). */
const MAX_SILENCE_MS = 90_000
/** A mark whose write timed out may still be stored after the next one; such a mark is never this old. */
const MIN_SET_BACK_MS = 60_000

interface RunOptions {
  /** The longest time without a mark that is not an outage. */
  max_silence_ms?: number | undefined
  /** Called if the last mark is missing or older: the control store was restored to an earlier state. */
  onRestored?: (() => void) | undefined
}

/** Begins a run. `isUp` is called at each mark: whether events can be made durable. */
export async function openRun(
  { clock, control }: Pick<CollectorContext, 'clock' | 'control'>,
  isUp: () => Promise<boolean>,
  { max_silence_ms = MAX_SILENCE_MS, onRestored = () => {} }: RunOptions = {},
): Promise<CollectorRun> {
  let id = ''
  let through_at = 0
  let has_failed = false
  const begin = async () => {
    const now = clock.now()
    const fresh = randomUUID()
    await control.db.insertInto('collector_runs').values({ id: fresh, from_at: now, through_at: now }).execute()
    id = fresh
    through_at = now
    has_failed = false
  }
  const isKept = async () => {
    const row = await control.db
      .selectFrom('collector_runs')
      .select('through_at')
      .where('id', '=', id)
      .executeTakeFirst()
    return row !== undefined && row.through_at >= through_at - MIN_SET_BACK_MS
  }
  await begin()
  return {
    noteOutage() {
      const is_first = !has_failed
      has_failed = true
      return is_first
    },
    async mark() {
      if (!(await isUp())) {
        has_failed = true
        return
      }
      const is_kept = await isKept()
      if (!is_kept) onRestored()
      const now = clock.now()
      if (!is_kept || has_failed || now - through_at > max_silence_ms || now < through_at) {
        await begin()
        return
      }
      await control.db.updateTable('collector_runs').set({ through_at: now }).where('id', '=', id).execute()
      through_at = now
    },
  }
}
