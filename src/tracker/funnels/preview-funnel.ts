import { randomUUID } from 'node:crypto'
import type { FunnelPreview, FunnelPreviewInput } from '#contract/dashboard-api/index.ts'
import { checkName } from '#names.ts'
import type { TrackerContext } from '../context.ts'
import { envelope } from '../coverage/envelope.ts'
import { readFunnelInput } from '../definitions/definition-input.ts'
import type { FunnelRevision } from '../definitions/definitions.ts'
import { firstEffectiveInstant } from '../definitions/effective-from.ts'
import { funnelSlug } from '../definitions/slug.ts'
import { resolveSteps } from '../definitions/steps.ts'
import { countEffective } from './count-funnels.ts'
import { configurationOf, funnelsOf } from './current-revisions.ts'
import { judgeFunnel } from './judge-funnel.ts'
import { openFunnels } from './open-funnels.ts'

/**
 * The answer of a funnel as if it had been created now with this definition: counted from sessions, because no counts
 * are stored, and suppressed below the privacy floor like any other (decisions 7.4).
 * @throws Refusal as `addFunnel` for the definition, reader_unavailable.
 */
export async function readFunnelPreview(
  ctx: TrackerContext,
  { window, definition }: Omit<FunnelPreviewInput, 'site'>,
): Promise<FunnelPreview> {
  const revision = await unsavedRevision(ctx, definition)
  const reading = await openFunnels(ctx, 'funnel', { window, include: [], unsaved: revision })
  const counts = await countEffective(ctx, reading, [revision])
  const meta = envelope(reading, {
    contract_version: 'analytics-funnel/v1',
    evaluator_version: 'funnel-evaluator/v1',
    preset: window,
  })
  const stored = reading.also.revisions.filter(({ id }) => id !== revision.id)
  const { completeness } = meta
  return {
    meta: { ...meta, configuration: configurationOf(funnelsOf(stored)) },
    funnel: judgeFunnel(reading, revision, counts.get(revision.id), { is_current: true, completeness }),
  }
}

/** The first revision that would be created from the definition. */
function unsavedRevision({ control, clock, site }: TrackerContext, definition: unknown): Promise<FunnelRevision> {
  const given = readFunnelInput(definition)
  const name = checkName(given.name, 'a funnel')
  return control.snapshot(async (trx) => {
    const now = clock.now()
    const funnel_id = randomUUID()
    return {
      id: randomUUID(),
      site_id: site.id,
      funnel_id,
      slug: funnelSlug(name, funnel_id),
      revision: 1,
      name,
      steps: await resolveSteps(trx, site, given.steps),
      effective_from: await firstEffectiveInstant(trx, site.id, { now, asked: undefined }),
      effective_to: null,
      created_at: now,
      archived_at: null,
    }
  })
}
