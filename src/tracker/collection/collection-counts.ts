/** What became of events, by site, day and reason: collected in memory, so that a request writes nothing (rules 6). */
import type { ControlTransaction } from '#control/store.ts'
import type { CollectionCountRow } from '#control/tables.ts'
import type { CollectorContext } from './context.ts'
import type { Stream } from './event-row.ts'
import type { RecentHour } from './recent-hour.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'

/** The reason for counting accepted events of customers' servers: they prove nothing of the snippet (rules 6.6). */
export const FROM_SERVERS = 'server'

type Outcome = CollectionCountRow['outcome']

/** What became of events of a site. */
export interface CountedEvents {
  site: Pick<TrackerSite, 'site_id' | 'is_development'>
  day: string
  outcome: Outcome
  reason: string
  events: number
  at: number
}

/** Where it is counted: development is not a visit, and nothing else of the site may count it. */
export type CountTable = 'collection_counts' | 'development_counts'

export interface CollectionCounts {
  add(counted: CountedEvents): void
  /** Resolves once all that was added is written; what could not be written is kept for the next time. */
  flush(): Promise<void>
}

/** The table that counts events of a stream. */
export const tableOf = (stream: Stream): CountTable =>
  stream === 'development' ? 'development_counts' : 'collection_counts'

/** What events that were stored are counted as. */
export const countedAs = (stream: Stream): { outcome: Outcome; reason: string } => ({
  outcome: stream === 'bot' ? 'bot' : 'accepted',
  reason: stream === 'server' ? FROM_SERVERS : '',
})

/** What events that repeat an earlier id are counted as. */
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
  let flushing: Promise<void> = Promise.resolve()
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
    flush() {
      const done = flushing.then(write)
      flushing = done.catch(() => {})
      return done
    },
  }
}

/** Adds to a count. Of a site that was removed meanwhile nothing is counted. */
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
