/** Records with ids that are stored already, or that came before in the same group, are duplicates and are not stored again (rules 4). */
import type { EvidenceStore } from '#evidence/store.ts'
import type { FactBundle } from '../facts/store-facts.ts'
import { type ReadyBatch, withoutEvents } from './ready-batch.ts'
import { findStored } from './stored-events.ts'

/** The rows to store of each batch, and its answer's counts set right. */
export async function dropDuplicates(evidence: EvidenceStore, batches: readonly ReadyBatch[]): Promise<FactBundle[]> {
  const seen = new Set<string>()
  const bundles: FactBundle[] = []
  for (const ready of batches) {
    const { answer } = ready.batch
    const kept = [...ready.months.values()].reduce((sum, rows) => sum + rows.count, 0)
    if (!ready.batch.has_ids) {
      answer.accepted = kept
      answer.duplicates = 0
      bundles.push(wholeOf(ready))
      continue
    }
    const { repeated, drop } = await sortOut(evidence, ready, seen)
    answer.duplicates = repeated
    answer.accepted = kept - repeated
    bundles.push(repeated === 0 ? wholeOf(ready) : withoutEvents(ready, drop))
  }
  return bundles
}

function wholeOf({ batch, months }: ReadyBatch): FactBundle {
  return { agents: batch.agents, pages: batch.pages, months }
}

/** How many rows are not stored with this batch, and the events none of whose rows is; of the others the first row is. */
async function sortOut(
  evidence: EvidenceStore,
  ready: ReadyBatch,
  seen: Set<string>,
): Promise<{ repeated: number; drop: Set<string> }> {
  const events = [...ready.batch.rows.values()].flatMap((rows) => [...rows.events.values()])
  const own = new Set(events)
  const of = { site_id: ready.batch.origin.site_id, days: ready.days, events: [...own] }
  const drop = await findStored(evidence, of)
  for (const event of own) if (seen.has(event)) drop.add(event)
  const fresh = [...own].filter((event) => !drop.has(event))
  for (const event of fresh) seen.add(event)
  return { repeated: events.length - fresh.length, drop }
}
