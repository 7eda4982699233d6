/** Detects issues after days are derived, and of every site hourly, because time alone also moves issues. */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { ChangedDays, ChangedSites } from '#issues/changed-sites.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { Job } from './job.ts'

export interface IssueJobsContext extends CrawlerContext {
  changed_sites: ChangedSites
}

/** Due at once after a day is derived. */
export const DETECT_CHANGED = 'detect_changed'

/** Jobs that detect issues: of changed sites at once, of all sites hourly. */
export const issueJobs = (ctx: IssueJobsContext): Job[] => [
  {
    name: DETECT_CHANGED,
    every_ms: MINUTE_MS,
    rests_under_simulated_clock: false,
    belongs_to_folder: true,
    // Only this process knows the days that it derived. If another writer was first, nothing is written.
    runs_on_each_node: true,
    run: (signal) => detectAll(ctx, ctx.changed_sites.take(), signal),
  },
  {
    name: 'detect_issues',
    every_ms: HOUR_MS,
    rests_under_simulated_clock: false,
    belongs_to_folder: true,
    async run(signal) {
      const sites = await ctx.control.db.selectFrom('sites').select('id').orderBy('id').execute()
      await detectAll(
        ctx,
        sites.map(({ id }) => [id, null]),
        signal,
      )
    },
  },
]

/** Detects issues of one site after the other; a failure does not stop the others. */
async function detectAll(
  ctx: IssueJobsContext,
  sites: readonly (readonly [site_id: string, days: ChangedDays])[],
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for (const [site_id, days] of sites) {
    if (signal.aborted) {
      ctx.changed_sites.add(site_id, days)
      continue
    }
    try {
      await detectIssues(ctx, site_id, days)
    } catch (error) {
      ctx.changed_sites.add(site_id, days)
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `issues of ${failures.length} sites could not be detected`)
  }
}
