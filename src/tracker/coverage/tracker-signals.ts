/** Whether the trackers of all sites send events, from the control store alone (rules 6, operational). */
import type { ControlDb } from '#control/store.ts'
import type { TrackerRow } from '#control/tables.ts'
import { findSnippetInspections } from '#inspections/snippet-inspections.ts'
import { isSilent } from './operational.ts'

export interface TrackerSignal {
  site_id: string
  root_domain: string
  /** Epoch milliseconds. */
  last_event_at: number | null
  /** `awaited`: no event was ever accepted. */
  signal: 'live' | 'no_signal' | 'disabled' | 'awaited'
}

export async function readTrackerSignals(db: ControlDb, now: number): Promise<TrackerSignal[]> {
  const inspections = await findSnippetInspections(db)
  const rows = await trackersWithProofs(db).orderBy('trackers.site_id').execute()
  return rows.map(({ root_domain, last_proof_at, ...tracker }) => {
    const { site_id, last_event_at } = tracker
    const inspection = inspections.get(site_id) ?? null
    const is_silent = isSilent({ tracker, inspection, last_proof_at }, now)
    return { site_id, root_domain, last_event_at, signal: signalOf(tracker, is_silent) }
  })
}

function signalOf(
  { disabled_at, first_event_at }: Pick<TrackerRow, 'disabled_at' | 'first_event_at'>,
  is_silent: boolean,
): TrackerSignal['signal'] {
  if (disabled_at !== null) return 'disabled'
  if (first_event_at === null) return 'awaited'
  return is_silent ? 'no_signal' : 'live'
}

/** The trackers of all sites, each with the time of the last proof that a page has the snippet (`last_proof_at`). */
export const trackersWithProofs = (db: ControlDb) =>
  db
    .selectFrom('trackers')
    .innerJoin('sites', 'sites.id', 'trackers.site_id')
    .selectAll('trackers')
    .select('sites.root_domain')
    .select(({ selectFrom }) =>
      selectFrom('snippet_proofs as proof')
        .whereRef('proof.site_id', '=', 'trackers.site_id')
        .select(({ fn }) => fn.max('proof.proved_at').as('at'))
        .as('last_proof_at'),
    )
