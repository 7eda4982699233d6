/** What a group knows of one host and day, minute by minute (the table of rules 3). */
import { DAY, dayOf, HOUR, startOf } from '../time.ts'
import type { Ledger } from './ledger.ts'
import { DECLARED, known, OBSERVED, PART, WHOLE } from './observed-time.ts'
import type { SourceGroup } from './source-groups.ts'

export interface Day {
  state: 'complete' | 'partial' | 'gap'
  /** Minutes that anybody covered. */
  minutes: number
  /** All of them are only declared. */
  is_declared: boolean
}

export function judgeDay(ledger: Ledger, group: SourceGroup, host: string, day: number): Day {
  const { whole, seen, observed, declared } = minutesOfDay(ledger, group, host, day)
  const touched = group.observers.some(({ observer }) =>
    [host, '*'].some((name) => observer.hosts.get(name)?.touched.has(day)),
  )
  const state = stateOf(ledger, group, host, day, whole)
  // A record covers its own instant too, which decides only between a live source and an upload that differ by an hour
  // exactly.
  const ends = seen.filter((is_seen, index) => is_seen && seen[index + 1] === false).length
  const is_live = group.sources.some(({ type }) => type === 'https_intake')
  const minutes = seen.filter(Boolean).length + (is_live ? ends / 60_000 : 0)
  return {
    state: state === 'complete' ? 'complete' : touched && day <= dayOf(ledger.now) ? 'partial' : 'gap',
    minutes,
    is_declared: declared && !observed,
  }
}

function stateOf(
  ledger: Ledger,
  group: SourceGroup,
  host: string,
  day: number,
  whole: readonly boolean[],
): 'complete' | 'other' {
  const { broken, now } = ledger
  const begin = broken === 'day_begins_an_hour_late' ? HOUR : 0
  const end = broken === 'day_ends_half_an_hour_early' ? DAY - HOUR / 2 : DAY
  const all = (to: number) => whole.slice(begin, to).every(Boolean)
  if (day !== dayOf(now)) return all(end) ? 'complete' : 'other'
  if (broken === 'today_must_be_over') return 'other'
  const fresh = broken === 'today_is_stale_after_three_hours' ? 3 * HOUR : 2 * HOUR
  const hosts = group.observers.some(({ observer }) => observer.hosts.has(host) || observer.hosts.has('*'))
  if (!hosts || group.through === null || now - group.through >= fresh) return 'other'
  return all(Math.max(0, group.through - startOf(day))) ? 'complete' : 'other'
}

/** Time was covered in full where each expected observer covered it in full, and at least one did. */
function minutesOfDay(ledger: Ledger, group: SourceGroup, host: string, day: number) {
  const { now } = ledger
  const [whole, seen] = [new Array<boolean>(DAY).fill(false), new Array<boolean>(DAY).fill(false)]
  let [observed, declared] = [false, false]
  const observing = group.observers.map((one) => ({
    ...one,
    is_hardly_readable: isHardlyReadable(ledger, one, day),
    hosts: [one.observer.hosts.get(host), one.observer.hosts.get('*')],
  }))
  if (observing.every(({ hosts }) => hosts.every((time) => !time?.days.has(day))))
    return { whole, seen, observed, declared }
  for (let at = startOf(day); at < startOf(day + 1) && at < now; at++) {
    let [one, every] = [false, true]
    for (const { hosts, expected, is_hardly_readable } of observing) {
      const covered = known(hosts[0], at) | known(hosts[1], at)
      const what = is_hardly_readable && covered & WHOLE ? (covered & ~WHOLE) | PART : covered
      if (what & (WHOLE | PART)) seen[at - startOf(day)] = true
      if (what & OBSERVED) observed = true
      if (what & DECLARED) declared = true
      const is_expected =
        at >= expected.from && at < expected.to && (expected.hosts.includes('*') || expected.hosts.includes(host))
      if (what & WHOLE) one = true
      else if (is_expected) every = false
    }
    whole[at - startOf(day)] = one && every
  }
  return { whole, seen, observed, declared }
}

/** Over 1 % of what the sender delivered of the day was refused. */
function isHardlyReadable(
  { broken }: Ledger,
  { observer, source }: SourceGroup['observers'][number],
  day: number,
): boolean {
  const records = source.records.get(`${observer.name} ${day}`)
  if (records === undefined || broken === 'unreadable_lines_do_not_matter') return false
  return records.unreadable > records.all / 100
}
