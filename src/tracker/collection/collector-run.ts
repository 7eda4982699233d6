/** Until when the collector is known to have been up, with accepted events durable (rules 6, `data_through`). */
import { randomUUID } from 'node:crypto'
import type { CollectorContext } from './context.ts'

export interface CollectorRun {
  /** Says that it is up now. After a silence or an outage a new run begins, so that what lies between stays unknown. */
  mark(): Promise<void>
  /** Events could not be made durable; true for the first time since the last mark. */
  noteOutage(): boolean
}

/** A mark that is missing for longer than this is an outage (rules 6). */
const MAX_SILENCE_MS = 90_000
/** A mark that was given up may still be stored after the next one, and is not that old. */
const MIN_SET_BACK_MS = 60_000

interface RunOptions {
  /** How long marks may be missing. */
  max_silence_ms?: number | undefined
  /** The last mark is gone, or an older one is in its place: the control store was restored to an earlier state. */
  onRestored?: (() => void) | undefined
}

/** Begins a run. `isUp` says at each mark whether events are durable. */
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
