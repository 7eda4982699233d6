/** Reads outcomes of pages: daily sums, and single instants where the order within a day matters (rules 8.1). */
import { compareText } from '#compare-text.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { findCountingReadings } from '#crawlers/roll-ups/counting-readings.ts'
import { chunks } from './chunks.ts'
import type { DayOfBuild } from './detection-days.ts'
import type { DetectionScope } from './detection-scope.ts'
import { distinctDays, type UnclearDay } from './later-evidence.ts'
import { exactOutcomes, outcomesOfFacts, type PageOutcome, pageOutcomes } from './page-outcomes.sql.ts'

export class OutcomesByPage {
  readonly #byPage: Map<string, PageOutcome[]>
  constructor(outcomes: readonly PageOutcome[]) {
    this.#byPage = Map.groupBy(outcomes, ({ page_id }) => page_id)
  }

  of(members: readonly { page_id: string }[]): PageOutcome[] {
    return [...new Set(members.map(({ page_id }) => page_id))].flatMap((page_id) => this.#byPage.get(page_id) ?? [])
  }

  /** Replaces the sums of these days by exact outcomes. */
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

/**
 * Outcomes of these pages by day, from the day `from` on. Days that earlier detections have read come from the cache.
 */
export async function readOutcomes(
  ctx: CrawlerContext,
  detection: DetectionScope,
  page_ids: readonly string[],
  from: string,
): Promise<OutcomesByPage> {
  const pages = new Set(page_ids)
  const days = detection.days.since(from)
  const none: CachedOutcomes = new Map()
  const known = await Promise.all(
    days.map(async (day) => (await detection.days.find<CachedOutcomes>(day, CACHED)) ?? none),
  )
  const outcomes = known.flatMap((kept) => [...pages].flatMap((page_id) => kept.get(page_id) ?? []))
  // Most pages are missing from the cache for the same days: those that were derived again, or all.
  const missing = Map.groupBy(pages, (page_id) =>
    days.flatMap(({ day }, index) => (known[index]?.has(page_id) ? [] : [day])).join(' '),
  )
  const groups = together(
    [...missing].flatMap(([missed, asked]) => {
      const on = days.filter(({ day }) => missed.includes(day))
      return on.length === 0 ? [] : [{ asked, on }]
    }),
  )
  const reads = await mapInPairs(groups, ({ asked, on }) => readPages(ctx, detection, asked, on))
  const knownOn = new Map(days.map(({ day }, index) => [day, known[index] ?? none]))
  for (const [index, { asked, on }] of groups.entries()) {
    const read = (reads[index] ?? []).filter(({ page_id, day }) => knownOn.get(day)?.has(page_id) !== true)
    for (const one of read) outcomes.push(one)
    const byDay = Map.groupBy(read, ({ day }) => day)
    for (const day of on) {
      const before = knownOn.get(day.day) ?? none
      const kept = detection.days.read<CachedOutcomes>(day, CACHED) ?? before
      const fresh = asked.filter((page_id) => !before.has(page_id))
      const value = withPages(kept, fresh, byDay.get(day.day) ?? [])
      await detection.days.cache(day, CACHED, { value, bytes: sizeOf(value) })
    }
  }
  return new OutcomesByPage(outcomes)
}

interface Missing {
  asked: string[]
  on: DayOfBuild[]
}

/**
 * Up to this many pages are read by one statement for all of their days, which takes less time than one statement for
 * each set of days.
 */
const MAX_PAGES_OF_ONE_STATEMENT = 2_000

function together(groups: readonly Missing[]): readonly Missing[] {
  const asked = groups.flatMap((group) => group.asked)
  if (groups.length < 2 || asked.length > MAX_PAGES_OF_ONE_STATEMENT) return groups
  const on = new Map(groups.flatMap((group) => group.on.map((day) => [day.day, day] as const)))
  return [{ asked, on: [...on.values()].sort((a, b) => compareText(a.day, b.day)) }]
}

/** Outcomes by page. A page without outcomes is listed too, so that it is not read again. */
type CachedOutcomes = ReadonlyMap<string, readonly PageOutcome[]>
const CACHED = 'outcomes'
/** Estimates of the memory of an outcome, and of a page. */
const OUTCOME_BYTES = 320
const PAGE_BYTES = 120

const sizeOf = (cached: CachedOutcomes): number =>
  cached.values().reduce((sum, { length }) => sum + PAGE_BYTES + length * OUTCOME_BYTES, 0)

function withPages(
  kept: CachedOutcomes,
  page_ids: readonly string[],
  outcomes: readonly PageOutcome[],
): CachedOutcomes {
  const byPage = Map.groupBy(outcomes, ({ page_id }) => page_id)
  return new Map([...kept, ...page_ids.map((page_id) => [page_id, byPage.get(page_id) ?? []] as const)])
}

/** Two at once, because a small machine has two processors. */
async function mapInPairs<T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = []
  for (let at = 0; at < items.length; at += 2) made.push(...(await Promise.all(items.slice(at, at + 2).map(make))))
  return made
}

async function readPages(
  ctx: CrawlerContext,
  detection: DetectionScope,
  page_ids: readonly string[],
  days: readonly DayOfBuild[],
): Promise<PageOutcome[]> {
  const outcomes: PageOutcome[] = []
  const partly_waiting: UnclearDay[] = []
  for (const some of chunks(page_ids))
    for (const { is_partly_waiting, ...one } of await ctx.evidence.all(pageOutcomes(detection, some, days))) {
      outcomes.push(one)
      if (is_partly_waiting === 1) partly_waiting.push(one)
    }
  if (partly_waiting.length === 0) return outcomes
  const read = new OutcomesByPage(outcomes)
  await readFacts(ctx, detection, { outcomes: read, days: distinctDays(partly_waiting), statement: outcomesOfFacts })
  return read.of(page_ids.map((page_id) => ({ page_id })))
}

/** The most pages in a statement that reads facts, because each of their requests may be a row. */
const PAGES_AT_ONCE = 200

/** Replaces the sums of unclear days by outcomes of single instants, read from facts. */
export const exactDays = (
  ctx: CrawlerContext,
  detection: DetectionScope,
  outcomes: OutcomesByPage,
  unclear: readonly UnclearDay[],
): Promise<void> => readFacts(ctx, detection, { outcomes, days: unclear, statement: exactOutcomes })

interface FactsToRead {
  /** Its outcomes of these days are replaced. */
  outcomes: OutcomesByPage
  days: readonly UnclearDay[]
  statement: typeof exactOutcomes
}

async function readFacts(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { outcomes, days: asked, statement }: FactsToRead,
): Promise<void> {
  const fact_days = [...new Set(asked.map(({ day }) => day))].sort()
  const readings = await findCountingReadings(ctx.control.db, detection.scope.site_id, fact_days)
  const exactly = { ...detection, scope: { ...detection.scope, builds: [], fact_days, readings } }
  const page_ids = [...new Set(asked.map(({ page_id }) => page_id))]
  for (let at = 0; at < page_ids.length; at += PAGES_AT_ONCE) {
    const some = page_ids.slice(at, at + PAGES_AT_ONCE)
    const days = asked.filter(({ page_id }) => some.includes(page_id))
    outcomes.replace(days, await ctx.evidence.all(statement(exactly, some)))
  }
}
