/** Whether collection works, apart from what it measured: the state machine of rules 6. */
import { DAY_MS, HOUR_MS, instantText } from '#clock.ts'
import type { Operational } from '#contract/tracker-meta.ts'
import type { RecentCollection } from '../context.ts'
import type { Collected } from './collected.ts'

/** Refusals which show that pages of another origin used the site's key. */
const OF_ORIGIN: ReadonlySet<string> = new Set(['foreign_origin', 'origin_missing', 'url_of_another_site'])
/** The owner had switched the tracker off. After it is switched on again, these refusals need no attention. */
const WANTED = 'tracker_disabled'

/** `recent` has the collector's counts of the last hour; null without a collector, then `collected.counts` is used. */
export function judgeOperation(collected: Collected, recent: RecentCollection | null, as_of: number): Operational {
  const operational = (state: Operational['state'], reason_code: string | null): Operational => ({
    contract_version: 'operational/v1',
    subject: 'core_collection',
    state,
    reason_code,
    checked_at: state === 'not_set_up' ? null : instantText(as_of),
    coverage: { mode: 'browser_tracker', observed_only: true },
  })
  const { tracker } = collected
  if (tracker === null) return operational('not_set_up', null)
  if (tracker.disabled_at !== null) return operational('disabled', 'disabled_by_owner')
  if (tracker.first_event_at === null) return operational('connecting', 'no_event_yet')
  const trouble = findTrouble(collected, recent ?? recentOf(collected, as_of), as_of)
  return trouble === null ? operational('live', null) : operational('needs_attention', trouble)
}

function findTrouble(collected: Collected, recent: RecentCollection, as_of: number): string | null {
  const refused = Object.entries(recent.refused).filter(([reason]) => reason !== WANTED)
  const all = sum(refused)
  if (all > 0 && all >= recent.accepted) {
    return 2 * sum(refused.filter(([reason]) => OF_ORIGIN.has(reason))) >= all ? 'origin_mismatch' : 'events_refused'
  }
  if (recent.hides_addresses) return 'proxy_hides_addresses'
  return isSilent(collected, as_of) ? 'no_signal' : null
}

const sum = (counts: readonly [string, number][]) => counts.reduce((total, [, events]) => total + events, 0)

/** Whether there was no event for 24 hours, and the last inspection of the home page did not find the snippet. */
export function isSilent(
  { tracker, inspection, last_proof_at }: Pick<Collected, 'tracker' | 'inspection' | 'last_proof_at'>,
  as_of: number,
): boolean {
  const day_ago = as_of - DAY_MS
  const newest = Math.max(tracker?.last_event_at ?? Number.NEGATIVE_INFINITY, last_proof_at ?? Number.NEGATIVE_INFINITY)
  return newest <= day_ago && inspection?.outcome === 'not_found'
}

/** Counts of the days that were updated within the last hour, in place of counts of that hour. */
function recentOf({ counts }: Collected, as_of: number): RecentCollection {
  const fresh = counts.filter((row) => row.last_at > as_of - HOUR_MS)
  const accepted = fresh.filter((row) => row.outcome === 'accepted').reduce((sum, row) => sum + row.events, 0)
  const byReason = Object.groupBy(
    fresh.filter((row) => row.outcome === 'refused'),
    (row) => row.reason,
  )
  const refused = Object.fromEntries(
    Object.entries(byReason).map(([reason, rows = []]) => [reason, rows.reduce((sum, row) => sum + row.events, 0)]),
  )
  return { accepted, refused, hides_addresses: false }
}
