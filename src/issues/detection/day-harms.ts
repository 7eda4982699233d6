/** Reads the harm at each page by day. Only days that were derived again are read again; the others are cached. */
import type { CrawlerContext } from '#crawlers/context.ts'
import { EvidenceError } from '#evidence/errors.ts'
import type { DayOfBuild } from '../evidence/detection-days.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { dayHarms, type HarmColumns, type PageRange } from './day-harms.sql.ts'
import type { DayHarms } from './suspects.ts'

/** The most entries of a day that are compared at once. If there are more, pages are compared in parts. */
const MAX_ENTRIES = 200_000
/** Pages are split into this many parts if there are too many entries or the engine has too little memory. */
const PARTS = 8n
/** Statements that run at once: the engine uses one processor for each, and a small machine has two. */
const MAX_CONCURRENT_STATEMENTS = 2

const ENTRY_BYTES = 3 * 4 + 8

const ALL_PAGES: PageRange = { first: 0n, last: 2n ** 64n - 1n }

/** Yields the harm of each day since `from`: once for all pages, or for one part of the pages after the other. */
export async function* harmsSince(
  ctx: CrawlerContext,
  detection: DetectionScope,
  from: string,
  pages: PageRange = ALL_PAGES,
): AsyncGenerator<DayHarms[]> {
  const days = await readDays(ctx, detection, detection.days.since(from), pages)
  if (days !== null) {
    yield days
    return
  }
  const size = (pages.last - pages.first + 1n) / PARTS
  for (let part = 0n; part < PARTS; part++) {
    const first = pages.first + part * size
    yield* harmsSince(ctx, detection, from, { first, last: first + size - 1n })
  }
}

/** Null if a day has too many entries. */
async function readDays(
  ctx: CrawlerContext,
  detection: DetectionScope,
  days: readonly DayOfBuild[],
  pages: PageRange,
): Promise<DayHarms[] | null> {
  const read: DayHarms[] = []
  // Open days first: they are read in any case, while it is not yet known whether the others are cached.
  const first = days.toSorted((a, b) => Number(detection.days.isSettled(a)) - Number(detection.days.isSettled(b)))
  for (let at = 0; at < first.length; at += MAX_CONCURRENT_STATEMENTS) {
    const some = await Promise.all(
      first.slice(at, at + MAX_CONCURRENT_STATEMENTS).map((day) => readDay(ctx, detection, day, pages)),
    )
    for (const one of some) {
      if (one === null) return null
      read.push(one)
    }
  }
  return read
}

async function readDay(
  ctx: CrawlerContext,
  detection: DetectionScope,
  day: DayOfBuild,
  pages: PageRange,
): Promise<DayHarms | null> {
  const name = `harms ${pages.first} ${pages.last}`
  const kept = await detection.days.find<DayHarms>(day, name)
  if (kept !== undefined) return kept
  const crawlers = detection.registry.entries.map(({ crawler_id }) => crawler_id)
  let columns: HarmColumns
  try {
    const [found] = await ctx.evidence.all(
      dayHarms(detection, day, {
        crawlers,
        pages,
        limit: MAX_ENTRIES + 1,
        is_harm_alone: !detection.days.isSettled(day),
      }),
    )
    columns = found as HarmColumns
  } catch (error) {
    if (error instanceof EvidenceError && error.kind === 'memory' && pages.last - pages.first >= PARTS) return null
    throw error
  }
  if (columns.unit_harm.length > MAX_ENTRIES) return null
  const value: DayHarms = {
    day: day.day,
    is_settled: detection.days.isSettled(day),
    page_high: Uint32Array.from(columns.page_high),
    page_low: Uint32Array.from(columns.page_low),
    unit_harm: Uint32Array.from(columns.unit_harm),
    requests: Float64Array.from(columns.requests),
  }
  if (!isAscending(value)) throw new EvidenceError('bug', `Pages of ${day.day} were not read in their order.`)
  await detection.days.cache(day, name, { value, bytes: columns.unit_harm.length * ENTRY_BYTES })
  return value
}

function isAscending({ page_high, page_low }: DayHarms): boolean {
  for (let at = 1; at < page_high.length; at++) {
    const [before, now] = [page_high[at - 1] as number, page_high[at] as number]
    if (before > now || (before === now && (page_low[at - 1] as number) > (page_low[at] as number))) return false
  }
  return true
}
