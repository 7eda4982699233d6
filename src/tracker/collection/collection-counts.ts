/** Counts events by site, day, outcome and reason, in memory, so that a request needs no write (rules 6). */
import { Mutex } from '#concurrency/mutex.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { CollectionCountRow } from '#control/tables.ts'
import type { CollectorContext } from './context.ts'
import type { Stream } from './event-row.ts'
import type { RecentHour } from './recent-hour.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'

/**
 * The reason under which accepted events of customers' servers are counted: they do not prove the snippet (rules 6.6).
 */
export const FROM_SERVERS = 'server'

type Outcome = CollectionCountRow['outcome']

/** Events of a site with the same outcome. */
export interface CountedEvents {
  site: Pick<TrackerSite, 'site_id' | 'is_development'>
  day: string
  outcome: Outcome
  reason: string
  events: number
  at: number
}

/** Development events are not visits, so they are counted in a table of their own. */
export type CountTable = 'collection_counts' | 'development_counts'

export interface CollectionCounts {
  add(counted: CountedEvents): void
  /** Resolves once all added counts are written. If the write fails, the next flush writes them. */
  flush(): Promise<void>
}

/** The table that counts events of a stream. */
export const tableOf = (stream: Stream): CountTable =>
  stream === 'development' ? 'development_counts' : 'collection_counts'

/** Outcome and reason of stored events. */
export const countedAs = (stream: Stream): { outcome: Outcome; reason: string } => ({
  outcome: stream === 'bot' ? 'bot' : 'accepted',
  reason: stream === 'server' ? FROM_SERVERS : '',
})

/** Outcome and reason of events with the id of an earlier event. */
export const repeatedAs = (stream: Stream): { outcome: Outcome; reason: string } => ({
  outcome: 'repeated',
  reason: stream === 'browser' || stream === 'development' ? '' : stream,
})

/** `soon` is called for the first event of a site, day, outcome and reason, because readers judge the day by it. */
export function openCounts(
  { control, onCounted = () => {} }: Pick<CollectorContext, 'control' | 'onCounted'>,
  recent: RecentHour,
  soon: () => void,
): CollectionCounts {
  let collected = new Map<string, { table: CountTable; row: CollectionCountRow }>()
  let warned = new Set<string>()
  let warned_day = ''
  const writes = new Mutex()
  const add = (table: CountTable, row: CollectionCountRow) => {
    const key = `${table} ${row.site_id} ${row.day} ${row.outcome} ${row.reason}`
    const known = collected.get(key)?.row
    if (known === undefined) collected.set(key, { table, row: { ...row } })
    else {
      known.events += row.events
      known.last_at = Math.max(known.last_at, row.last_at)
    }
    return key
  }
  const write = async () => {
    if (collected.size === 0) return
    const writing = collected
    collected = new Map()
    try {
      await control.transaction(async (tx) => {
        for (const { table, row } of writing.values()) await addCount(tx, table, row)
      })
    } catch (error) {
      for (const { table, row } of writing.values()) add(table, row)
      throw error
    }
  }
  return {
    add({ at, site: { site_id, is_development }, ...counted }) {
      if (!is_development) {
        recent.count({ site_id, ...counted })
        onCounted(counted)
      }
      const table = is_development ? 'development_counts' : 'collection_counts'
      const key = add(table, { site_id, ...counted, last_at: at })
      if (warned_day !== counted.day) warned = new Set()
      warned_day = counted.day
      if (warned.has(key)) return
      warned.add(key)
      soon()
    },
    flush: () => writes.run(write),
  }
}

/** Adds to a count; does nothing for a site that was removed meanwhile. */
export async function addCount(tx: ControlTransaction, table: CountTable, row: CollectionCountRow): Promise<void> {
  const site = await tx.selectFrom('sites').select('id').where('id', '=', row.site_id).executeTakeFirst()
  if (site === undefined) return
  await tx
    .insertInto(table)
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'day', 'outcome', 'reason']).doUpdateSet((eb) => ({
        events: eb(`${table}.events`, '+', row.events),
        last_at: eb
          .case()
          .when(`${table}.last_at`, '<', row.last_at)
          .then(row.last_at)
          .else(eb.ref(`${table}.last_at`))
          .end(),
      })),
    )
    .execute()
}
