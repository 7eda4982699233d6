/** Which group counts a host and day, and how whole the site's days are (rules 3, Primary, Hosts). */
import { dayOf } from '../time.ts'
import { type Day, judgeDay } from './days.ts'
import type { Ledger } from './ledger.ts'
import { hasEnded } from './reported.ts'
import { groupsOf, type SourceGroup } from './source-groups.ts'

export interface Judgements {
  groups: SourceGroup[]
  /** By host and day. */
  day(group: SourceGroup, host: string, day: number): Day
  /** The group that counts; null if no source has the host and day. */
  winner(host: string, day: number): SourceGroup | null
  state(day: number): Day['state']
  expectedHosts(day: number): string[]
}

export function judge(ledger: Ledger): Judgements {
  const groups = groupsOf(ledger)
  const judged = new Map<string, Day>()
  const of = (group: SourceGroup, host: string, day: number): Day => {
    const key = `${groups.indexOf(group)} ${host} ${day}`
    const known = judged.get(key) ?? judgeDay(ledger, group, host, day)
    judged.set(key, known)
    return known
  }
  const named = new Set(groups.flatMap(({ hosts }) => hosts))
  const winner = (host: string, day: number): SourceGroup | null => {
    const asked = named.has(host) ? host : '*'
    const candidates = [...groups]
      .sort((a, b) => a.connected_at - b.connected_at)
      .filter((group) => of(group, asked, day).state !== 'gap')
    if (ledger.broken === 'later_connected_wins') candidates.reverse()
    if (day === dayOf(ledger.now) && ledger.open_day.day === day && ledger.broken !== 'open_day_has_no_memory') {
      const remembered = ledger.open_day.winners.get(asked)
      const first = candidates.findIndex(({ sources }) => sources[0]?.name === remembered)
      if (first > 0) candidates.unshift(...candidates.splice(first, 1))
    }
    return candidates.reduce<SourceGroup | null>(
      (best, group) => (best === null || isBetter(ledger, of(group, asked, day), of(best, asked, day)) ? group : best),
      null,
    )
  }
  const expectedHosts = (day: number) => hostsExpected(ledger, groups, day)
  return {
    groups,
    day: of,
    winner,
    expectedHosts,
    state(day) {
      const states = expectedHosts(day).map((host) => {
        const all = groups.map((group) => of(group, host, day).state)
        return all.includes('complete') ? 'complete' : all.includes('partial') ? 'partial' : 'gap'
      })
      if (states.every((state) => state === 'gap')) return 'gap'
      return states.every((state) => state === 'complete') ? 'complete' : 'partial'
    },
  }
}

/**
 * Hosts merely seen create no expectation; those that only ended uploads named are expected until their last covered
 * day.
 */
function hostsExpected(ledger: Ledger, groups: readonly SourceGroup[], day: number): string[] {
  if (ledger.broken === 'hosts_are_never_expected') return ['*']
  const hosts = groups.flatMap((group) =>
    group.sources.flatMap((source) => {
      const ended = hasEnded(ledger, source)
      return [...source.observers.values()].flatMap(({ hosts }) =>
        [...hosts].filter(([, { touched }]) => !ended || day <= Math.max(...touched)).map(([host]) => host),
      )
    }),
  )
  return [...new Set(hosts)]
}

/** Only what makes coverage better; the order of connection decides between equals. */
function isBetter({ broken }: Ledger, one: Day, than: Day): boolean {
  if (one.state !== than.state) return (one.state === 'complete') !== (broken === 'partial_before_complete')
  if (one.state === 'complete') return false
  if (one.is_declared !== than.is_declared && broken !== 'declared_as_good_as_observed') return than.is_declared
  return one.minutes >= than.minutes + (broken === 'half_an_hour_more_is_better' ? 30 : 60)
}

/** Recording coverage settles who counts the open day now: he stays until another is better. */
export function settleOpenDay(ledger: Ledger): void {
  const day = dayOf(ledger.now)
  const { winner, groups } = judge(ledger)
  const winners = new Map<string, string>()
  for (const host of new Set(['*', ...groups.flatMap(({ hosts }) => hosts)])) {
    const name = winner(host, day)?.sources[0]?.name
    if (name !== undefined) winners.set(host, name)
  }
  ledger.open_day = { day, winners }
}
