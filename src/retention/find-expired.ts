/** Finds days past the retention of their site (rules 4): uploads age from receipt, live sources from the request. */
import Type from 'typebox'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { SourceRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { splitByDay } from '#days/split-by-day.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { count, day as date, instant, list, rows, uuid } from '#evidence/sql.ts'

export interface ExpiredDays {
  source: SourceRow
  days: string[]
}

/** Days that expire now, by source, without days that have expired before. */
export async function findExpiredDays(ctx: CrawlerContext): Promise<ExpiredDays[]> {
  const sites = await ctx.control.db.selectFrom('sites').select(['id', 'retention_days']).orderBy('id').execute()
  const found: ExpiredDays[] = []
  for (const site of sites) {
    const cutoff = ctx.clock.now() - site.retention_days * DAY_MS
    const sources = await ctx.control.db.selectFrom('sources').selectAll().where('site_id', '=', site.id).execute()
    for (const source of sources) {
      const days =
        source.source_type === 'log_upload' ? await uploaded(ctx, source, cutoff) : await seen(ctx, source, cutoff)
      if (days.length > 0) found.push({ source, days })
    }
  }
  return found
}

/** Days of an upload that received nothing new since the cutoff. */
async function uploaded(ctx: CrawlerContext, source: SourceRow, cutoff: number): Promise<string[]> {
  const receipts = await ctx.control.db
    .selectFrom('day_receipts')
    .select('day')
    .where('source_id', '=', source.id)
    .where('received_at', '<', cutoff)
    .orderBy('day')
    .execute()
  const days = [
    ...receipts.map((row) => row.day),
    ...(await withoutReceipt(ctx, source, cutoff)),
    ...(await brokenOff(ctx, source, cutoff)),
  ]
  if (days.length === 0) return []
  const newer = await ctx.evidence.all(newestReceipts(source, days, cutoff))
  for (const { day, received_at } of newer) {
    await ctx.control.db
      .updateTable('day_receipts')
      .set({ received_at })
      .where((is) => is.and({ source_id: source.id, day }))
      .execute()
  }
  return days.filter((day) => !newer.some((row) => row.day === day))
}

/** Covered days without a recorded receipt, which age from the source's newest delivery. */
async function withoutReceipt(ctx: CrawlerContext, source: SourceRow, cutoff: number): Promise<string[]> {
  const { db } = ctx.control
  const newest = await db
    .selectFrom('deliveries')
    .select('id')
    .where('source_id', '=', source.id)
    .where((row) => row.or([row('started_at', '>=', cutoff), row('finished_at', '>=', cutoff)]))
    .executeTakeFirst()
  if (newest !== undefined) return []
  const noted = await db.selectFrom('day_receipts').select('day').where('source_id', '=', source.id).execute()
  const known = new Set(noted.map((row) => row.day))
  return (await coveredDays(ctx, source)).filter((day) => !known.has(day))
}

/** Days of facts from an import that was interrupted before it recorded coverage. */
async function brokenOff(ctx: CrawlerContext, source: SourceRow, cutoff: number): Promise<string[]> {
  const { db } = ctx.control
  const broken = await db
    .selectFrom('deliveries')
    .select('id')
    .where((is) => is.and({ source_id: source.id, state: 'broken' }))
    .where('started_at', '<', cutoff)
    .executeTakeFirst()
  if (broken === undefined) return []
  const receipts = await db.selectFrom('day_receipts').select('day').where('source_id', '=', source.id).execute()
  const known = new Set([...receipts.map((row) => row.day), ...(await coveredDays(ctx, source))])
  return (await daysOfFacts(ctx, source, utcDay(ctx.clock.now() + DAY_MS))).filter((day) => !known.has(day))
}

/** Days of a live source before the cutoff's day that have coverage or facts. */
async function seen(ctx: CrawlerContext, source: SourceRow, cutoff: number): Promise<string[]> {
  const first_kept = utcDay(cutoff)
  const covered = await coveredDays(ctx, source, dayStart(first_kept))
  const found = new Set([...covered, ...(await daysOfFacts(ctx, source, first_kept))])
  return [...found].filter((day) => day < first_kept).sort()
}

/** Days before a day that have facts, without expired days that are not deleted yet. */
async function daysOfFacts(ctx: CrawlerContext, source: SourceRow, before: string): Promise<string[]> {
  const { db } = ctx.control
  const pending = await db.selectFrom('expired_days').select('day').where('source_id', '=', source.id).execute()
  const gone = new Set(pending.map((row) => row.day))
  return (await readFactDays(ctx, source, before)).filter((day) => !gone.has(day))
}

/**
 * Runs for every source every minute. An empty result is cached until this process stores facts of the site, for an
 * hour at most, because other processes may also store facts.
 */
async function readFactDays(ctx: CrawlerContext, source: SourceRow, before: string): Promise<string[]> {
  const { answers, storedFacts } = ctx.derived
  const key = JSON.stringify(['no facts', source.id, before])
  const version = `${storedFacts.of(source.site_id)} ${Math.floor(ctx.clock.now() / HOUR_MS)}`
  if (answers.get<string>(key) === version) return []
  const days = await ctx.evidence.all(factDays(source, before))
  if (days.length === 0) answers.set(key, version, BYTES_OF_VERSION)
  return days.map((row) => row.day)
}

const BYTES_OF_VERSION = 200

async function coveredDays(ctx: CrawlerContext, source: SourceRow, before?: number): Promise<string[]> {
  const all = ctx.control.db.selectFrom('coverage_intervals').selectAll().where('source_id', '=', source.id)
  const intervals = await (before === undefined ? all : all.where('from_at', '<', before)).execute()
  return [...splitByDay(intervals.map((row) => ({ from: row.from_at, to: row.to_at }))).keys()].sort()
}

const FactDay = Type.Object({ day: Type.String() })

const factDays = (source: SourceRow, before: string) => rows(FactDay)`
  SELECT DISTINCT toString(day) AS day
  FROM spoor.requests
  WHERE site_id = ${uuid(source.site_id)} AND source_id = ${uuid(source.id)} AND spoor.requests.day < ${date(before)}
  ORDER BY day`

const NewestReceipt = Type.Object({ day: Type.String(), received_at: count() })

const newestReceipts = (source: SourceRow, days: readonly string[], cutoff: number) => rows(NewestReceipt)`
  SELECT toString(day) AS day, toUInt64(toUnixTimestamp64Milli(max(received_at))) AS received_at
  FROM spoor.requests
  WHERE site_id = ${uuid(source.site_id)} AND source_id = ${uuid(source.id)} AND spoor.requests.day IN ${list('Date', days)}
    AND spoor.requests.received_at >= ${instant(cutoff)}
  GROUP BY day
  ORDER BY day`
