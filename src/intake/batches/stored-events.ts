/** Finds which requests with ids are already stored (rules 4). */
import Type from 'typebox'
import { list, rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'

/** Far below the longest list of a statement, because writing a list blocks the event loop. */
export const EVENTS_AT_ONCE = 1_250
const DAYS_AT_ONCE = 1_000

const Event = Type.Object({ event: Type.String() })

const storedEvents = (siteId: string, days: readonly string[], events: readonly string[]) => rows(Event)`
  SELECT DISTINCT toString(event) AS event FROM spoor.requests
  WHERE site_id = ${uuid(siteId)} AND day IN ${list('Date', days)} AND spoor.requests.event IN ${list('UInt128', events)}
  ORDER BY event`

/** Those of at most EVENTS_AT_ONCE events that are already facts of these days. */
export async function findStored(
  evidence: EvidenceStore,
  { site_id, days, events }: { site_id: string; days: readonly string[]; events: readonly string[] },
): Promise<Set<string>> {
  const found = new Set<string>()
  if (events.length === 0) return found
  for (let first = 0; first < days.length; first += DAYS_AT_ONCE) {
    const stored = await evidence.all(storedEvents(site_id, days.slice(first, first + DAYS_AT_ONCE), events), {
      is_urgent: true,
    })
    for (const { event } of stored) found.add(event)
  }
  return found
}
