import type { ControlDb } from '#control/store.ts'
import { type Matcher, parseMatcher, parseSteps } from './definitions.ts'

/** The event names that a site's properties, conversions and funnels in force name: so many as its owner defined. */
export async function findNamesInForce(db: ControlDb, site_id: string): Promise<Set<string>> {
  const properties = await db
    .selectFrom('properties')
    .select('event_name')
    .where('site_id', '=', site_id)
    .where('ended_at', 'is', null)
    .execute()
  const conversions = await db
    .selectFrom('conversion_revisions')
    .innerJoin('conversions', 'conversions.id', 'conversion_revisions.conversion_id')
    .select('conversion_revisions.matcher')
    .where('conversion_revisions.site_id', '=', site_id)
    .where('conversion_revisions.effective_to', 'is', null)
    .where('conversions.archived_at', 'is', null)
    .execute()
  const funnels = await db
    .selectFrom('funnel_revisions')
    .innerJoin('funnels', 'funnels.id', 'funnel_revisions.funnel_id')
    .select('funnel_revisions.steps')
    .where('funnel_revisions.site_id', '=', site_id)
    .where('funnel_revisions.effective_to', 'is', null)
    .where('funnels.archived_at', 'is', null)
    .execute()
  const matchers: Matcher[] = [
    ...conversions.map(({ matcher }) => parseMatcher(matcher)),
    ...funnels.flatMap(({ steps }) =>
      parseSteps(steps).flatMap((step) => (step.kind === 'conversion' ? [step.matcher] : [])),
    ),
  ]
  return new Set([
    ...properties.map(({ event_name }) => event_name),
    ...matchers.flatMap((matcher) => (matcher.kind === 'event' ? [matcher.event_name] : [])),
  ])
}
