/** Outcomes of pages, from daily sums, and instant by instant where a question falls within a day (rules 8.1). */
import type { CrawlerContext } from '#crawlers/context.ts'
import { findCountingReadings } from '#crawlers/roll-ups/counting-readings.ts'
import type { DetectionScope } from './detection-scope.ts'
import { chunks } from './find-harmed-paths.ts'
import type { UnclearDay } from './later-evidence.ts'
import { exactOutcomes, type PageOutcome, pageOutcomes } from './page-outcomes.sql.ts'

export class OutcomesByPage {
  readonly #byPage: Map<string, PageOutcome[]>
  constructor(outcomes: readonly PageOutcome[]) {
    this.#byPage = Map.groupBy(outcomes, ({ page_id }) => page_id)
  }

  of(members: readonly { page_id: string }[]): PageOutcome[] {
    return [...new Set(members.map(({ page_id }) => page_id))].flatMap((page_id) => this.#byPage.get(page_id) ?? [])
  }

  /** Takes the exact outcomes of these days instead of their sums. */
  replace(days: readonly UnclearDay[], exact: readonly PageOutcome[]): void {
    const replaced = new Set(days.map(({ page_id, day }) => `${page_id} ${day}`))
    const byPage = Map.groupBy(exact, ({ page_id }) => page_id)
    for (const page_id of new Set(days.map((one) => one.page_id))) {
      const kept = (this.#byPage.get(page_id) ?? []).filter(({ day }) => !replaced.has(`${page_id} ${day}`))
      const instants = (byPage.get(page_id) ?? []).filter(({ day }) => replaced.has(`${page_id} ${day}`))
      this.#byPage.set(page_id, [...kept, ...instants])
    }
  }
}

/** What crawlers met at these pages since a day, by day. */
export async function readOutcomes(
  ctx: CrawlerContext,
  of: DetectionScope,
  page_ids: readonly string[],
  from: string,
): Promise<OutcomesByPage> {
  const outcomes: PageOutcome[] = []
  if (of.scope.builds.length > 0) {
    for (const some of chunks([...new Set(page_ids)]))
      outcomes.push(...(await ctx.evidence.all(pageOutcomes(of, some, from))))
  }
  return new OutcomesByPage(outcomes)
}

/** Pages in one statement that reads facts: each of their requests may be a row. */
const PAGES_AT_ONCE = 200

/** Reads unclear days of pages out of facts. */
export async function exactDays(
  ctx: CrawlerContext,
  of: DetectionScope,
  outcomes: OutcomesByPage,
  unclear: readonly UnclearDay[],
): Promise<void> {
  const fact_days = [...new Set(unclear.map(({ day }) => day))].sort()
  const readings = await findCountingReadings(ctx.control.db, of.scope.site_id, fact_days)
  const exactly = { ...of, scope: { ...of.scope, builds: [], fact_days, readings } }
  const page_ids = [...new Set(unclear.map(({ page_id }) => page_id))]
  for (let at = 0; at < page_ids.length; at += PAGES_AT_ONCE) {
    const some = page_ids.slice(at, at + PAGES_AT_ONCE)
    const days = unclear.filter(({ page_id }) => some.includes(page_id))
    outcomes.replace(days, await ctx.evidence.all(exactOutcomes(exactly, some)))
  }
}
