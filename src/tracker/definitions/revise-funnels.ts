/** Creates new revisions of funnels. The slug never changes (rules 6). */
import { randomUUID } from 'node:crypto'
import type { ControlTransaction } from '#control/store.ts'
import type { ConversionRevision, FunnelRevision, Step } from './definitions.ts'
import { nextEffectiveInstant } from './effective-from.ts'
import { findLatestFunnels } from './latest-revisions.ts'
import { conversionStep } from './steps.ts'

/** Revises the active funnels that use a conversion, so that they use its new revision. Returns their new revisions. */
export async function reviseFunnelsOf(
  trx: ControlTransaction,
  conversion: ConversionRevision,
  now: number,
): Promise<FunnelRevision[]> {
  const revised: FunnelRevision[] = []
  const step = conversionStep(conversion)
  const isOld = (other: Step) => other.kind === 'conversion' && other.conversion_id === conversion.conversion_id
  for (const funnel of await findLatestFunnels(trx, conversion.site_id)) {
    if (funnel.archived_at !== null || !funnel.steps.some(isOld)) continue
    const steps = funnel.steps.map((other) => (isOld(other) ? step : other))
    revised.push(await reviseFunnel(trx, funnel, { name: funnel.name, steps }, now))
  }
  return revised
}

/** Ends the revision in force and begins the next one at the same instant. */
export async function reviseFunnel(
  trx: ControlTransaction,
  old: FunnelRevision,
  { name, steps }: { name: string; steps: Step[] },
  now: number,
): Promise<FunnelRevision> {
  const effective_from = nextEffectiveInstant(now, old)
  await endFunnelRevision(trx, old, effective_from)
  return insertFunnelRevision(trx, { ...old, revision: old.revision + 1, name, steps, effective_from, created_at: now })
}

export async function endFunnelRevision(
  trx: ControlTransaction,
  { id }: FunnelRevision,
  effective_to: number,
): Promise<void> {
  await trx.updateTable('funnel_revisions').set({ effective_to }).where('id', '=', id).execute()
}

/** Stores a revision, which is in force, under a new id. */
export async function insertFunnelRevision(
  trx: ControlTransaction,
  given: Omit<FunnelRevision, 'id' | 'effective_to' | 'archived_at'>,
): Promise<FunnelRevision> {
  const { funnel_id, site_id, revision, name, steps, effective_from, created_at } = given
  const id = randomUUID()
  await trx
    .insertInto('funnel_revisions')
    .values({
      id,
      funnel_id,
      site_id,
      revision,
      name,
      effective_from,
      created_at,
      effective_to: null,
      steps: JSON.stringify(steps),
    })
    .execute()
  return { ...given, id, effective_to: null, archived_at: null }
}
