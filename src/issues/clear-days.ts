import type { CrawlerContext } from '#crawlers/context.ts'
import type { DetectionScope } from './detection-scope.ts'
import type { UnclearDay } from './later-evidence.ts'
import { exactDays, type OutcomesByPage } from './read-outcomes.ts'

/**
 * Reads unclear days out of facts until none is left: the instants of one may move a question to another day. It ends,
 * because no day is read twice.
 * @param unclearDays what is unclear by the outcomes of now.
 */
export async function clearDays(
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
