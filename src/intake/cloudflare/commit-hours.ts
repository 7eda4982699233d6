/**
 * Stores hours of a zone as facts. The order keeps answers safe: (1) marks days dirty and readings as retired, (2)
 * writes facts, (3) writes coverage and the counting readings in one transaction (rules 3). A crash in between leaves
 * facts of a reading that never counts; the next poll reads the hours again.
 */
import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '#clock.ts'
import { nextTimedNumber } from '#control/settings.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow, ZoneRow } from '#control/tables.ts'
import { withOpenDay } from '#crawlers/coverage/open-day.ts'
import { utcDay } from '#days/utc-day.ts'
import { markDays, releaseDays } from '#derived/dirty-days.ts'
import { deleteExpiredDays } from '#retention/delete-expired.ts'
import { eraseAgain } from '#sites/erase-removed.ts'
import { HostNames } from '../facts/host-limit.ts'
import { findInspectionIds } from '../facts/own-inspections.ts'
import { storeFacts } from '../facts/store-facts.ts'
import { readHosts } from '../facts/stored-hosts.ts'
import { abandonDelivery } from '../import/recover-broken-deliveries.ts'
import type { ZoneContext } from './context.ts'
import { hourFacts } from './hour-facts.ts'
import { recallReading, retireReading } from './retired-readings.ts'
import type { HourRead } from './slice-hour.ts'
import { classifyAgents } from './zone-agents.ts'
import { coverDay, type DayRead } from './zone-coverage.ts'
import { isStillPolled } from './zone-states.ts'

export interface PolledZone {
  zone: ZoneRow
  site_id: string
  root_domain: string
}

/** Commits hours of one UTC day. Returns false if polling of the source has stopped; then none of the hours counts. */
export async function commitHours(ctx: ZoneContext, polled: PolledZone, hours: readonly HourRead[]): Promise<boolean> {
  const { site_id, zone } = polled
  const delivery = { id: randomUUID(), site_id, source_id: zone.source_id }
  const day = utcDay((hours[0] as HourRead).hour)
  // Otherwise hours that are read again would be deleted with the expired ones.
  await deleteExpiredDays(ctx, { source_id: zone.source_id })
  const readings = await ctx.control.transaction((tx) => openDelivery(ctx, tx, polled, delivery, day, hours))
  if (readings === null) return false
  try {
    const has_statuses = await writeFacts(ctx, polled, delivery, hours, readings)
    return await ctx.control.transaction((tx) =>
      closeDelivery(ctx, tx, polled, delivery, { day, hours, readings, has_statuses }),
    )
  } catch (error) {
    if (await abandonDelivery(ctx, delivery)) return false
    throw error
  }
}

interface Delivery {
  id: string
  site_id: string
  source_id: string
}

/** The numbers of the readings by hour, or null if polling of the source has stopped. */
async function openDelivery(
  ctx: ZoneContext,
  tx: ControlTransaction,
  { zone }: PolledZone,
  { id, site_id, source_id }: Delivery,
  day: string,
  hours: readonly HourRead[],
): Promise<Map<number, number> | null> {
  if (!(await isStillPolled(tx, zone))) return null
  const [started_at, retired_at] = [ctx.clock.now(), ctx.clock.shared()]
  const { node_id } = ctx.intake
  await tx
    .insertInto('deliveries')
    .values({ id, site_id, source_id, state: 'writing', started_at, finished_at: null, node_id })
    .execute()
  await markDays(tx, { kind: 'crawlers', cause: id, state: 'writing', now: started_at }, [{ site_id, day }])
  const readings = new Map<number, number>()
  for (const { hour } of hours) {
    const reading = await nextTimedNumber(tx, LAST_READING, started_at)
    readings.set(hour, reading)
    // Retired at once: if this process dies before the reading counts, its facts are deleted like those of old ones.
    await retireReading(tx, { site_id, source_id, reading, hour, delivery_id: id, retired_at })
  }
  return readings
}

const LAST_READING = 'last_reading'

/** Writes the facts; returns whether any of them has a status. */
async function writeFacts(
  ctx: ZoneContext,
  { root_domain }: PolledZone,
  { id, site_id, source_id }: Delivery,
  hours: readonly HourRead[],
  readings: ReadonlyMap<number, number>,
): Promise<boolean> {
  const received_at = ctx.clock.now()
  const names = new HostNames(await readHosts(ctx.evidence, site_id))
  const { hour: at } = hours[0] as HourRead
  await ctx.prover.refresh()
  const begun = Math.min(...hours.map(({ hour }) => hour)) - HOUR_MS
  const own_inspections = await findInspectionIds(ctx.control.db, site_id, begun)
  const agents = classifyAgents(await ctx.registries.current(), ctx.prover, { at, received_at, own_inspections })
  const facts = hours.flatMap((read) =>
    hourFacts(read, { source_id, reading: readings.get(read.hour) as number, root_domain }, agents.judge, (host) =>
      names.stored(host),
    ),
  )
  if (facts.length > 0)
    await storeFacts(ctx, { site_id, source_id, delivery_id: id, received_at }, facts, agents.automated())
  return facts.some((fact) => fact.status_raw !== 0)
}

interface Written {
  day: string
  hours: readonly HourRead[]
  readings: ReadonlyMap<number, number>
  has_statuses: boolean
}

async function closeDelivery(
  ctx: ZoneContext,
  tx: ControlTransaction,
  polled: PolledZone,
  { id, source_id }: Delivery,
  { day, hours, readings, has_statuses }: Written,
): Promise<boolean> {
  const finished_at = ctx.clock.now()
  await releaseDays(tx, id)
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'finished', finished_at })
    .where((is) => is.and({ id, state: 'writing' }))
    .executeTakeFirst()
  // Older deliveries are deleted, because every hour has one.
  await tx
    .deleteFrom('deliveries')
    .where((is) => is.and([is('source_id', '=', source_id), is('state', '!=', 'writing'), is('id', '!=', id)]))
    .execute()
  if (!(await isStillPolled(tx, polled.zone))) {
    // If the site has been removed, these facts may have been stored after its evidence was erased.
    await eraseAgain(tx, polled.site_id)
    return false
  }
  // The delivery was marked as broken meanwhile, so that its facts may be deleted: the next poll reads the hours again.
  if (numUpdatedRows === 0n)
    throw new Error('Other nodes gave up waiting for this one while it stored hours of a zone.')
  const day_read = await findFirstHours(tx, source_id, day, hours)
  for (const read of hours) {
    await replaceReading(
      tx,
      { site_id: polled.site_id, source_id, delivery_id: id, read_at: finished_at, retired_at: ctx.clock.shared() },
      read,
      readings.get(read.hour) as number,
    )
  }
  const source = await tx.selectFrom('sources').selectAll().where('id', '=', source_id).executeTakeFirstOrThrow()
  await withOpenDay(tx, polled.site_id, finished_at, async () => {
    await coverDay(tx, source, polled, day_read)
    await recordEvidence(tx, source, Math.max(...hours.map(({ hour }) => hour + HOUR_MS)), has_statuses)
  })
  return true
}

/** Which of these hours have no reading yet. */
async function findFirstHours(
  tx: ControlTransaction,
  source_id: string,
  day: string,
  hours: readonly HourRead[],
): Promise<DayRead> {
  const earlier = await tx.selectFrom('hour_readings').select('hour').where('source_id', '=', source_id).execute()
  const known = new Set(earlier.map(({ hour }) => hour))
  const first_hours = new Set(hours.map(({ hour }) => hour).filter((hour) => !known.has(hour)))
  return { day, first_hours, is_first: earlier.length === 0 }
}

async function replaceReading(
  tx: ControlTransaction,
  {
    site_id,
    source_id,
    delivery_id,
    read_at,
    retired_at,
  }: { site_id: string; source_id: string; delivery_id: string; read_at: number; retired_at: number },
  { hour, sampling, is_capped }: HourRead,
  reading: number,
): Promise<void> {
  const old = await tx
    .selectFrom('hour_readings')
    .select('reading')
    .where((is) => is.and({ source_id, hour }))
    .executeTakeFirst()
  if (old !== undefined) {
    await retireReading(tx, { site_id, source_id, reading: old.reading, hour, delivery_id, retired_at })
  }
  const row = { reading, read_at, sampling, is_capped: is_capped ? (1 as const) : (0 as const) }
  await tx
    .insertInto('hour_readings')
    .values({ source_id, hour, ...row })
    .onConflict((conflict) => conflict.columns(['source_id', 'hour']).doUpdateSet(row))
    .execute()
  await recallReading(tx, source_id, reading)
  await tx.deleteFrom('failed_hours').where('source_id', '=', source_id).where('hour', '=', hour).execute()
}

/** A zone is primary with its first durable evidence; afterwards the owner decides (rules 3). */
async function recordEvidence(
  tx: ControlTransaction,
  source: SourceRow,
  through: number,
  has_statuses: boolean,
): Promise<void> {
  await tx
    .updateTable('sources')
    .set({
      is_primary: source.data_through === null ? 1 : source.is_primary,
      data_through: Math.max(source.data_through ?? through, through),
      has_statuses: has_statuses ? 1 : source.has_statuses,
    })
    .where('id', '=', source.id)
    .execute()
}
