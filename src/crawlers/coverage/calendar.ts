/** The coverage of each host of a site on each day, from which charts draw gaps and partial days (decisions 7.4). */
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import type { Coverage, CoverageDay, CoverageQuestion } from '#contract/dashboard-api/index.ts'
import { COVERAGE_REASONS, type CoverageReason, PURPOSES } from '#contract/vocabulary.ts'
import { dayStart } from '#days/utc-day.ts'
import { eachDay } from '#days/windows.ts'
import { assignedHosts } from '../authority/count-assigned.ts'
import type { SiteContext } from '../context.ts'
import { judgeHosts } from './choose-counting-source.ts'
import { FRESH_MS, RANK } from './host-day-completeness.ts'
import { primariesOf } from './judge-primaries.ts'
import { type CrawlerReading, openReading } from './meta.ts'
import { remainingLimitations } from './remaining-limitations.ts'
import type { UnreadableDay } from './site-coverage.ts'
import { type Interval, type SourceGroup, sourceGroups } from './source-groups.ts'

/** The days of the site as a whole, and those of its hosts by name. */
export async function readCoverage(ctx: SiteContext, { window, limit }: CoverageQuestion): Promise<Coverage> {
  const reading = await openReading(ctx, { window, purpose: PURPOSES })
  const hosts = judgedHosts(reading)
  const days = eachDay(reading.range)
  const described = hosts.slice(0, limit).map(({ host, ...judged }) => ({
    host,
    days: days.map((date, at) => describeDay(reading, host, judged, date, at)),
  }))
  // A day of the site depends on every host, listed or not.
  const whole = days.map((date, at) => {
    const of_hosts = hosts.flatMap(({ host, ...judged }, place) =>
      at < judged.expected_days ? [described[place]?.days[at] ?? describeDay(reading, host, judged, date, at)] : [],
    )
    return foldHosts(date, reading.states.get(date) ?? 'gap', of_hosts)
  })
  return {
    meta: reading.meta,
    days: whole,
    limit,
    returned_count: described.length,
    total_count: hosts.length,
    truncated: hosts.length > limit,
    hosts: described,
  }
}

interface JudgedHost {
  host: string
  /** The number of days, from the first of the window, on which the host is expected. */
  expected_days: number
  rank(day_index: number): number
  /** Undefined: no source counts it. */
  group(day_index: number): SourceGroup | undefined
}

function judgedHosts({ known, range, as_of }: CrawlerReading): JudgedHost[] {
  const length = eachDay(range).length
  if (known.authority === null) {
    const { groups, hosts } = judgeHosts({ ...known, ...primariesOf(known, as_of) }, range, as_of)
    return hosts.map(({ host, ranks, counting_groups, expected_days = length }) => ({
      host,
      expected_days,
      rank: (at) => ranks[at] as number,
      group: (at) => groups[counting_groups[at] as number],
    }))
  }
  const before = { ...known, intervals: known.intervals.filter((row) => row.from_at < as_of) }
  return assignedHosts(known.authority, sourceGroups(before, range, as_of), range).map(
    ({ hostname, ranks, periods }) => ({
      host: hostname,
      expected_days: length,
      rank: (at) => ranks[at] as number,
      group: (at) => periods.find(({ from, to }) => from <= at && at < to)?.group,
    }),
  )
}

const STATES = new Map([
  [RANK.gap, 'gap'],
  [RANK.partial, 'partial'],
  [RANK.complete, 'complete'],
] as const)

function describeDay(
  { as_of, known }: CrawlerReading,
  host: string,
  { rank, group: groupOf }: Omit<JudgedHost, 'host'>,
  date: string,
  at: number,
): CoverageDay {
  const state = STATES.get(rank(at) as 0 | 1 | 2) ?? 'gap'
  const group = groupOf(at)
  if (state === 'gap' || group === undefined) {
    return { date, state: 'gap', minutes: null, sampling: null, reasons: [], source_id: null }
  }
  const touched = group.intervals(host).filter((interval) => isOn(interval, date))
  const shares = touched.flatMap(({ sampling }) => (typeof sampling === 'number' ? [sampling] : []))
  return {
    date,
    state,
    source_id: group.lead_source_id,
    minutes: Math.floor((group.covered_ms(host)[at] as number) / MINUTE_MS),
    sampling: shares.length === 0 ? null : Math.min(...shares),
    reasons: state === 'complete' ? [] : reasonsOf(touched, { group, date, as_of, unreadable: known.unreadable }),
  }
}

/** The limitations of intervals as reasons of the dashboard. */
const REASONS: ReadonlyMap<string, CoverageReason> = new Map([
  ['backfill', 'backfill'],
  ['sampled', 'sampled'],
  ['capped', 'capped'],
  ['no_humans', 'filtered'],
  ['declared_partial', 'filtered'],
  ['unreadable_lines', 'unreadable_lines'],
  ['unfinished', 'collection_interrupted'],
])

interface LimitedDay {
  group: SourceGroup
  date: string
  as_of: number
  unreadable: readonly UnreadableDay[]
}

function reasonsOf(touched: readonly Interval[], { group, date, as_of, unreadable }: LimitedDay): CoverageReason[] {
  const span = { from: dayStart(date), to: dayStart(date) + DAY_MS }
  const limitations = [...remainingLimitations(touched, [span])]
  const found = new Set(limitations.flatMap((limitation) => REASONS.get(limitation) ?? []))
  const of_day = unreadable.filter(({ day }) => day === date)
  const isOf = (row: Interval) => of_day.some((one) => one.source_id === row.source_id && one.sender === row.sender)
  if (touched.some(isOf)) found.add('unreadable_lines')
  const is_today = span.to > as_of
  const is_stale = group.data_through !== null && as_of - group.data_through >= FRESH_MS
  if (is_today && is_stale) found.add('stale')
  // What was covered has no limitation, but it was not the whole day.
  if (found.size === 0) found.add('no_signal')
  return COVERAGE_REASONS.filter((reason) => found.has(reason))
}

/** A day of several hosts: the coverage of the host that was covered least. */
function foldHosts(date: string, state: CoverageDay['state'], hosts: readonly CoverageDay[]): CoverageDay {
  if (state === 'gap') return { date, state, minutes: null, sampling: null, reasons: [], source_id: null }
  const minutes = hosts.flatMap((day) => (day.state === 'gap' ? [0] : (day.minutes ?? [])))
  const shares = hosts.flatMap(({ sampling }) => sampling ?? [])
  const sources = new Set(hosts.flatMap(({ source_id }) => source_id ?? []))
  const [only] = sources
  const reasons = new Set(hosts.flatMap((day) => (day.state === 'gap' ? (['no_signal'] as const) : day.reasons)))
  return {
    date,
    state,
    minutes: minutes.length === 0 ? null : Math.min(...minutes),
    sampling: shares.length === 0 ? null : Math.min(...shares),
    reasons: state === 'complete' ? [] : COVERAGE_REASONS.filter((reason) => reasons.has(reason)),
    source_id: sources.size === 1 && only !== undefined ? only : null,
  }
}

const isOn = ({ from_at, to_at }: Interval, date: string): boolean =>
  from_at < dayStart(date) + DAY_MS && to_at > dayStart(date)
