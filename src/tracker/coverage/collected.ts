/** Reads the control store's records of a site's collection. Every tracker answer reads them first (rules 3, 6). */
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type {
  BuildRow,
  CollectionCountRow,
  CollectorRunRow,
  RefusedEvidenceRow,
  SnippetProofRow,
  TrackerPauseRow,
  TrackerRow,
} from '#control/tables.ts'
import type { TimeRange } from '#days/intervals.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import { findBuilds } from '#derived/builds.ts'
import { findDirtyDays } from '#derived/dirty-days.ts'
import { findSnippetInspections, type SnippetInspection } from '#inspections/snippet-inspections.ts'
import { findNamedRanges } from '../definitions/names-in-force.ts'
import { findFirstBrowserDay } from './first-browser-day.ts'

/** The collector records every 30 s that it is up. Without a record for longer than this, it was down (rules 6). */
export const MAX_SILENCE_MS = 90_000

export interface Collected {
  /** Null until the site gets its first tracker key. */
  tracker: TrackerRow | null
  retention_days: number
  pauses: TrackerPauseRow[]
  /** Runs of the collector that overlap the range; without one, the newest run. Ascending. */
  runs: CollectorRunRow[]
  /** Counts of events on the days of the range. */
  counts: CollectionCountRow[]
  /** Refused events of the range that may be missing evidence. */
  refused: RefusedEvidenceRow[]
  /** By event name: when definitions that name the event were in force. Empty if no event was refused. */
  named: ReadonlyMap<string, readonly TimeRange[]>
  /** Days of the range on which the inspection found the snippet. They are covered even without an event. */
  inspected_days: string[]
  /** Days of the range on which a page loaded the script. A load is a visit, so events should have followed. */
  loaded_days: string[]
  /** UTC day of the first accepted browser event, or inspection that found the snippet; null before both. */
  browsers_from: string | null
  /** When the snippet was last proven, also outside of the range; epoch milliseconds. */
  last_proof_at: number | null
  inspection: SnippetInspection | null
  /** Builds of closed days of the range. Builds of dirty days do not count. */
  builds: BuildRow[]
  dirty_days: string[]
  /** Days whose builds an older version made: they hold every event, but the pages of pageviews only. */
  outdated_days: string[]
}

/** Call it in the control snapshot of the answer. `as_of` is epoch milliseconds, by default the end of the range. */
export async function readCollected(
  tx: ControlTransaction,
  site_id: string,
  range: DayRange,
  as_of = dayStart(range.to) + DAY_MS,
): Promise<Collected> {
  const site = await tx.selectFrom('sites').select('retention_days').where('id', '=', site_id).executeTakeFirstOrThrow()
  const tracker = await tx.selectFrom('trackers').selectAll().where('site_id', '=', site_id).executeTakeFirst()
  const pauses = await tx.selectFrom('tracker_pauses').selectAll().where('site_id', '=', site_id).execute()
  return {
    tracker: tracker ?? null,
    retention_days: site.retention_days,
    pauses,
    runs: await readRuns(tx, range, as_of),
    ...(await readSignals(tx, site_id, range)),
    browsers_from: tracker?.browsers_from ?? (await findFirstBrowserDay(tx, site_id)),
    ...(await readRefused(tx, site_id, range)),
    builds: await findBuilds(tx, 'sessions', site_id, range),
    ...(await findDirtyDays(tx, 'sessions', site_id, range)),
  }
}

/** Runs that begin after `as_of` were recorded by a clock that was ahead. They prove nothing, and are left out. */
async function readRuns(tx: ControlTransaction, range: DayRange, as_of: number): Promise<CollectorRunRow[]> {
  const begun = tx.selectFrom('collector_runs').selectAll().where('from_at', '<=', as_of)
  const touching = await begun
    .where('through_at', '>=', dayStart(range.from) - MAX_SILENCE_MS)
    .orderBy('through_at')
    .execute()
  if (touching.length > 0) return touching
  return begun.orderBy('through_at', 'desc').limit(1).execute()
}

async function readSignals(tx: ControlTransaction, site_id: string, range: DayRange) {
  const counts = await tx
    .selectFrom('collection_counts')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .execute()
  const proofs = await tx
    .selectFrom('snippet_proofs')
    .select(['day', 'proof'])
    .where('site_id', '=', site_id)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .execute()
  const provedBy = (proof: SnippetProofRow['proof']) =>
    proofs.filter((row) => row.proof === proof).map(({ day }) => day)
  const proved = await tx
    .selectFrom('snippet_proofs')
    .select('proved_at')
    .where('site_id', '=', site_id)
    .orderBy('proved_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const inspection = (await findSnippetInspections(tx, site_id)).get(site_id)
  return {
    counts,
    inspected_days: provedBy('inspection'),
    loaded_days: provedBy('script_load'),
    last_proof_at: proved?.proved_at ?? null,
    inspection: inspection ?? null,
  }
}

/** Names are read only if events were refused, which is rare. */
async function readRefused(tx: ControlTransaction, site_id: string, range: DayRange) {
  const refused = await tx
    .selectFrom('refused_evidence')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .orderBy('day')
    .execute()
  const named: Collected['named'] = refused.length === 0 ? new Map() : await findNamedRanges(tx, site_id)
  return { refused, named }
}
