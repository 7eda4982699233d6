/** Finds duplicates: records whose ids are stored, or occur earlier in the group. They are not stored (rules 4). */
import type { EvidenceStore } from '#evidence/store.ts'
import type { FactBundle } from '../facts/store-facts.ts'
import { type ReadyBatch, rowsOf, withoutEvents } from './ready-batch.ts'
import { EVENTS_AT_ONCE, findStored } from './stored-events.ts'

/** The rows to store of each batch; corrects the counts of its answer. */
export async function dropDuplicates(evidence: EvidenceStore, batches: readonly ReadyBatch[]): Promise<FactBundle[]> {
  const seen = new Set<string>()
  const bundles: FactBundle[] = []
  for (const ready of batches) {
    const { answer } = ready
    const { repeated, drop } = await findDuplicates(evidence, ready, seen)
    answer.duplicates = repeated
    answer.accepted = rowsOf(ready) - repeated
    bundles.push(repeated === 0 ? ready : withoutEvents(ready, drop))
  }
  return bundles
}

/**
 * The number of duplicate rows of a batch, and the stored events. Adds the other events, whose first row is stored, to
 * `seen`. Reads as many events at a time as one statement takes, because a longer list would block the event loop.
 */
async function findDuplicates(
  evidence: EvidenceStore,
  { site_id, days, months }: ReadyBatch,
  seen: Set<string>,
): Promise<{ repeated: number; drop: Set<string> }> {
  const events = [...months.values()].flatMap((rows) => rows.events)
  const own = new Set<string>()
  const drop = new Set<string>()
  for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
    const fresh = [...new Set(events.slice(at, at + EVENTS_AT_ONCE))].filter((event) => !own.has(event))
    const stored = await findStored(evidence, { site_id, days, events: fresh })
    for (const event of fresh) {
      own.add(event)
      if (stored.has(event) || seen.has(event)) drop.add(event)
      else seen.add(event)
    }
  }
  return { repeated: events.length - (own.size - drop.size), drop }
}
