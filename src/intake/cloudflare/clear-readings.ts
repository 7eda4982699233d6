/** Facts of readings that no longer count go some time after every reader that may still use them (rules 4, as retired builds). */
import { MINUTE_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { type Fragment, list, sql, uuid } from '#evidence/sql.ts'

/** Longer than any statement that may still read the facts. */
const READERS_GONE_MS = 10 * MINUTE_MS
const READINGS_AT_ONCE = 1_000

/** Deletes what was retired long enough ago and is not being written; returns how many readings are gone. A crash only repeats it. */
export async function clearReadings(ctx: CrawlerContext): Promise<number> {
  const retired = await ctx.control.db
    .selectFrom('retired_readings')
    .innerJoin('sources', 'sources.id', 'retired_readings.source_id')
    .leftJoin('deliveries', 'deliveries.id', 'retired_readings.delivery_id')
    .select(['reading', 'hour', 'sources.site_id'])
    .where('retired_at', '<=', ctx.clock.now() - READERS_GONE_MS)
    .where((row) => row.or([row('deliveries.state', 'is', null), row('deliveries.state', '!=', 'writing')]))
    .orderBy('reading')
    .execute()
  for (const [site_id, rows] of Map.groupBy(retired, (row) => row.site_id)) {
    for (let at = 0; at < rows.length; at += READINGS_AT_ONCE) {
      const batch = rows.slice(at, at + READINGS_AT_ONCE)
      const readings = batch.map((row) => row.reading)
      await ctx.evidence.run(deleteReadings(site_id, [...new Set(batch.map((row) => utcDay(row.hour)))], readings))
      await ctx.control.db.deleteFrom('retired_readings').where('reading', 'in', readings).execute()
    }
  }
  return retired.length
}

const deleteReadings = (site_id: string, days: readonly string[], readings: readonly number[]): Fragment => sql`
  DELETE FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND reading IN ${list('UInt64', readings)}`
