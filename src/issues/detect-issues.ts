/** Detection opens issues for new harm and advances existing ones (rules 8.1, 8.2). Repeating it changes nothing. */
import { DAY_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { eachDay } from '#days/windows.ts'
import { detectChallenged } from './detection/detect-challenged.ts'
import { detectRobots } from './detection/detect-robots.ts'
import { detectUnreachable } from './detection/detect-unreachable.ts'
import { findHarmedPaths, readSuspects } from './detection/find-harmed-paths.ts'
import { storeImpostorRefusals } from './detection/impostor-refusals.ts'
import { openNewIssues } from './detection/open-new-issues.ts'
import { openDetection } from './evidence/detection-scope.ts'
import { readOutcomes } from './evidence/read-outcomes.ts'
import { findEdgeSources, storeEdgeVantage } from './evidence/source-vantage.ts'
import { readFollowed } from './followed-issues.ts'
import { PRIOR_DAYS, ruleFrom } from './harms.ts'
import { advanceIssues } from './lifecycle/advance-issues.ts'
import { endByTime } from './lifecycle/end-by-time.ts'

/**
 * Detects harm on one site and advances its issues.
 * @param changed_days days that were derived again, `YYYY-MM-DD`: looks for new harm only on pages that were harmed on
 * one of these days or later, because the use of a page decides about harm after it. Null, in the hourly run: looks at
 * every page, and at what changes by time alone.
 */
export async function detectIssues(
  ctx: CrawlerContext,
  site_id: string,
  changed_days: readonly string[] | null = null,
): Promise<void> {
  const followed = await readFollowed(ctx.control.db, site_id)
  const since = followed.map(({ issue }) => issue.evidence_from).sort()[0] ?? null
  const detection = await openDetection(ctx, site_id, since)
  if (detection === null) return
  await detectUnreachable(ctx, detection)
  if (detection.scope.slices.length === 0) return endByTime(ctx, detection)
  const pages = followed.flatMap(({ members }) => members.map(({ page_id }) => page_id))
  const first = ruleFrom(detection.as_of)
  const from = since ?? first
  detection.days.open(from < first ? from : first)
  const harm_days = changed_days === null ? null : harmDays(changed_days, detection.as_of)
  // Outcomes of followed pages are read at the same time, and are in the cache for the steps below.
  const [edge_sources, suspects] = await Promise.all([
    findEdgeSources(ctx, detection, changed_days),
    harm_days === null || harm_days.length > 0 ? readSuspects(ctx, detection, harm_days) : null,
    readOutcomes(ctx, detection, pages, from),
  ])
  if (edge_sources.length > 0) {
    // Everything was read as if these sources observed at the origin.
    await storeEdgeVantage(ctx, edge_sources)
    return detectIssues(ctx, site_id, changed_days)
  }
  const harmed = suspects === null ? null : await findHarmedPaths(ctx, detection, suspects)
  const outcomes = await readOutcomes(ctx, detection, pages, from)
  const closed = detection.days.close()
  // Awaited below; an error in between must not leave it unhandled.
  closed.catch(() => {})
  await advanceIssues(ctx, detection, followed, outcomes)
  await detectChallenged(ctx, detection)
  if (harmed !== null) await openNewIssues(ctx, detection, harmed, outcomes)
  if (changed_days === null) {
    await detectRobots(ctx, detection)
    await storeImpostorRefusals(ctx, detection)
  }
  await closed
}

/** The days of the rule from the earliest changed day on; none if all changed days are too old to show prior use. */
function harmDays(changed_days: readonly string[], as_of: number): string[] {
  const first = ruleFrom(as_of)
  const used_from = utcDay(dayStart(first) - PRIOR_DAYS * DAY_MS)
  const [earliest] = changed_days.filter((day) => day >= used_from).sort()
  if (earliest === undefined) return []
  return eachDay({ from: earliest < first ? first : earliest, to: utcDay(as_of) })
}
