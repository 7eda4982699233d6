/** Reads the hours of a poll in order, and commits them by UTC day, as far as budget, provider and signal allow. */

import type { Registry } from '#crawlers/registry/classify.ts'
import { utcDay } from '#days/utc-day.ts'
import type { CloudflareApi } from './api.ts'
import { commitHours, type PolledZone } from './commit-hours.ts'
import type { ZoneContext } from './context.ts'
import type { DueHours } from './due-hours.ts'
import { CloudflareFailure, type ZoneFault } from './failure.ts'
import type { QueryBudget } from './query-budget.ts'
import { noteRefusedFields } from './refused-fields.ts'
import { type OptionalField, optionalField, readGroups } from './request-groups.ts'
import { type HourRead, readHour, type TimeSlice } from './slice-hour.ts'
import { withoutHumans } from './zone-agents.ts'

export interface HoursRead {
  /** The number of hours that count now. */
  read: number
  /** Some recent hours were not read. */
  is_behind: boolean
  /** The first failure; those of recent hours precede those of missing ones. */
  failure: CloudflareFailure | null
  /** Hours that failed by themselves, each with its fault. */
  failed: Map<number, ZoneFault>
  /** The next poll reads the other hours, because too many failed for the first time. */
  was_ended_early: boolean
  /** `gone`: the owner has disconnected the zone, or replaced its token, during the poll. */
  end: 'done' | 'no_budget' | 'stopped' | 'gone'
  refused_fields: OptionalField[]
}

export interface Asking {
  api: CloudflareApi
  budget: QueryBudget
  signal: AbortSignal
}

/** Faults after which another query would fail, too. */
const PERSISTENT_FAULTS: ReadonlySet<ZoneFault> = new Set([
  'unreachable',
  'rate_limited',
  'not_permitted',
  'token_rejected',
  'zone_missing',
  'field_refused',
  'too_old',
])
/**
 * After this many hours that failed for the first time the poll ends: more failures are probably not due to single
 * hours. Hours that failed before are not counted, so that they do not keep later hours from being read.
 */
const MAX_NEW_FAILURES = 3
/** The most groups in memory before a commit. */
const MAX_GROUPS = 50_000

/** Reads due hours of a zone, recent ones first, within the budget of queries. */
export async function readHours(
  ctx: ZoneContext,
  polled: PolledZone,
  hours: DueHours,
  asking: Asking,
): Promise<HoursRead> {
  const refused = new Set(JSON.parse(polled.zone.refused_fields) as OptionalField[])
  const ask = sliceReader(polled, asking, refused, await ctx.registries.current())
  const unread_recent = new Set(hours.recent)
  const failures: CloudflareFailure[] = []
  const failed = new Map<number, ZoneFault>()
  let new_failures = 0
  let read = 0
  let waiting: HourRead[] = []
  let end: HoursRead['end'] = 'done'
  const commit = async () => {
    const batch = waiting
    waiting = []
    if (batch.length === 0 || end === 'gone') return
    // Before their coverage, which says whether these hours name pages.
    await noteRefusedFields(ctx.control, polled.zone, [...refused])
    if (await commitHours(ctx, polled, batch)) read += batch.length
    else end = 'gone'
  }
  for (const hour of [...hours.recent, ...hours.missing]) {
    if (isBatch(waiting, hour)) await commit()
    if (end !== 'done' || new_failures >= MAX_NEW_FAILURES) break
    try {
      waiting.push(await readHour(ask, hour, polled.zone))
      unread_recent.delete(hour)
    } catch (error) {
      if (error instanceof PollEnded) end = error.why
      else if (!(error instanceof CloudflareFailure)) throw error
      else {
        failures.push(error)
        if (PERSISTENT_FAULTS.has(error.fault)) break
        failed.set(hour, error.fault)
        if (!hours.failed_before.has(hour)) new_failures++
      }
    }
  }
  await commit()
  const [failure = null] = failures
  const was_ended_early = new_failures >= MAX_NEW_FAILURES
  return {
    read,
    end,
    failure,
    failed,
    was_ended_early,
    is_behind: unread_recent.size > 0,
    refused_fields: [...refused],
  }
}

/** Whether waiting hours must be committed: a delivery has one UTC day, and therefore one month. */
function isBatch(waiting: readonly HourRead[], next: number): boolean {
  const [first] = waiting
  if (first === undefined) return false
  const groups = waiting.reduce((sum, read) => sum + read.groups.length, 0)
  return groups >= MAX_GROUPS || utcDay(first.hour) !== utcDay(next)
}

/** Thrown to end the poll without a failure: the hour is read later. */
class PollEnded extends Error {
  readonly why: 'no_budget' | 'stopped'
  constructor(why: 'no_budget' | 'stopped') {
    super(why)
    this.why = why
  }
}

/** Reads slices of a zone. A field that the plan refuses is added to `refused` and left out from then on. */
function sliceReader(
  { zone }: PolledZone,
  { api, budget, signal }: Asking,
  refused: Set<OptionalField>,
  registry: Registry,
): (from: number, to: number) => Promise<TimeSlice> {
  const asked = { zone_id: zone.zone_id, limit: zone.max_page_size, without: refused }
  return async (from, to) => {
    for (;;) {
      if (signal.aborted) throw new PollEnded('stopped')
      if (!(await budget.take())) throw new PollEnded('no_budget')
      try {
        const groups = await readGroups(api, { ...asked, from, to })
        return withoutHumans(
          groups,
          ({ dimensions }) => !!dimensions.verifiedBotCategory || registry.isAutomated(dimensions.userAgent),
        )
      } catch (error) {
        if (signal.aborted) throw new PollEnded('stopped')
        const field = error instanceof CloudflareFailure ? optionalField(error.field) : null
        if (field === null || refused.has(field)) throw error
        refused.add(field)
      }
    }
  }
}
