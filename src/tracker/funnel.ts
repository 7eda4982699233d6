import type { SingleFunnel, SingleFunnelInput } from '#contract/site-api/funnels.ts'
import { Refusal } from '#refusal.ts'
import type { TrackerContext } from './context.ts'
import { envelope } from './coverage/envelope.ts'
import type { Including } from './development/include.ts'
import { countEffective } from './funnels/count-funnels.ts'
import { configurationOf, currentOf, funnelsOf } from './funnels/current-revisions.ts'
import { judgeFunnel } from './funnels/judge-funnel.ts'
import { openFunnels } from './funnels/open-funnels.ts'

/**
 * One funnel with its steps: the revision that was asked for, else the current active one, else the latest archived one
 * (spec 2.6, 3).
 * @throws Refusal not_found for a slug or a revision that the site does not have.
 */
export async function readFunnel(
  ctx: TrackerContext,
  { window, funnel: slug, revision: number, include }: Omit<SingleFunnelInput, 'include'> & Including,
): Promise<SingleFunnel> {
  const reading = await openFunnels(ctx, 'funnel', { window, include })
  const funnels = funnelsOf(reading.also.revisions)
  const own = funnels.find(([first]) => first?.slug === slug)
  if (own === undefined)
    throw new Refusal('not_found', `The site has no funnel ${slug}: the list of its funnels has every slug.`)
  const current = currentOf(own)
  const revision = number === undefined ? current.revision : own.find((each) => each.revision === number)
  if (revision === undefined)
    throw new Refusal('not_found', `The funnel has no revision ${number}: its newest is ${current.revision.revision}.`)
  const counts = await countEffective(ctx, reading, [revision])
  const meta = envelope(reading, {
    contract_version: 'analytics-funnel/v1',
    evaluator_version: 'funnel-evaluator/v1',
    preset: window,
  })
  const is_current = current.is_current && revision === current.revision
  const { completeness } = meta
  return {
    meta: { ...meta, configuration: configurationOf(funnels) },
    funnel: judgeFunnel(reading, revision, counts.get(revision.id), { is_current, completeness }),
  }
}
