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

/** Begins a run. `isUp` says at each mark whether events are durable; `max_silence_ms` bounds missing marks. */
export async function openRun(
  { clock, control }: Pick<CollectorContext, 'clock' | 'control'>,
  isUp: () => Promise<boolean>,
  max_silence_ms = MAX_SILENCE_MS,
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
      const now = clock.now()
      if (has_failed || now - through_at > max_silence_ms || now < through_at) {
        await begin()
        return
      }
      await control.db.updateTable('collector_runs').set({ through_at: now }).where('id', '=', id).execute()
      through_at = now
    },
  }
}
