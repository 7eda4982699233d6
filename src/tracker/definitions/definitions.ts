/** Stored revisions of conversions and funnels. Only their end (`effective_to`) ever changes (decisions 5). */
import type { Static } from 'typebox'
import type { ConversionMatcher, StepDefinition } from '#contract/site-api/funnel-definition.ts'
import type { ControlDb } from '#control/store.ts'

export type Matcher = Static<typeof ConversionMatcher>
export type Step = Static<typeof StepDefinition>

interface Revision {
  /** Id of this revision. */
  id: string
  site_id: string
  revision: number
  name: string
  /** Epoch milliseconds. The revision counts in [effective_from, effective_to). */
  effective_from: number
  effective_to: number | null
  created_at: number
  /** Of the whole definition; null while it is active. */
  archived_at: number | null
}

export interface ConversionRevision extends Revision {
  conversion_id: string
  matcher: Matcher
}

export interface FunnelRevision extends Revision {
  funnel_id: string
  slug: string
  steps: Step[]
}

/** Both parse a JSON column of the control store. */
export const parseMatcher = (matcher: string): Matcher => JSON.parse(matcher)
export const parseSteps = (steps: string): Step[] => JSON.parse(steps)

/** All revisions of a site's conversions, by name, id and number. Call it in the snapshot that coverage is read in. */
export async function findConversionRevisions(db: ControlDb, site_id: string): Promise<ConversionRevision[]> {
  const rows = await db
    .selectFrom('conversion_revisions')
    .innerJoin('conversions', 'conversions.id', 'conversion_revisions.conversion_id')
    .selectAll('conversion_revisions')
    .select('conversions.archived_at')
    .where('conversion_revisions.site_id', '=', site_id)
    .orderBy('conversion_revisions.name')
    .orderBy('conversion_revisions.conversion_id')
    .orderBy('conversion_revisions.revision')
    .execute()
  return rows.map(({ matcher, ...row }) => ({ ...row, matcher: parseMatcher(matcher) }))
}

/** All revisions of a site's funnels, by slug and number. Call it in the snapshot that coverage is read in. */
export async function findFunnelRevisions(db: ControlDb, site_id: string): Promise<FunnelRevision[]> {
  const rows = await db
    .selectFrom('funnel_revisions')
    .innerJoin('funnels', 'funnels.id', 'funnel_revisions.funnel_id')
    .selectAll('funnel_revisions')
    .select(['funnels.archived_at', 'funnels.slug'])
    .where('funnel_revisions.site_id', '=', site_id)
    .orderBy('funnels.slug')
    .orderBy('funnel_revisions.revision')
    .execute()
  return rows.map(({ steps, ...row }) => ({ ...row, steps: parseSteps(steps) }))
}
