/**
 * Refused events that visitors of the site's own pages sent are missing from every answer that would have counted them
 * (rules 6). They are counted by day, kind and name, with up to three distinct visitors.
 */
import { Mutex } from '#concurrency/mutex.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { RefusedEvidenceRow } from '#control/tables.ts'
import type { CollectorContext } from './context.ts'
import type { RefusedSubject } from './refused-event-name.ts'

/** Events of this many visitors were not refused because of a single visitor. */
export const ENOUGH_VISITORS = 3

export interface RefusedEvidence {
  note(refused: RefusedSubject & { site_id: string; day: string; visitor: string; events: number; at: number }): void
  /** Resolves once everything is written. If the write fails, the next flush repeats it. */
  flush(): Promise<void>
}

interface Noted extends Omit<RefusedEvidenceRow, 'visitors' | 'visitor_hashes'> {
  /** At most ENOUGH_VISITORS. */
  visitors: Set<string>
  is_written: boolean
}

/** `soon` is called for each new subject or visitor, because readers must know at once. Keeps one day in memory. */
export function openRefusedEvidence({ control }: Pick<CollectorContext, 'control'>, soon: () => void): RefusedEvidence {
  const noted = new Map<string, Noted>()
  const writes = new Mutex()
  const forgetBefore = (day: string) => {
    for (const [key, entry] of noted) if (entry.day < day && entry.is_written) noted.delete(key)
  }
  const write = async () => {
    const writing = [...noted.values()].filter(({ is_written }) => !is_written)
    if (writing.length === 0) return
    const events = writing.map((entry) => entry.events)
    for (const entry of writing) {
      entry.is_written = true
      entry.events = 0
    }
    try {
      await control.transaction(async (tx) => {
        for (const [place, entry] of writing.entries()) await addRefused(tx, entry, events[place] as number)
      })
    } catch (error) {
      for (const [place, entry] of writing.entries()) {
        entry.is_written = false
        entry.events += events[place] as number
      }
      throw error
    }
  }
  return {
    note({ site_id, day, kind, name, visitor, events, at }) {
      const key = `${site_id} ${day} ${kind} ${name}`
      let entry = noted.get(key)
      if (entry === undefined) {
        forgetBefore(day)
        entry = { site_id, day, kind, name, events: 0, first_at: at, visitors: new Set(), is_written: false }
        noted.set(key, entry)
      }
      entry.events += events
      entry.is_written = false
      if (entry.visitors.size >= ENOUGH_VISITORS || entry.visitors.has(visitor)) return
      entry.visitors.add(visitor)
      soon()
    },
    flush: () => writes.run(write),
  }
}

/** Adds to the stored record of the day. Does nothing for a removed site. */
async function addRefused(
  tx: ControlTransaction,
  { site_id, day, kind, name, visitors, first_at }: Noted,
  events: number,
): Promise<void> {
  const site = await tx.selectFrom('sites').select('id').where('id', '=', site_id).executeTakeFirst()
  if (site === undefined) return
  const stored = await tx
    .selectFrom('refused_evidence')
    .selectAll()
    .where((is) => is.and({ site_id, day, kind, name }))
    .executeTakeFirst()
  const hashes = new Set(visitors)
  for (const known of stored?.visitor_hashes.split(' ') ?? []) if (known !== '') hashes.add(known)
  const distinct = Math.min(hashes.size, ENOUGH_VISITORS)
  const seen = stored === undefined ? distinct : Math.max(stored.visitors, distinct)
  const visitor_hashes = seen < ENOUGH_VISITORS ? [...hashes].join(' ') : ''
  await tx
    .insertInto('refused_evidence')
    .values({ site_id, day, kind, name, events, visitors: seen, visitor_hashes, first_at })
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'day', 'kind', 'name']).doUpdateSet((eb) => ({
        events: eb('refused_evidence.events', '+', events),
        visitors: seen,
        visitor_hashes,
      })),
    )
    .execute()
}
