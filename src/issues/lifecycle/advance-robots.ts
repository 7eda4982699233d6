/** Advances issues about robots rules: by inspections, and by newer files that crawlers fetch (rules 8.1, 8.2). */
import type { RobotsSnapshotRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { decidePathsBySnapshot } from '#inspections/robots-history.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { findFindings } from '../evidence/inspections-of-issues.ts'
import type { PageOutcome } from '../evidence/page-outcomes.sql.ts'
import { fetchesOf, findInspectionOf } from '../evidence/robots-snapshots-of-issues.ts'
import type { readFollowed } from '../followed-issues.ts'
import { periodText, titleText } from '../texts/title.ts'
import { advanceInspected, readFollowedOutcomes } from './advance-inspected.ts'

interface KnownFiles {
  followed: Awaited<ReturnType<typeof readFollowed>>
  files: readonly RobotsSnapshotRow[]
  fetchesOfHost(host: string): PageOutcome[]
}

/** Advances these issues by later fetches of robots.txt and by later requests. */
export async function advanceRobots(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { followed, files, fetchesOfHost }: KnownFiles,
): Promise<void> {
  if (followed.length === 0) return
  const inspected = await findFindings(ctx.control.db, followed)
  const outcomes = await readFollowedOutcomes(ctx, detection, followed)
  for (const one of followed) {
    const { issue, members } = one
    const planned = inspected.get(issue.id) ?? { newest: null, next_due_at: null }
    const { newest } = planned
    const isDisallowed = newest?.robots === 'disallowed'
    const crawler = issue.crawler_id === null ? undefined : detection.registry.entry(issue.crawler_id)
    const later = files.find(
      (file) => file.host === issue.host && file.first_fetched_at > (issue.fix_detected_at ?? issue.opened_at),
    )
    const [member] = members
    const isAgain =
      issue.fix_detected_at !== null &&
      later !== undefined &&
      crawler !== undefined &&
      member !== undefined &&
      fetchesOf(later, fetchesOfHost(issue.host), crawler.crawler_id).length > 0 &&
      (
        await decidePathsBySnapshot(ctx.control.db, later, {
          paths: [member.path],
          crawler,
          at: later.last_fetched_at,
        })
      )[0]?.decision === 'disallowed'
    const id = isAgain ? await findInspectionOf(ctx.control.db, later) : null
    const disallowed_at = isDisallowed ? newest.at : null
    await advanceInspected(ctx, detection, one, {
      harm: {
        last_harm_at: isAgain ? later.last_fetched_at : disallowed_at,
        finding: isDisallowed ? { at: newest.at, outcome: 'harmed' } : newest,
        // The crawler asks for nothing below the pattern.
        recent_harm_count: 0,
        anew: isAgain
          ? {
              columns: { title: titleAgain(issue, crawler.display_name, later) },
              refs: id === null ? [] : [{ kind: 'inspection', id }],
              inspection_id: id,
            }
          : null,
      },
      planned,
      outcomes,
    })
  }
}

function titleAgain(
  { host, path_key }: { host: string; path_key: string | null },
  name: string,
  { first_fetched_at }: RobotsSnapshotRow,
): string {
  const day = utcDay(first_fetched_at)
  return (
    `robots.txt of ${titleText(host)} disallows a path below ${titleText(path_key ?? '/')} for ${name} again, ` +
    periodText({ from: day, to: day })
  )
}
