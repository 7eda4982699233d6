/** What a source sees: what the edge in front of a site answered, or what its origin did (rules 8.1, Vantage). */
import type { SourceRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { DetectionScope } from './detection-scope.ts'
import { ruleFrom } from './harms.ts'
import { sourcesWithEdgeActions } from './page-outcomes.sql.ts'

/** Whether a source observes at the edge in front of the site, not at its origin. */
export const seesEdge = ({ source_type, vantage }: SourceRow) =>
  (vantage ?? (source_type === 'cloudflare_zone' ? 'edge' : 'origin')) === 'edge'

/** Whether the owner has not set its vantage, so that its records may show another one; a zone always sees the edge. */
export const hasAssumedVantage = ({ source_type, vantage }: SourceRow) =>
  vantage === null && source_type !== 'cloudflare_zone'

/** Sources whose owner has not said what they see, and whose records say what an edge did. */
export async function findEdgeSources(
  ctx: CrawlerContext,
  of: DetectionScope,
  changed_days: readonly string[] | null,
): Promise<string[]> {
  if (of.silent_source_ids.length === 0 || of.scope.builds.length === 0) return []
  const from = changed_days?.toSorted()[0] ?? ruleFrom(of.as_of)
  const found = await ctx.evidence.all(sourcesWithEdgeActions(of, of.silent_source_ids, from))
  return found.map(({ source_id }) => source_id)
}

/** They see the edge from now on, unless their owner says otherwise. */
export async function rememberEdgeSources(ctx: CrawlerContext, source_ids: readonly string[]): Promise<void> {
  await ctx.control.db
    .updateTable('sources')
    .set({ vantage: 'edge' })
    .where('id', 'in', source_ids)
    .where('vantage', 'is', null)
    .execute()
}
