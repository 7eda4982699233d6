/** Writes search data into the evidence store, and its covered days into the control store. */
import type { Clock } from '#clock.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { FoundBrand } from '../find-brand.ts'
import { deleteOlderRows, type SearchRowSet } from './search-data.sql.ts'
import type { AiReportRow, SearchRow } from './search-row.ts'

export interface SearchDataContext {
  control: ControlStore
  evidence: EvidenceStore
  clock: Clock
}

export type OfBrand = Pick<FoundBrand, 'id' | 'account_id'>

const ROWS_AT_ONCE = 20_000

export const setOf = ({ source, property, search_type, dimensions }: SearchRow): SearchRowSet => ({
  source,
  property,
  search_type,
  dimensions,
})

export const keyOfSet = ({ source, property, search_type, dimensions }: SearchRowSet): string =>
  JSON.stringify([source, property, search_type, dimensions])

/** Rows with the same key replace stored ones. Their days count once they are recorded (`noteDays`). */
export async function storeSearchRows(
  ctx: SearchDataContext,
  brand: OfBrand,
  rows: readonly SearchRow[],
): Promise<void> {
  const revision = ctx.clock.now()
  await ctx.evidence.writeLock.run(async () => {
    // A batch of the engine holds one month (migration 0011).
    for (const month of Map.groupBy(rows, ({ day }) => day.slice(0, 7)).values()) {
      for (let at = 0; at < month.length; at += ROWS_AT_ONCE) {
        const some = month.slice(at, at + ROWS_AT_ONCE)
        await ctx.evidence.insert(
          'search_rows',
          jsonRows(some.map((row) => storedRow(brand, row, revision))),
          some.length,
        )
      }
    }
  })
}

/** Records the days of rows as covered. */
export async function noteDays(
  ctx: SearchDataContext,
  brand: OfBrand,
  rows: readonly CoveredDay[],
  { is_connected }: { is_connected: boolean },
): Promise<void> {
  const days = new Map(rows.map((row) => [`${keyOfSet(row)} ${row.day} ${row.last_day}`, row]))
  await ctx.control.transaction(async (trx) => {
    for (const row of days.values()) await noteDay(trx, brand, row, { is_connected, stored_at: ctx.clock.now() })
  })
}

/** A whole day as a connection read it. */
export interface ReadDay extends Pick<SearchRow, 'day' | 'is_final'> {
  rows: readonly SearchRow[]
}

/** Deletes rows of these days that are left from an older read. Days without a row are covered, too. */
export async function storeReadDays(
  ctx: SearchDataContext,
  brand: OfBrand,
  set: SearchRowSet,
  read: readonly ReadDay[],
): Promise<void> {
  const known = await ctx.control.db
    .selectFrom('search_days')
    .select('day')
    .where('brand_id', '=', brand.id)
    .where('source', '=', set.source)
    .where('property', '=', set.property)
    .where('search_type', '=', set.search_type)
    .where('dimensions', '=', set.dimensions)
    .where('day', 'in', ['', ...read.map(({ day }) => day)])
    .execute()
  const before = ctx.clock.now()
  await storeSearchRows(
    ctx,
    brand,
    read.flatMap(({ rows }) => rows),
  )
  const again = known.map(({ day }) => day)
  if (again.length > 0) {
    await ctx.evidence.writeLock.run(() => ctx.evidence.run(deleteOlderRows(brand, set, again, before)))
  }
  const covered = read.map(({ day, is_final }) => ({ ...set, day, last_day: day, is_weekly: false, is_final }))
  await noteDays(ctx, brand, covered, { is_connected: true })
}

export async function storeAiRows(ctx: SearchDataContext, brand: OfBrand, rows: readonly AiReportRow[]): Promise<void> {
  const revision = ctx.clock.now()
  await ctx.evidence.writeLock.run(async () => {
    for (const month of Map.groupBy(rows, ({ to }) => to.slice(0, 7)).values()) {
      for (let at = 0; at < month.length; at += ROWS_AT_ONCE) {
        const some = month.slice(at, at + ROWS_AT_ONCE)
        const stored = jsonRows(some.map((row) => storedAiRow(brand, row, revision)))
        await ctx.evidence.insert('search_ai_rows', stored, some.length)
      }
    }
  })
}

type CoveredDay = SearchRowSet & Pick<SearchRow, 'day' | 'last_day' | 'is_weekly' | 'is_final'>

async function noteDay(
  trx: ControlTransaction,
  brand: OfBrand,
  { source, property, search_type, dimensions, day, last_day, is_weekly, is_final }: CoveredDay,
  { is_connected, stored_at }: { is_connected: boolean; stored_at: number },
): Promise<void> {
  const changing = {
    is_weekly: Number(is_weekly),
    is_final: Number(is_final),
    is_connected: Number(is_connected),
    stored_at,
  }
  await trx
    .insertInto('search_days')
    .values({ brand_id: brand.id, source, property, search_type, dimensions, day, last_day, ...changing })
    .onConflict((conflict) =>
      conflict
        .columns(['brand_id', 'source', 'property', 'search_type', 'dimensions', 'day', 'last_day'])
        .doUpdateSet(changing),
    )
    .execute()
}

const storedRow = (brand: OfBrand, row: SearchRow, revision: number) => [
  brand.account_id,
  brand.id,
  row.source,
  row.property,
  row.search_type,
  row.dimensions,
  row.day,
  row.last_day,
  row.page ?? '',
  row.query ?? '',
  row.country ?? '',
  row.device ?? '',
  String(row.clicks),
  String(row.impressions),
  row.position,
  String(revision),
]

const storedAiRow = (brand: OfBrand, row: AiReportRow, revision: number) => [
  brand.account_id,
  brand.id,
  row.kind,
  row.source,
  row.from,
  row.to,
  row.page ?? '',
  row.grounding_query ?? '',
  textOrNull(row.citations),
  textOrNull(row.impressions),
  String(revision),
]

const textOrNull = (value: number | null) => (value === null ? null : String(value))
