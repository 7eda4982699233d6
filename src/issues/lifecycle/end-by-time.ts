/** Ends issues by time alone: without harm for 90 days, or repaired for 30 (rules 8.2). */
import { HARMS } from '#contract/vocabulary.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { readFollowed } from '../followed-issues.ts'
import { advance, type LifeEvidence } from './lifecycle.ts'
import { recordChange } from './record-change.ts'
import { endColumns, lifeOf, writeIssue } from './write-issue.ts'

/** Without a counting source nothing is known: no harm, no success and no repair. */
const NOTHING_KNOWN: Omit<LifeEvidence, 'now'> = {
  last_harm_at: null,
  is_harmed_after_fix: false,
  organic_success_at: null,
  is_quiet_day: false,
  is_refuted: false,
}

/** Ends issues of a site without counting sources by time. Issues of unreachable hosts have a step of their own. */
export async function endByTime(ctx: CrawlerContext, detection: DetectionScope): Promise<void> {
  const harms = HARMS.filter((harm) => harm !== 'unreachable')
  for (const { issue } of await readFollowed(ctx.control.db, detection.scope.site_id, harms)) {
    const { life, changes } = advance(lifeOf(issue), { ...NOTHING_KNOWN, now: detection.as_of }, null)
    if (changes.length === 0) continue
    await ctx.control.transaction(async (tx) => {
      if (!(await writeIssue(tx, issue, { ...life, ...endColumns(life, detection.as_of) }))) return
      for (const change of changes)
        await recordChange(tx, detection, issue, { at: detection.as_of, change, inspection_id: null })
    })
  }
}
