/** Reads search data daily: the last days again, then the past, newest first (account API 3, connections). */
import { DAY_MS } from '#clock.ts'
import type { SearchConnectionRow } from '#control/tables/search-data.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import { noteFailedSearchPoll, noteGoodSearchPoll, openKey } from './connections.ts'
import {
  GOOGLE_DIMENSIONS,
  googleSession,
  pacificDay,
  readBingWeeks,
  readGoogleDay,
  type SearchApis,
} from './read-source.ts'
import { SearchFailure, type SearchFault } from './search-failure.ts'
import { dimensionsOf, type SearchRow } from './search-row.ts'
import {
  noteDays,
  type OfBrand,
  type ReadDay,
  type SearchDataContext,
  storeReadDays,
  storeSearchRows,
} from './store-search-rows.ts'

export interface PollSearchContext extends SearchDataContext {
  secrets: SecretBox
  search_apis: SearchApis
}

/** Google may still change the data of this many days. */
const FRESH_DAYS = 3
const BACKFILL_DAYS = 30
/** Search Console answers for 16 months, Spoor keeps 400 days. */
const OLDEST_DAYS = 400
/** Read days wait in memory until they have so many rows. */
const ROWS_AT_ONCE = 20_000
/** Bing returns queries page by page. */
const BING_PAGES = 50

/** Polls what is due, one after another. A provider's failure becomes the connection's state. Returns how many. */
export async function pollSearchConnections(ctx: PollSearchContext, signal: AbortSignal): Promise<number> {
  const due = await ctx.control.db
    .selectFrom('search_connections')
    .innerJoin('brands', 'brands.id', 'search_connections.brand_id')
    .selectAll('search_connections')
    .select('brands.account_id')
    .where('search_connections.state', 'in', ['pending', 'live', 'error'])
    .where('search_connections.sealed_key', 'is not', null)
    .where('search_connections.next_poll_at', '<=', ctx.clock.now())
    .where('brands.archived_at', 'is', null)
    .orderBy('search_connections.next_poll_at')
    .execute()
  for (const { account_id, ...row } of due) {
    if (signal.aborted) break
    await pollOne(ctx, { id: row.brand_id, account_id }, row, signal)
  }
  return due.length
}

async function pollOne(
  ctx: PollSearchContext,
  brand: OfBrand,
  row: SearchConnectionRow,
  signal: AbortSignal,
): Promise<void> {
  const polled_at = ctx.clock.now()
  const failed = (fault: SearchFault) => noteFailedSearchPoll(ctx.control, row, { polled_at, fault })
  const key = openKey(ctx.secrets, row)
  if (key === null) return failed('key_unreadable')
  try {
    const read = row.source === 'google' ? readGoogle : readBing
    const { read_from, is_whole } = await read(ctx, brand, row, key, signal)
    await noteGoodSearchPoll(ctx.control, row, { polled_at, read_from, is_whole })
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof SearchFailure)) throw error
    await failed(error.fault)
  }
}

interface PollEnd {
  /** The oldest day that was read. */
  read_from: string | null
  /** Nothing of the past is left to read. */
  is_whole: boolean
}

async function readGoogle(
  ctx: PollSearchContext,
  brand: OfBrand,
  { property, read_from, last_poll_at }: SearchConnectionRow,
  key: string,
  signal: AbortSignal,
): Promise<PollEnd> {
  const now = ctx.clock.now()
  const session = await googleSession(ctx.search_apis, { key, now, signal })
  const missed = last_poll_at === null ? 0 : Math.ceil((now - last_poll_at) / DAY_MS)
  const newest = daysBefore(now, 1, FRESH_DAYS + missed)
  const oldest = pacificDay(now, -OLDEST_DAYS)
  const past = pastDays(read_from ?? (newest.at(-1) as string), oldest)
  const fresh_from = pacificDay(now, -FRESH_DAYS)
  const days = [...newest.filter((each) => each >= oldest), ...past]
  for (const dimensions of GOOGLE_DIMENSIONS) {
    const set = {
      source: 'google' as const,
      property,
      search_type: 'web',
      dimensions: dimensionsOf((name) => (dimensions as readonly string[]).includes(name)),
    }
    let read: ReadDay[] = []
    for (const day of days) {
      const is_final = day < fresh_from
      read.push({ day, is_final, rows: await readGoogleDay(session, { property, day, dimensions, is_final }) })
      if (read.reduce((sum, { rows }) => sum + rows.length, 0) < ROWS_AT_ONCE && day !== days.at(-1)) continue
      await storeReadDays(ctx, brand, set, read)
      read = []
    }
  }
  const reached = past.at(-1) ?? read_from ?? (newest.at(-1) as string)
  return { read_from: reached, is_whole: reached <= oldest }
}

/** So many days, newest first, beginning `first` days before today. */
const daysBefore = (now: number, first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => pacificDay(now, -first - at))

/** The next days of the past, newest first. */
function pastDays(read_from: string, oldest: string): string[] {
  const from = Date.parse(read_from)
  return Array.from({ length: BACKFILL_DAYS }, (_, at) =>
    new Date(from - (at + 1) * DAY_MS).toISOString().slice(0, 10),
  ).filter((day) => day >= oldest)
}

/** Bing returns all data each time, one point per week. */
async function readBing(
  ctx: PollSearchContext,
  brand: OfBrand,
  { property }: SearchConnectionRow,
  key: string,
  signal: AbortSignal,
): Promise<PollEnd> {
  const asked = { property, key, now: ctx.clock.now(), signal }
  const pages = await readBingWeeks(ctx.search_apis, { ...asked, page: null })
  await storeWeeks(ctx, brand, pages)
  for (const page of mostSeen(pages)) {
    await storeWeeks(ctx, brand, await readBingWeeks(ctx.search_apis, { ...asked, page }))
  }
  return { read_from: pages.map(({ day }) => day).sort()[0] ?? null, is_whole: true }
}

async function storeWeeks(ctx: PollSearchContext, brand: OfBrand, rows: readonly SearchRow[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  await storeSearchRows(ctx, brand, rows)
  await noteDays(ctx, brand, rows, { is_connected: true })
}

function mostSeen(rows: readonly SearchRow[]): string[] {
  const seen = [...Map.groupBy(rows, ({ page }) => page)].map(
    ([page, of_page]) => [page, of_page.reduce((sum, { impressions }) => sum + impressions, 0)] as const,
  )
  return seen
    .sort(([a, x], [b, y]) => y - x || (String(a) < String(b) ? -1 : 1))
    .slice(0, BING_PAGES)
    .flatMap(([page]) => page ?? [])
}
