import type { CrawlerContext } from '#crawlers/context.ts'
import type { DetectionScope } from './detection-scope.ts'
import type { UnclearDay } from './later-evidence.ts'
import { exactDays, type OutcomesByPage } from './read-outcomes.ts'

/**
 * Reads unclear days from facts until none is left. The instants of one day may make another day unclear; no day is
 * read twice.
 * @param unclearDays the days that are unclear by the current outcomes.
 */
export async function resolveUnclearDays(
  ctx: CrawlerContext,
  detection: DetectionScope,
  outcomes: OutcomesByPage,
  unclearDays: () => readonly UnclearDay[],
): Promise<void> {
  const read = new Set<string>()
  for (;;) {
    const unclear = unclearDays().filter((one) => !read.has(nameOf(one)))
    if (unclear.length === 0) return
    await exactDays(ctx, detection, outcomes, unclear)
    for (const one of unclear) read.add(nameOf(one))
  }
}

const nameOf = ({ page_id, day }: UnclearDay) => `${page_id} ${day}`
