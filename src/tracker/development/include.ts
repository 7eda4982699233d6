/** Counts events of development origins like those of visitors, in answers that request it (rules 6.14). */
import type { Included } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { CollectionCountRow } from '#control/tables.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { Collected } from '../coverage/collected.ts'

/** The events that an answer counts in addition to those of visitors. */
export interface Including {
  include?: readonly Included[] | undefined
}

/** The limitation of an answer that counts development events. */
export const DEVELOPMENT_INCLUDED = 'development_included'

interface Development {
  /** The counts on the days of the range. */
  counts: CollectionCountRow[]
  /** UTC day of the first accepted event; null before the first one. */
  first_day: string | null
}

/** The collection, with development events if requested. Call it in the snapshot in which coverage is read. */
export async function including(
  tx: ControlTransaction,
  collected: Collected,
  { site_id, range, include }: Including & { site_id: string; range: DayRange },
): Promise<Collected> {
  if (!includesDevelopment(include)) return collected
  return withDevelopment(collected, await readDevelopment(tx, site_id, range))
}

export const includesDevelopment = (include: Including['include']): boolean => include?.includes('development') === true

/** The counts of events from development origins. */
async function readDevelopment(tx: ControlTransaction, site_id: string, range: DayRange): Promise<Development> {
  const of_site = tx.selectFrom('development_counts').where('site_id', '=', site_id)
  const first = await of_site.select('day').where('outcome', '=', 'accepted').orderBy('day').limit(1).executeTakeFirst()
  return {
    counts: await of_site.selectAll().where('day', '>=', range.from).where('day', '<=', range.to).execute(),
    first_day: first?.day ?? null,
  }
}

/** Adds development events. Days with such events are read from facts, because builds have events of visitors only. */
function withDevelopment(collected: Collected, { counts, first_day }: Development): Collected {
  const { tracker, browsers_from } = collected
  if (tracker === null || first_day === null) return collected
  // Not before the tracker was enabled, because that time would count as an interruption.
  const first_at = Math.max(dayStart(first_day), tracker.enabled_at)
  const first_event_at = Math.min(tracker.first_event_at ?? Number.POSITIVE_INFINITY, first_at)
  const days = counts.filter(({ outcome }) => outcome === 'accepted').map(({ day }) => day)
  return {
    ...collected,
    tracker: { ...tracker, first_event_at },
    counts: [...collected.counts, ...counts],
    browsers_from: browsers_from !== null && browsers_from < first_day ? browsers_from : first_day,
    dirty_days: [...new Set([...collected.dirty_days, ...days])].sort(),
  }
}
