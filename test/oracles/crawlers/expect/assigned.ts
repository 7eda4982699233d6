/** Counting while the gate is open: "assigned" takes the place of "primary" (rules 5). */
import type { Minute } from '../events.ts'
import { dayOf } from '../time.ts'
import { assignedOn, evidenceHosts, isInterrupted } from './assignments.ts'
import { type Judgements, judge } from './counting.ts'
import { type Day, judgeDay } from './days.ts'
import type { Ledger, Source } from './ledger.ts'
import { dataThrough } from './reported.ts'
import { groupsAmong, type SourceGroup } from './source-groups.ts'

const UNWATCHED: Day = { state: 'gap', minutes: 0, is_declared: false }

export function judgeAssigned(ledger: Ledger): Judgements {
  const { authority, broken } = ledger
  const groups = groupsAmong(ledger, [...ledger.sources.values()])
  const known = new Map<string, Day>()
  const of = (group: SourceGroup, host: string, day: number): Day => {
    const key = `${groups.indexOf(group)} ${host} ${day}`
    const judged = known.get(key) ?? judgeDay(ledger, group, host, day)
    known.set(key, judged)
    return judged
  }
  let asked: Judgements | undefined
  const primaries = () => {
    asked ??= judge(ledger)
    return asked
  }
  const assigned = (host: string, day: number): SourceGroup | null => {
    const source = assignedOn(ledger, host, day)?.source
    if (source === undefined && broken === 'unassigned_hosts_count') {
      const names =
        primaries()
          .winner(host, day)
          ?.sources.map(({ name }) => name) ?? []
      return groups.find(({ sources }) => sources.some(({ name }) => names.includes(name))) ?? null
    }
    if (source === undefined || isInterrupted(ledger, source, day)) return null
    return groups.find(({ sources }) => sources.some(({ name }) => name === source)) ?? null
  }
  const winner = (host: string, day: number): SourceGroup | null => {
    const group = assigned(host, day)
    return group === null || of(group, host, day).state === 'gap' ? null : group
  }
  const hosts = [...authority.assignments.keys()]
  const dayOfHost = (host: string, day: number): Day => {
    const group = winner(host, day)
    return group === null ? UNWATCHED : of(group, host, day)
  }
  return {
    groups,
    day: of,
    winner,
    expectedHosts: () => hosts,
    state(day) {
      const states = hosts.map((host) => dayOfHost(host, day).state)
      if (states.every((state) => state === 'gap')) return 'gap'
      return states.every((state) => state === 'complete') ? 'complete' : 'partial'
    },
  }
}

/**
 * Hosts with evidence and without any assignment. Whether evidence of requests that never count, or from before the
 * window, is evidence here, the specification does not say: such hosts are `unclear`.
 */
export function unassignedHosts(ledger: Ledger, from: number): { certain: string[]; unclear: string[] } {
  const free = (hosts: string[]) => hosts.filter((host) => !ledger.authority.assignments.has(host))
  const certain = free(evidenceHosts(ledger, { from, is_counted: true }))
  return { certain, unclear: free(evidenceHosts(ledger)).filter((host) => !certain.includes(host)) }
}

/** Sources that count a host today; all of a group. */
export function assignedToday(ledger: Ledger): Source[] {
  const day = dayOf(ledger.now)
  const names = [...ledger.authority.assignments.keys()].map((host) => assignedOn(ledger, host, day)?.source ?? '')
  return groupsAmong(ledger, [...ledger.sources.values()])
    .filter(({ sources }) => sources.some(({ name }) => names.includes(name)))
    .flatMap(({ sources }) => sources)
}

/** The slowest of them that is not disconnected. */
export function assignedThrough(ledger: Ledger): Minute | null {
  const instants = assignedToday(ledger)
    .filter(({ status }) => status !== 'disconnected')
    .map((source) => dataThrough(ledger, source))
  return instants.includes(null) || instants.length === 0 ? null : Math.min(...instants.map((at) => at ?? 0))
}
