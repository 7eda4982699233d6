/**
 * Who is assigned to count which host from which day on, and when that is interrupted (rules 5, docs/decisions/0017).
 */
import { AGENTS } from '../agents.ts'
import { SITE } from '../render.ts'
import { dayOf } from '../time.ts'
import { judge } from './counting.ts'
import type { Assignment, Ledger } from './ledger.ts'

/** Opening assigns the hosts that are not assigned yet; closing deletes nothing. */
export function setGate(ledger: Ledger, is_open: boolean): void {
  const { authority, broken } = ledger
  if (is_open && !authority.is_open) {
    const chains = chainsOf(ledger)
    for (const [host, chain] of chains) for (const one of chain) assign(ledger, host, one)
  }
  if (!is_open && broken === 'closing_forgets_assignments') authority.assignments.clear()
  authority.is_open = is_open
}

/** Takes the place of what was decided for this day and later ones. */
export function assign({ authority, broken }: Ledger, host: string, { day, source }: Assignment): void {
  const before = authority.assignments.get(host) ?? []
  const kept = before.filter((one) => one.day < day && broken !== 'assignments_reach_back')
  const later = broken === 'later_assignments_survive' ? before.filter((one) => one.day > day) : []
  const first = broken === 'assignments_reach_back' ? 0 : day
  authority.assignments.set(host, [...kept, { day: first, source }, ...later])
  authority.earliest = Math.min(authority.earliest ?? day, day)
  for (const one of authority.interruptions) {
    if (one.source === source && one.reconnected_at === null) one.is_of_assigned = true
  }
}

/**
 * By host that is not assigned: the source that counts it now from its first covered day, before that the one that
 * counted then, and so on.
 */
function chainsOf(ledger: Ledger): Map<string, Assignment[]> {
  const judged = judge(ledger)
  const hosts = evidenceHosts(ledger)
  const chains = new Map<string, Assignment[]>()
  for (const host of hosts.length === 0 ? [SITE] : hosts) {
    if (ledger.authority.assignments.has(host)) continue
    const chain: Assignment[] = []
    const earliest = firstDay(ledger)
    for (let day = dayOf(ledger.now); day >= earliest; day--) {
      const group = judged.winner(host, day)
      const [source] = group?.sources ?? []
      if (group === null || source === undefined) continue
      const covered = touchedDays(group, host)
      const first = ledger.broken === 'opening_assigns_from_today' ? dayOf(ledger.now) : Math.min(day, ...covered)
      chain.unshift({ day: first, source: source.name })
      day = ledger.broken === 'opening_assigns_one_source' ? earliest : Math.min(day, first)
    }
    if (chain.length > 0) chains.set(host, chain)
  }
  return chains
}

const touchedDays = ({ observers }: ReturnType<typeof judge>['groups'][number], host: string): number[] =>
  observers.flatMap(({ observer }) => [host, '*'].flatMap((name) => [...(observer.hosts.get(name)?.touched ?? [])]))

const firstDay = ({ now, sources }: Ledger) =>
  Math.min(
    dayOf(now),
    ...[...sources.values()].flatMap(({ observers }) => [...observers.values()].map(({ first }) => dayOf(first))),
  )

/** Hosts of stored requests, labelled or not, and of declared coverage. */
export function evidenceHosts(
  ledger: Ledger,
  { from = Number.NEGATIVE_INFINITY, is_counted = false }: { from?: number; is_counted?: boolean } = {},
): string[] {
  const all = [...ledger.sources.values()]
  const seen = all
    .flatMap(({ facts }) => facts)
    .filter(({ agent, at }) => agent !== 'human' && dayOf(at) >= from && (!is_counted || AGENTS[agent].is !== null))
    .map(({ host }) => host)
  const declared = all
    .flatMap(({ observers }) => [...observers.values()].flatMap(({ hosts }) => [...hosts]))
    .filter(([host, { touched }]) => host !== '*' && Math.max(...touched) >= from)
  return [...new Set([...seen, ...declared.map(([host]) => host)])].sort()
}

/** Whether the gate is open or not. It is of an assigned source also when that is assigned while it is disconnected. */
export function interrupt({ authority, now }: Ledger, source: string): void {
  const is_of_assigned = [...authority.assignments.values()].some((chain) => chain.some((one) => one.source === source))
  authority.interruptions.push({ source, disconnected_at: now, reconnected_at: null, is_of_assigned })
}

export function resume({ authority, now }: Ledger, source: string): void {
  for (const one of authority.interruptions) {
    if (one.source === source && one.reconnected_at === null) one.reconnected_at = now
  }
  authority.interruptions = authority.interruptions.filter((one) => one.is_of_assigned || one.reconnected_at === null)
}

/** From the day after the disconnection until the first full day after the reconnection. */
export function isInterrupted({ authority, broken }: Ledger, source: string, day: number): boolean {
  const begins = broken === 'interruptions_begin_at_once' ? 0 : 1
  return authority.interruptions.some(
    (one) =>
      one.source === source &&
      day >= dayOf(one.disconnected_at) + begins &&
      (one.reconnected_at === null || day <= dayOf(one.reconnected_at)),
  )
}

export const assignedOn = ({ authority }: Ledger, host: string, day: number): Assignment | null =>
  authority.assignments.get(host)?.findLast((one) => one.day <= day) ?? null
