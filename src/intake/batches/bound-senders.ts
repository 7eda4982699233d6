/** Bounds the senders of a source: each is an observer that every answer about the site judges (rules 3). */

import type { ControlTransaction } from '#control/store.ts'
import { EXPECTED_MS } from '#crawlers/coverage/expected-observers.ts'
import { addWarning } from './add-warning.ts'
import type { ReadyBatch } from './ready-batch.ts'

/** The most senders of a source that are in use at once; more names than that are probably made up for each batch. */
const MAX_SENDERS = 1_000

const messageFor = (sender: string) =>
  `over 1,000 senders delivered within 7 days, so the batch counts as its token's and not as ${sender}'s: give each server one name that stays`

/** The batches of a source, in their order. Those of further senders count as their token's, with a warning. */
export async function boundSenders(
  tx: ControlTransaction,
  source_id: string,
  batches: readonly ReadyBatch[],
  now: number,
): Promise<ReadyBatch[]> {
  const further = await furtherSenders(tx, source_id, batches, now)
  return batches.map((ready) => {
    if (!further.has(ready.sender)) return ready
    addWarning(ready.answer, 'many_senders', messageFor(ready.sender))
    return { ...ready, sender: ready.token_id }
  })
}

/** Names that are new to the source and exceed `MAX_SENDERS`. */
async function furtherSenders(
  tx: ControlTransaction,
  source_id: string,
  batches: readonly ReadyBatch[],
  now: number,
): Promise<ReadonlySet<string>> {
  const named = new Set(batches.filter(({ sender, token_id }) => sender !== token_id).map(({ sender }) => sender))
  if (named.size === 0) return named
  const known = await tx
    .selectFrom('senders')
    .select('name')
    .where('source_id', '=', source_id)
    .where('name', 'in', [...named])
    .execute()
  const fresh = named.difference(new Set(known.map(({ name }) => name)))
  if (fresh.size === 0) return fresh
  const { in_use } = await tx
    .selectFrom('senders')
    .select(({ fn }) => fn.countAll<number>().as('in_use'))
    .where('source_id', '=', source_id)
    .where('retired_at', 'is', null)
    .where('last_received_at', '>', now - EXPECTED_MS)
    .executeTakeFirstOrThrow()
  return new Set([...fresh].slice(Math.max(0, MAX_SENDERS - Number(in_use))))
}
