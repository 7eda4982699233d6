/** Whether a source observes at the edge in front of a site, or at its origin (rules 8.1, Vantage). */
import type { SourceRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { ruleFrom } from '../harms.ts'
import type { DetectionScope } from './detection-scope.ts'
import { sourcesWithEdgeActions } from './page-outcomes.sql.ts'

/** Whether a source observes at the edge in front of the site, not at its origin. */
export const seesEdge = ({ source_type, vantage }: SourceRow) =>
  (vantage ?? (source_type === 'cloudflare_zone' ? 'edge' : 'origin')) === 'edge'

/** Whether the vantage was not set by the owner, so that records may show another one. A zone always sees the edge. */
export const hasAssumedVantage = ({ source_type, vantage }: SourceRow) =>
  vantage === null && source_type !== 'cloudflare_zone'

/** Sources without a vantage set by the owner whose records contain actions of an edge. */
export async function findEdgeSources(
  ctx: CrawlerContext,
  detection: DetectionScope,
  changed_days: readonly string[] | null,
): Promise<string[]> {
  if (detection.assumed_vantage_source_ids.length === 0 || detection.scope.builds.length === 0) return []
  const from = changed_days?.toSorted()[0] ?? ruleFrom(detection.as_of)
  const found = await ctx.evidence.all(sourcesWithEdgeActions(detection, detection.assumed_vantage_source_ids, from))
  return found.map(({ source_id }) => source_id)
}

/** Sets the vantage of sources to the edge, unless the owner has set one meanwhile. */
export async function storeEdgeVantage(ctx: CrawlerContext, source_ids: readonly string[]): Promise<void> {
  await ctx.control.db
    .updateTable('sources')
    .set({ vantage: 'edge' })
    .where('id', 'in', source_ids)
    .where('vantage', 'is', null)
    .execute()
}
