/** Counts a site's events of the last 60 minutes, in memory only, for warnings to its owner (rules 6). */
import { type Clock, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { CollectionCountRow } from '#control/tables.ts'
import type { RecentCollection } from '../context.ts'
import { addTo } from './sums.ts'

export interface RecentHour {
  count(counted: { site_id: string; outcome: CollectionCountRow['outcome']; reason: string; events: number }): void
  /** Notes the client of a visitor's events; network and user agent are forgotten after an hour. */
  noteClient(site_id: string, network: string, user_agent: string): void
  /** Null until the collector has been up for an hour. */
  of(site_id: string): RecentCollection | null
}

interface Minute {
  /** Minutes of the monotonic clock. */
  number: number
  accepted: number
  refused: Map<string, number>
  /** Networks of visitors' events; two are enough to know that there are several. */
  networks: Set<string>
  agents: Set<string>
  requests: number
}

const MINUTES = HOUR_MS / MINUTE_MS
const ENOUGH_NETWORKS = 2
/** With at least this many user agents and requests, more than one address is expected. */
const ENOUGH_AGENTS = 3
const ENOUGH_REQUESTS = 20

export function openRecentHour(clock: Clock): RecentHour {
  const sites = new Map<string, Minute[]>()
  const begun = clock.elapsed()
  const minuteOf = (site_id: string): Minute => {
    const number = Math.floor(clock.elapsed() / MINUTE_MS)
    const minutes = sites.get(site_id) ?? []
    if (minutes.length === 0) sites.set(site_id, minutes)
    const last = minutes.at(-1)
    if (last?.number === number) return last
    const fresh = {
      number,
      accepted: 0,
      refused: new Map(),
      networks: new Set<string>(),
      agents: new Set<string>(),
      requests: 0,
    }
    minutes.push(fresh)
    while ((minutes[0] as Minute).number <= number - MINUTES) minutes.shift()
    return fresh
  }
  return {
    count({ site_id, outcome, reason, events }) {
      if (outcome !== 'accepted' && outcome !== 'refused') return
      const minute = minuteOf(site_id)
      if (outcome === 'accepted') minute.accepted += events
      else addTo(minute.refused, reason, events)
    },
    noteClient(site_id, network, user_agent) {
      const minute = minuteOf(site_id)
      minute.requests++
      if (minute.networks.size < ENOUGH_NETWORKS) minute.networks.add(network)
      if (minute.agents.size < ENOUGH_AGENTS) minute.agents.add(user_agent)
    },
    of(site_id) {
      if (clock.elapsed() - begun < HOUR_MS) return null
      const oldest = Math.floor(clock.elapsed() / MINUTE_MS) - MINUTES
      return sumOf((sites.get(site_id) ?? []).filter(({ number }) => number > oldest))
    },
  }
}

function sumOf(minutes: readonly Minute[]): RecentCollection {
  const refused = new Map<string, number>()
  for (const minute of minutes) for (const [reason, events] of minute.refused) addTo(refused, reason, events)
  const distinct = (of: 'networks' | 'agents') => new Set(minutes.flatMap((minute) => [...minute[of]])).size
  const sum = (of: 'accepted' | 'requests') => minutes.reduce((total, minute) => total + minute[of], 0)
  return {
    accepted: sum('accepted'),
    refused: Object.fromEntries(refused),
    hides_addresses:
      sum('requests') >= ENOUGH_REQUESTS && distinct('agents') >= ENOUGH_AGENTS && distinct('networks') === 1,
  }
}
