/** The site's owner while he decides who counts which host: opens and closes the gate, and assigns. */
import { type Event, uploadsOf } from './events.ts'
import { HOSTS, START, type Story } from './story.ts'
import { dayName, dayOf } from './time.ts'

export interface Decider {
  is_open: boolean
  /**
   * Hosts that he has assigned himself: those alone are assigned from tomorrow, for of a host that has no assignment
   * yet the specification says nothing.
   */
  assigned: Set<string>
}

export const decider = (): Decider => ({ is_open: false, assigned: new Set() })

/** At most one decision, and sometimes an unassigned host appears afterwards. */
export function decideAuthority(story: Story, decider: Decider, sources: readonly string[]): void {
  const { chance, events } = story
  if (chance.happens(decider.is_open ? 0.12 : 0.5)) {
    decider.is_open = !decider.is_open
    events.push({ do: 'gate', is_open: decider.is_open })
    if (chance.happens(0.5)) story.hosts = HOSTS
  } else if (sources.length > 0 && chance.happens(decider.is_open ? 0.4 : 0.1)) {
    assign(story, decider, sources)
  }
}

function assign({ chance, events, now }: Story, decider: Decider, sources: readonly string[]): void {
  const host = chance.one(HOSTS)
  const days = dayOf(now) - dayOf(START)
  const latest = decider.assigned.has(host) ? days + 1 : days
  const from = dayName(dayOf(START) + chance.one([chance.whole(0, latest), latest, Math.max(0, days - 2)]))
  decider.assigned.add(host)
  events.push({ do: 'assign', host, source: chance.one(sources), from })
}

/**
 * Each source that sends records shows the status of a crawler's request in its first delivery: what one learns of a
 * source later would make it another promise, and the specification does not say from which of a delivery's days on.
 */
export function showStatuses(events: readonly Event[]): void {
  const shown = new Set<string>()
  for (const event of events) {
    if (event.do !== 'batch' && event.do !== 'upload') continue
    const source = event.do === 'batch' ? event.source : uploadsOf(event.server)
    const [heartbeat] = event.do === 'batch' ? event.heartbeats : []
    const at = event.humans[0]?.from ?? event.visits[0]?.at ?? heartbeat?.from
    // Who proves one host's time sends no records.
    if (shown.has(source) || at === undefined || heartbeat?.host) continue
    shown.add(source)
    const host = (event.do === 'upload' ? event.host : null) ?? HOSTS[0]
    event.visits.push({ at, agent: 'gptbot', host: host ?? '', path: '/', status: 200 })
  }
}
