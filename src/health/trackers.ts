/** Whether events arrive from trackers that their owners enabled. */

import { DAY_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { CollectionCountRow, TrackerRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import { findSnippetInspections } from '#inspections/snippet-inspections.ts'
import { formatCount, nameSome } from '#quantities.ts'
import { trackersWithProofs } from '#tracker/coverage/tracker-signals.ts'
import type { DiagnosticContext } from './check-health.ts'
import { type Finding, finding } from './findings.ts'

/** From how many refused events of a day, and what part of all, they are reported; before the first event, each. */
const REFUSED = { events: 10, part: 0.1 }

interface Tracked extends TrackerRow {
  root_domain: string
  /** Of the newest inspection. */
  inspected_at: number | null
  outcome: string | null
  last_proof_at: number | null
}

/** Nothing where no site has a tracker; sites whose owner switched it off are left alone. */
export async function checkTrackers({ control, clock, collection }: DiagnosticContext): Promise<Finding[]> {
  const trackers = await readTrackers(control)
  if (trackers.length === 0) return []
  const now = clock.now()
  const isSilent = ({ enabled_at, last_event_at }: Tracked) => (last_event_at ?? enabled_at) <= now - DAY_MS
  const unseen = (row: Tracked) => row.outcome !== null && row.outcome !== 'found' && !isProved(row)
  const silent = trackers.filter(isSilent)
  const missing = trackers.filter((row) => unseen(row) && row.outcome === 'not_found')
  const unreadable = trackers.filter((row) => unseen(row) && row.outcome !== 'not_found')
  const refused = await refusedOf(control, trackers, now)
  const state = collection?.()
  const behind_proxy = trackers.filter(({ site_id }) => state?.hidesAddresses?.(site_id) === true)
  const found = [
    ...report(
      'tracker_silent',
      silent.map(({ root_domain }) => root_domain),
    ),
    ...report(
      'snippet_missing',
      missing.map(({ root_domain }) => root_domain),
    ),
    ...report(
      'snippet_not_inspected',
      unreadable.map(({ root_domain, outcome }) => `${root_domain} (${outcome})`),
    ),
    ...report('events_refused', refused),
    ...report(
      'proxy_hides_addresses',
      behind_proxy.map(({ root_domain }) => root_domain),
    ),
  ]
  return found.length > 0 ? found : [finding('trackers', arriving(trackers))]
}

function arriving(trackers: readonly Tracked[]): string {
  const awaited = trackers.filter((row) => row.first_event_at === null).map(({ root_domain }) => root_domain)
  const arrived = trackers.length - awaited.length
  const come = arrived === 0 ? [] : [`Events of ${arrived === 1 ? '1 site' : `${arrived} sites`} arrive.`]
  const yet_to_come = awaited.length === 0 ? [] : [`No event yet: ${nameSome(awaited)}.`]
  return [...come, ...yet_to_come].join(' ')
}

const report = (code: Finding['code'], names: readonly string[]): Finding[] =>
  names.length === 0 ? [] : [finding(code, `${nameSome(names)}.`)]

const isProved = ({ inspected_at, last_proof_at }: Tracked) =>
  inspected_at !== null && last_proof_at !== null && last_proof_at >= inspected_at

async function readTrackers(control: ControlStore): Promise<Tracked[]> {
  const inspections = await findSnippetInspections(control.db)
  const trackers = await trackersWithProofs(control.db)
    .where('trackers.disabled_at', 'is', null)
    .orderBy('sites.root_domain')
    .execute()
  return trackers.map((tracker) => {
    const { inspected_at, outcome } = inspections.get(tracker.site_id) ?? { inspected_at: null, outcome: null }
    return { ...tracker, inspected_at, outcome }
  })
}

/** Sites with many refused events today or yesterday, each with its reasons, the most frequent first. */
async function refusedOf(control: ControlStore, trackers: readonly Tracked[], now: number): Promise<string[]> {
  const rows = await control.db
    .selectFrom('collection_counts')
    .selectAll()
    .where('day', '>=', utcDay(now - DAY_MS))
    .where('outcome', '!=', 'bot')
    .orderBy('reason')
    .execute()
  const bySite = Map.groupBy(rows, (row) => row.site_id)
  return trackers.flatMap(({ site_id, root_domain, first_event_at }) => {
    const counts = bySite.get(site_id) ?? []
    const reasons = sums(counts.filter((row) => row.outcome === 'refused'))
    const refused = reasons.reduce((total, [, events]) => total + events, 0)
    const all = counts.reduce((total, row) => total + row.events, 0)
    const least = first_event_at === null ? 1 : REFUSED.events
    if (refused < least || refused < all * REFUSED.part) return []
    return [
      `${root_domain} (${reasons.map(([reason, events]) => `${reason} ${formatCount(events)}`).join(', ')} of ${formatCount(all)})`,
    ]
  })
}

function sums(rows: readonly CollectionCountRow[]): [string, number][] {
  const byReason = [...Map.groupBy(rows, (row) => row.reason)]
  return byReason
    .map(([reason, days]): [string, number] => [reason, days.reduce((total, row) => total + row.events, 0)])
    .sort((a, b) => b[1] - a[1])
}
