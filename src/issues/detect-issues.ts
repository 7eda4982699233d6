/**
 * Detection: what crawlers met on the days of the rule becomes issues, and issues move (rules 8.1, 8.2). Repeating it
 * changes nothing.
 */
import type { CrawlerContext } from '#crawlers/context.ts'
import { advanceIssues } from './advance-issues.ts'
import { detectChallenged } from './detect-challenged.ts'
import { detectRobots } from './detect-robots.ts'
import { detectUnreachable } from './detect-unreachable.ts'
import { type DetectionScope, openDetection } from './detection-scope.ts'
import { findHarmedPaths } from './find-harmed-paths.ts'
import { readFollowed } from './followed-issues.ts'
import { ruleFrom } from './harms.ts'
import { keepImpostorRefusals } from './impostor-refusals.ts'
import { openNewIssues } from './open-new-issues.ts'
import { sourcesWithEdgeActions } from './page-outcomes.sql.ts'
import { readOutcomes } from './read-outcomes.ts'

/**
 * Detects harm on one site and advances its issues.
 * @param changed_days looks for new harm on pages that were harmed on one of these days, `YYYY-MM-DD`; null: on every
 * page. What changes with time alone is left to the hourly run, which names no days.
 */
export async function detectIssues(
  ctx: CrawlerContext,
  site_id: string,
  changed_days: readonly string[] | null = null,
): Promise<void> {
  const followed = await readFollowed(ctx.control.db, site_id)
  const since = followed.map(({ issue }) => issue.evidence_from).sort()[0] ?? null
  const of = await openDetection(ctx, site_id, since)
  if (of === null) return
  await detectUnreachable(ctx, of)
  if (of.scope.slices.length === 0) return
  await learnVantages(ctx, of, changed_days)
  const pages = followed.flatMap(({ members }) => members.map(({ page_id }) => page_id))
  const from = since ?? ruleFrom(of.as_of)
  const isOfRule = changed_days === null || changed_days.some((day) => day >= ruleFrom(of.as_of))
  // Both read much of the days of the rule; together they use both what reads and what computes.
  const [outcomes, harmed] = await Promise.all([
    readOutcomes(ctx, of, pages, from),
    isOfRule ? findHarmedPaths(ctx, of, changed_days) : [],
  ])
  await advanceIssues(ctx, of, followed, outcomes)
  await detectChallenged(ctx, of)
  if (isOfRule) await openNewIssues(ctx, of, harmed)
  if (changed_days === null) {
    await detectRobots(ctx, of)
    await keepImpostorRefusals(ctx, of)
  }
}

/** A source whose records say what an edge did sees the edge, unless its owner says otherwise; that is remembered. */
async function learnVantages(
  ctx: CrawlerContext,
  of: DetectionScope,
  changed_days: readonly string[] | null,
): Promise<void> {
  if (of.silent_source_ids.length === 0 || of.scope.builds.length === 0) return
  const from = changed_days?.toSorted()[0] ?? ruleFrom(of.as_of)
  const found = await ctx.evidence.all(sourcesWithEdgeActions(of, of.silent_source_ids, from))
  for (const { source_id } of found) {
    await ctx.control.db
      .updateTable('sources')
      .set({ vantage: 'edge' })
      .where('id', '=', source_id)
      .where('vantage', 'is', null)
      .execute()
    of.edge_source_ids.push(source_id)
  }
}
