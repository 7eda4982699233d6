/** What became of events, by site, day and reason: collected in memory, so that a request writes nothing (rules 6). */
import type { ControlTransaction } from '#control/store.ts'
import type { CollectionCountRow } from '#control/tables.ts'
import type { CollectorContext } from './context.ts'
import type { RecentHour } from './recent-hour.ts'
import type { Stream } from './row.ts'

/** The reason for counting accepted events of customers' servers: they prove nothing of the snippet (rules 6.6). */
export const FROM_SERVERS = 'server'

type Outcome = CollectionCountRow['outcome']

export interface CollectionCounts {
  add(counted: { site_id: string; day: string; outcome: Outcome; reason: string; events: number; at: number }): void
  /** Resolves once all that was added is written; what could not be written is kept for the next time. */
  flush(): Promise<void>
}

/** What events that were stored are counted as. */
export const countedAs = (stream: Stream): { outcome: Outcome; reason: string } => ({
  outcome: stream === 'bot' ? 'bot' : 'accepted',
  reason: stream === 'server' ? FROM_SERVERS : '',
})

/** What events that repeat an earlier id are counted as. */
export const repeatedAs = (stream: Stream): { outcome: Outcome; reason: string } => ({
  outcome: 'repeated',
  reason: stream === 'browser' ? '' : stream,
})

/** `soon` is called for the first event of a site, day, outcome and reason, because readers judge the day by it. */
export function openCounts(
  { control, onCounted = () => {} }: Pick<CollectorContext, 'control' | 'onCounted'>,
  recent: RecentHour,
  soon: () => void,
): CollectionCounts {
  let collected = new Map<string, CollectionCountRow>()
  let warned = new Set<string>()
  let warned_day = ''
  let flushing: Promise<void> = Promise.resolve()
  const add = (row: CollectionCountRow) => {
    const key = `${row.site_id} ${row.day} ${row.outcome} ${row.reason}`
    const known = collected.get(key)
    if (known === undefined) collected.set(key, { ...row })
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
        for (const row of writing.values()) await addCount(tx, row)
      })
    } catch (error) {
      for (const row of writing.values()) add(row)
      throw error
    }
  }
  return {
    add({ at, ...counted }) {
      recent.count(counted)
      onCounted(counted)
      const key = add({ ...counted, last_at: at })
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
export async function addCount(tx: ControlTransaction, row: CollectionCountRow): Promise<void> {
  const site = await tx.selectFrom('sites').select('id').where('id', '=', row.site_id).executeTakeFirst()
  if (site === undefined) return
  await tx
    .insertInto('collection_counts')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'day', 'outcome', 'reason']).doUpdateSet((eb) => ({
        events: eb('collection_counts.events', '+', row.events),
        last_at: eb
          .case()
          .when('collection_counts.last_at', '<', row.last_at)
          .then(row.last_at)
          .else(eb.ref('collection_counts.last_at'))
          .end(),
      })),
    )
    .execute()
}
