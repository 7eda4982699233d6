/**
 * What the crawler operations should answer (spec 2.2 to 2.5, rules 2). Fields that the specification leaves open are
 * left out and not compared.
 */
import { AGENTS, type Declared } from '../agents.ts'
import { type Ask, PURPOSES, type Purpose } from '../events.ts'
import { dayName, dayOf, instant } from '../time.ts'
import { assignedThrough, judgeAssigned, unassignedHosts } from './assigned.ts'
import { describeAuthority } from './authority.ts'
import { type Judgements, judge } from './counting.ts'
import { type Fact, IDENTITIES, type Identity, type Ledger } from './ledger.ts'
import { siteThrough } from './reported.ts'
import type { CountOf } from './shadows.ts'
import { describeSources } from './sources.ts'

/** By operation. */
export type Expected = Record<string, unknown>

interface Counted extends Fact {
  is: Declared
}

interface Window {
  from: number
  to: number
}

export function expectAnswers(ledger: Ledger, ask: Ask): Expected {
  const days = Number.parseInt(ask.window, 10) + (ledger.broken === 'window_is_a_day_longer' ? 1 : 0)
  const to = dayOf(ledger.now)
  const window = { from: to - days + 1, to }
  const is_open = ledger.authority.is_open && ledger.broken !== 'primaries_count_with_the_gate_open'
  const judged = is_open ? judgeAssigned(ledger) : judge(ledger)
  const filter = PURPOSES.filter((purpose) => effective(ledger, ask).includes(purpose))
  const all = countedFacts(ledger, judged, window)
  const facts = all.filter(({ is }) => filter.includes(is.purpose))
  const hidden = all.filter(({ is }) => !filter.includes(is.purpose))
  const meta = {
    ...expectMeta(ledger, judged, window, filter),
    ...expectAuthority(ledger, judged, window, filter),
  }
  const total = countOf(ledger, judged, window, sum(facts))
  const common = { meta, hidden_by_purpose_filter: byKey(hidden, ({ is }) => is.purpose) }
  return {
    performance: {
      ...common,
      ...(total === undefined ? {} : { observed_request_count: total }),
      daily: daily(facts),
      http_outcomes: outcomes(ledger, facts),
      observed_by_scope: byKey(facts, ({ is }) => is.scope),
    },
    crawlers: { ...common, crawlers: crawlers(ledger, facts) },
    'top-pages': { ...common, ...topPages(ledger, ask, facts, total) },
    sources: { sources: describeSources(ledger), ...expectAuthority(ledger, judged, { from: to - 29, to }, PURPOSES) },
  }
}

const effective = ({ broken }: Ledger, { purposes }: Ask): Purpose[] =>
  purposes ?? [
    'search',
    'assistant',
    'unknown',
    ...(broken === 'training_counts_by_default' ? ['training' as const] : []),
  ]

const sum = (facts: readonly Fact[]) => facts.reduce((total, { requests }) => total + requests, 0)

const span = ({ from, to }: Window) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A gap day has no counts; each other host and day has those of the one group that counts it. */
function countedFacts(ledger: Ledger, judged: Judgements, window: Window): Counted[] {
  const winners = new Map<string, string[]>()
  const winner = (host: string, day: number) => {
    const key = `${host} ${day}`
    const groups = ledger.broken === 'partial_sources_add_up' ? judged.groups : [judged.winner(host, day)]
    const names = winners.get(key) ?? groups.flatMap((group) => group?.sources.map(({ name }) => name) ?? [])
    winners.set(key, names)
    return names
  }
  return labelled(ledger)
    .filter(({ at }) => dayOf(at) >= window.from && dayOf(at) <= window.to)
    .filter(({ host, at, source }) => winner(host, dayOf(at)).includes(source))
}

function labelled({ sources, broken, now }: Ledger): Counted[] {
  const unlabelled: Declared = { ...AGENTS.bytespider.is, crawler_id: 'unheard', also_declared: [] }
  return [...sources.values()]
    .flatMap(({ facts }) => facts)
    .filter(({ at }) => at <= now)
    .flatMap((fact) => {
      const is = AGENTS[fact.agent].is ?? (broken === 'unlabelled_agents_count' ? unlabelled : null)
      return is === null ? [] : [{ ...fact, is }]
    })
}

function expectMeta(ledger: Ledger, judged: Judgements, window: Window, filter: readonly Purpose[]) {
  const state = coverageState(ledger, judged, window)
  const through = ledger.authority.is_open ? assignedThrough(ledger) : siteThrough(ledger)
  return {
    as_of: instant(ledger.now),
    window: { from: dayName(window.from), to: dayName(window.to), timezone: 'UTC' },
    ...(state === undefined ? {} : { coverage_state: state }),
    purpose_filter: filter,
    sources: describeSources(ledger),
    data_through: through === null ? null : instant(through),
    gaps: gaps(ledger, judged, window),
  }
}

function coverageState(ledger: Ledger, judged: Judgements, window: Window) {
  if (isUnknown(ledger)) return 'unknown'
  const states: string[] = span(window).map((day) => judged.state(day))
  if (ledger.authority.is_open) {
    const { certain, unclear } = unassignedHosts(ledger, window.from)
    if (certain.length > 0) states.push('partial')
    // Whether they keep the window from being complete, the specification does not say.
    else if (unclear.length > 0) return states.every((state) => state === 'complete') ? undefined : 'partial'
  }
  const whole = ledger.broken === 'gaps_are_complete' ? ['complete', 'gap'] : ['complete']
  return states.every((state) => whole.includes(state)) ? 'complete' : 'partial'
}

/** The field is there only while the gate is open. */
function expectAuthority(ledger: Ledger, judged: Judgements, window: Window, filter: readonly Purpose[]) {
  if (!ledger.authority.is_open) return { authority: undefined }
  const all = labelled(ledger).filter(
    ({ is }) => ledger.broken !== 'shadows_heed_the_purpose_filter' || filter.includes(is.purpose),
  )
  const countOf: CountOf = (source, host, day) =>
    sum(all.filter((fact) => fact.source === source && fact.host === host && dayOf(fact.at) === day))
  return { authority: describeAuthority(ledger, judged, window, countOf) }
}

function gaps(ledger: Ledger, judged: Judgements, window: Window) {
  if (ledger.sources.size === 0) return []
  const found: { from: number; to: number }[] = []
  for (const day of span(window)) {
    if (judged.state(day) !== 'gap') continue
    const last = found.at(-1)
    if (last?.to === day - 1) last.to = day
    else found.push({ from: day, to: day })
  }
  return found.map(({ from, to }) => ({ from: dayName(from), to: dayName(to) }))
}

/** No source that may count has ever reported. */
function isUnknown(ledger: Ledger): boolean {
  const { assignments, is_open } = ledger.authority
  const names = new Set([...assignments.values()].flatMap((all) => all.map(({ source }) => source)))
  return ![...ledger.sources.values()].some(
    (source) => source.connected_at !== null && (is_open ? names.has(source.name) : source.may_count),
  )
}

/**
 * Null when the sum is 0 and no counting source touched the window, or, with the gate open, when the zero is not proven
 * by complete days of all hosts. Undefined where the specification does not decide it.
 */
function countOf(ledger: Ledger, judged: Judgements, window: Window, total: number): number | null | undefined {
  const { broken } = ledger
  if (broken === 'null_is_zero') return total
  if (isUnknown(ledger)) return null
  if (ledger.authority.is_open && total === 0 && broken !== 'zero_needs_no_proof') {
    const state = coverageState(ledger, judged, window)
    return state === undefined ? undefined : state === 'complete' ? 0 : null
  }
  const touched = span(window).some((day) => judged.state(day) !== 'gap')
  return total === 0 && !touched && broken !== 'empty_window_is_zero' ? null : total
}

function daily(facts: readonly Counted[]) {
  const rows = new Map<string, { date: string; crawler_id: string; observed_request_count: number }>()
  for (const { at, is, requests } of facts) {
    const [date, { crawler_id }] = [dayName(dayOf(at)), is]
    const row = rows.get(`${date} ${crawler_id}`) ?? { date, crawler_id, observed_request_count: 0 }
    row.observed_request_count += requests
    rows.set(`${date} ${crawler_id}`, row)
  }
  return [...rows.values()].sort((a, b) => compareText(`${a.date} ${a.crawler_id}`, `${b.date} ${b.crawler_id}`))
}

const OUTCOMES = ['2xx', '3xx', '4xx', '5xx', 'other', 'response_unobserved']

/** 444, 499 and 460: no response reached the client. */
const observed = (status: number | null): status is number =>
  status !== null && status >= 100 && ![444, 499, 460].includes(status)

function outcomes({ broken }: Ledger, facts: readonly Counted[]) {
  const of = ({ status }: Counted) => {
    if (!observed(status)) return broken === 'unobserved_is_2xx' ? '2xx' : 'response_unobserved'
    return status >= 200 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
  }
  return OUTCOMES.flatMap((outcome) => {
    const those = facts.filter((fact) => of(fact) === outcome)
    if (those.length === 0) return []
    const statuses = [...new Set(those.map(({ status }) => (observed(status) ? status : null)))]
    return [
      {
        outcome,
        observed_request_count: sum(those),
        statuses: statuses
          .sort((a, b) => (a ?? 0) - (b ?? 0))
          .map((status) => ({
            http_status: status,
            observed_request_count: sum(
              those.filter((fact) => (observed(fact.status) ? fact.status : null) === status),
            ),
          })),
      },
    ]
  })
}

function crawlers({ broken }: Ledger, facts: readonly Counted[]) {
  const total = sum(facts)
  const ids = [...new Set(facts.map(({ is }) => is.crawler_id))]
  const rows = ids.map((crawler_id) => {
    const those = facts.filter(({ is }) => is.crawler_id === crawler_id)
    const count = (identity: Identity) => sum(those.filter((fact) => fact.identity === identity))
    const identities = Object.fromEntries(IDENTITIES.map((identity) => [identity, count(identity)]))
    const reported = broken === 'strongest_identity_is_published' ? [...IDENTITIES].reverse() : IDENTITIES
    const [{ is }] = those as [Counted]
    const { platform, display_name, purpose, scope, also_declared } = is
    return {
      crawler_id,
      platform,
      display_name,
      purpose,
      scope,
      identities,
      ...(also_declared === null ? {} : { also_declared }),
      identity: reported.find((identity) => count(identity) > 0),
      observed_request_count: sum(those),
      observed_share: sum(those) / total,
      impostor_request_count: count('unknown'),
    }
  })
  return rows.sort(
    (a, b) => b.observed_request_count - a.observed_request_count || compareText(a.crawler_id, b.crawler_id),
  )
}

function topPages(ledger: Ledger, ask: Ask, facts: readonly Counted[], total: number | null | undefined) {
  const limit = ask.limit ?? 50
  const keys = [...new Set(facts.map(({ host, path }) => JSON.stringify([host, publicPath(path)])))]
  const pages = keys.map((key) => {
    const [host, path] = JSON.parse(key) as [string, string]
    const those = facts.filter((fact) => fact.host === host && publicPath(fact.path) === path)
    return {
      host,
      path,
      observed_request_count: sum(those),
      observed_share: sum(those) / sum(facts),
      observed_crawler_count: new Set(those.map(({ is }) => is.crawler_id)).size,
      observed_response_count: sum(those.filter(({ status }) => observed(status))),
    }
  })
  pages.sort(
    (a, b) =>
      b.observed_request_count - a.observed_request_count || compareText(a.host, b.host) || compareText(a.path, b.path),
  )
  const listed = pages.slice(0, limit)
  const shown =
    ledger.broken === 'shares_of_listed_pages'
      ? listed.reduce((all, page) => all + page.observed_request_count, 0)
      : null
  return {
    limit,
    returned_count: listed.length,
    truncated: pages.length > listed.length,
    ...(total === undefined ? {} : { total_count: total === null ? null : pages.length }),
    pages: listed.map((page) => ({
      ...page,
      ...(shown === null ? {} : { observed_share: page.observed_request_count / shown }),
    })),
  }
}

/** path/v1 of the paths that histories use: no query, e-mail addresses redacted (rules 4). */
export const publicPath = (path: string) =>
  path
    .replace(/[?#].*/, '')
    .split('/')
    .map((segment) => (segment.includes('@') ? ':redacted' : segment))
    .join('/')

/** By key: the specification names no order of these rows. */
function byKey(facts: readonly Counted[], key: (fact: Counted) => string) {
  return Object.fromEntries(
    [...new Set(facts.map(key))].map((value) => [
      value,
      { observed_request_count: sum(facts.filter((fact) => key(fact) === value)) },
    ]),
  )
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
