import { compareText } from '#compare-text.ts'
import type { FunnelList, FunnelListInput } from '#contract/site-api/funnels.ts'
import type { TrackerContext } from './context.ts'
import { envelope } from './coverage/envelope.ts'
import type { FunnelRevision } from './definitions/definitions.ts'
import type { Including } from './development/include.ts'
import { countEffective } from './funnels/count-funnels.ts'
import { configurationOf, currentOf, funnelsOf } from './funnels/current-revisions.ts'
import { judgeFunnel } from './funnels/judge-funnel.ts'
import { openFunnels } from './funnels/open-funnels.ts'

/** One row per funnel: its active revision, else the last archived; active first, by name (spec 2.6, rules 6). */
export async function readFunnels(
  ctx: TrackerContext,
  { window, limit, include }: Omit<FunnelListInput, 'include'> & Including,
): Promise<FunnelList> {
  const reading = await openFunnels(ctx, 'funnels', { window, include })
  const funnels = funnelsOf(reading.also.revisions)
  const all = funnels.map(currentOf).sort(inOrder)
  const shown = all.slice(0, limit)
  const counts = await countEffective(
    ctx,
    reading,
    shown.map(({ revision }) => revision),
  )
  const meta = envelope(reading, {
    contract_version: 'analytics-funnels/v1',
    evaluator_version: 'funnel-evaluator/v1',
    preset: window,
  })
  return {
    meta: {
      ...meta,
      configuration: configurationOf(funnels),
      pagination: {
        limit,
        returned_count: shown.length,
        total_count: all.length,
        truncated: all.length > shown.length,
      },
    },
    funnels: shown.map(({ revision, is_current }) => {
      const { completeness } = meta
      const { steps: _, ...summary } = judgeFunnel(reading, revision, counts.get(revision.id), {
        is_current,
        completeness,
      })
      return summary
    }),
  }
}

interface Shown {
  revision: FunnelRevision
  is_current: boolean
}

function inOrder(a: Shown, b: Shown): number {
  if (a.is_current !== b.is_current) return a.is_current ? -1 : 1
  return compareText(a.revision.name, b.revision.name) || compareText(a.revision.slug, b.revision.slug)
}
