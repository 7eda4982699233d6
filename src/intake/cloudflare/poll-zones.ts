/** Polls connected zones (decisions 3.7): the newest hours, the last three again, then missing ones, newest first. */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ZoneRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import { Refusal } from '#refusal.ts'
import type { CloudflareApi } from './api.ts'
import type { PolledZone } from './commit-hours.ts'
import { apiOf, sealContext, type ZoneContext } from './context.ts'
import { dueHours, READ_DELAY_MS, readableEnd } from './due-hours.ts'
import { noteFailedHours } from './failed-hours.ts'
import { CloudflareFailure } from './failure.ts'
import { queryBudget } from './query-budget.ts'
import { type HoursRead, readHours } from './read-hours.ts'
import { noteRefusedFields } from './refused-fields.ts'
import { listHostnames, verifyToken } from './token-and-zones.ts'
import { adoptHosts } from './zone-coverage.ts'
import { noteFailedPoll, noteGoodPoll, noteRevoked, postponePoll } from './zone-states.ts'

export interface PollRound {
  /** The number of polled zones. */
  zones: number
  /** The number of hours that were read and count. */
  hours: number
}

/**
 * Polls every due zone, one after the other, and stops before the next request once `signal` is aborted; hours that
 * were read count. Failures of Cloudflare become the state of the zone; errors of the stores are thrown after all zones
 * were polled. It must not run under `--clock` (rules 4).
 */
export async function pollZones(ctx: ZoneContext, signal: AbortSignal): Promise<PollRound> {
  const round: PollRound = { zones: 0, hours: 0 }
  const failures: unknown[] = []
  for (const zone of await findDueZones(ctx)) {
    if (signal.aborted) break
    round.zones++
    try {
      round.hours += await pollZone(ctx, zone, signal)
    } catch (error) {
      // A stop is not a failure; the zone is still due.
      if (signal.aborted) break
      ctx.onPolled?.({ hours: 0, fault: 'not_stored' })
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} zones could not be stored`)
  return round
}

interface DueZone extends PolledZone {
  retention_days: number
}

async function findDueZones(ctx: ZoneContext): Promise<DueZone[]> {
  const rows = await ctx.control.db
    .selectFrom('zones')
    .innerJoin('sources', 'sources.id', 'zones.source_id')
    .innerJoin('sites', 'sites.id', 'sources.site_id')
    .selectAll('zones')
    .select(['sites.id as site_id', 'sites.root_domain', 'sites.retention_days'])
    .where('sources.connection_status', 'in', ['pending', 'live', 'error'])
    .where('zones.sealed_token', 'is not', null)
    .where('zones.next_poll_at', '<=', ctx.clock.now())
    .orderBy('zones.next_poll_at')
    .orderBy('zones.source_id')
    .execute()
  return rows.map(({ site_id, root_domain, retention_days, ...zone }) => ({
    zone,
    site_id,
    root_domain,
    retention_days,
  }))
}

/** Polls a zone; returns the number of read hours. */
async function pollZone(ctx: ZoneContext, due: DueZone, signal: AbortSignal): Promise<number> {
  const { zone } = due
  const polled_at = ctx.clock.now()
  const token = openToken(ctx, zone)
  if (token === null) {
    await noteFailedPoll(ctx.control, zone, { polled_at, fault: 'token_unreadable', retry_after_ms: null })
    ctx.onPolled?.({ hours: 0, fault: 'token_unreadable' })
    return 0
  }
  const api = apiOf(ctx, token, signal)
  const budget = queryBudget(ctx, token)
  const named = await withCurrentHostnames(ctx, due, api, () => budget.take())
  const reading = await readHours(ctx, { ...due, zone: named }, await findHours(ctx, due), { api, budget, signal })
  await noteRefusedFields(ctx.control, zone, reading.refused_fields)
  if (reading.end !== 'gone') await noteFailedHours(ctx.control, zone, reading.failed, ctx.clock.now())
  await noteEnd(ctx, reading, { zone, api, polled_at, budget_at: await budget.nextAt() })
  ctx.onPolled?.({ hours: reading.read, fault: reading.failure?.fault ?? null })
  return reading.read
}

/** The token; null: it is sealed with another key, or damaged. */
function openToken(ctx: ZoneContext, { source_id, sealed_token }: ZoneRow): string | null {
  try {
    return ctx.cloudflare.secrets.open(sealed_token as string, sealContext(source_id))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** The zone with the names of its DNS records, which are read once a day if the token may read them. */
async function withCurrentHostnames(
  ctx: ZoneContext,
  { zone, root_domain }: DueZone,
  api: CloudflareApi,
  mayAsk: () => Promise<boolean>,
): Promise<ZoneRow> {
  const now = ctx.clock.now()
  if (!areNamesDue(zone, now)) return zone
  const names = await listHostnames(api, zone.zone_id, mayAsk).catch((error: unknown) => {
    // The earlier list stays, with the time of its check; the hours show whether Cloudflare answers.
    if (error instanceof CloudflareFailure) return null
    throw error
  })
  if (names === null) return zone
  const { proxied, unproxied } = names
  const read = {
    proxied: JSON.stringify(proxied),
    unproxied: JSON.stringify(unproxied),
    hostnames_checked_at: now,
  }
  await ctx.control.transaction(async (tx) => {
    await tx.updateTable('zones').set(read).where('source_id', '=', zone.source_id).execute()
    await adoptHosts(tx, { source_id: zone.source_id, root_domain }, zone, { ...zone, ...read })
  })
  return { ...zone, ...read }
}

/** Whether names must be read. If they never were, the first poll of a UTC day tries: DNS Read may have been added. */
function areNamesDue({ hostnames_checked_at, last_poll_at }: ZoneRow, now: number): boolean {
  if (hostnames_checked_at !== null) return now - hostnames_checked_at >= DAY_MS
  return last_poll_at !== null && utcDay(last_poll_at) !== utcDay(now)
}

async function findHours(ctx: ZoneContext, { zone, retention_days }: DueZone) {
  const readings = await ctx.control.db
    .selectFrom('hour_readings')
    .select(['hour', 'read_at'])
    .where('source_id', '=', zone.source_id)
    .execute()
  const failed = await ctx.control.db
    .selectFrom('failed_hours')
    .select(['hour', 'next_try_at'])
    .where('source_id', '=', zone.source_id)
    .execute()
  return dueHours(zone, readings, failed, retention_days, ctx.clock.now())
}

interface Poll {
  zone: ZoneRow
  api: CloudflareApi
  polled_at: number
  /** When the next query is within the budget, epoch milliseconds. */
  budget_at: number
}

/** Records the result of the poll and the time of the next one. Recent hours decide; missing ones are retried. */
async function noteEnd({ control, clock }: ZoneContext, reading: HoursRead, poll: Poll): Promise<void> {
  const { end, failure, is_behind } = reading
  const { zone, api, polled_at } = poll
  const now = clock.now()
  if (end === 'gone') return
  if (failure?.fault === 'not_permitted' && (await isRejected(api))) await noteRevoked(control, zone, polled_at)
  else if (is_behind && failure !== null) {
    const { fault, retry_after_ms } = failure
    await noteFailedPoll(control, zone, { polled_at, fault, retry_after_ms })
  } else {
    const next_poll_at = nextPollAt(now, reading, poll)
    if (is_behind) await postponePoll(control, zone, next_poll_at)
    else await noteGoodPoll(control, zone, { polled_at, next_poll_at })
  }
}

/** When the next hour can be read, or earlier, when Cloudflare may be asked again for missing hours. */
function nextPollAt(now: number, { end, failure, was_ended_early }: HoursRead, { budget_at }: Poll): number {
  if (end === 'stopped') return now
  if (end === 'no_budget') return budget_at
  const next_hour = readableEnd(now) + HOUR_MS + READ_DELAY_MS
  // The hours after the failed ones are read soon.
  if (was_ended_early) return Math.min(next_hour, now + READ_DELAY_MS)
  return failure?.fault === 'rate_limited' ? Math.min(next_hour, now + (failure.retry_after_ms ?? HOUR_MS)) : next_hour
}

/** Whether the token itself is rejected; a missing permission may still be granted. */
async function isRejected(api: CloudflareApi): Promise<boolean> {
  try {
    await verifyToken(api)
    return false
  } catch (error) {
    if (error instanceof CloudflareFailure) return error.fault === 'token_rejected'
    throw error
  }
}
