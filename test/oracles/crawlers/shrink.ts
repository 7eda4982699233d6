/**
 * The shortest history that still differs, by leaving out what is not needed: events first, then what deliveries show.
 */
import type { Event } from './events.ts'

type Differs = (events: readonly Event[]) => Promise<boolean>

/** `differs` may throw: an event may need one that was left out. */
export async function shrink(events: readonly Event[], differs: Differs): Promise<readonly Event[]> {
  const still = async (tried: readonly Event[]) => differs(tried).catch(() => false)
  let shortest = events
  for (let size = Math.ceil(events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = shortest.length - size; at > -size; at -= size) {
      // Time stays: what a delivery shows would lie ahead of the clock otherwise.
      const tried = shortest.filter((event, index) => event.do === 'clock' || index < at || index >= at + size)
      if (tried.length < shortest.length && (await still(tried))) shortest = tried
    }
  }
  for (let at = 0; at < shortest.length; at++) {
    for (const simpler of simplerOf(shortest[at] as Event)) {
      const tried = shortest.map((event, index) => (index === at ? simpler : event))
      if (await still(tried)) shortest = tried
    }
  }
  return shortest
}

function simplerOf(event: Event): Event[] {
  if (event.do === 'ask') return [{ ...event, purposes: null, limit: null }]
  if (event.do !== 'batch' && event.do !== 'upload') return []
  const { visits } = event
  return [
    { ...event, visits: [] },
    { ...event, visits: visits.slice(0, Math.floor(visits.length / 2)) },
    { ...event, visits: visits.slice(0, 1) },
    { ...event, unreadable: 0 },
  ]
}
