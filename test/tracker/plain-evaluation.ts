/**
 * Sessions, funnels, conversions and journeys evaluated in plain code, one event after the other, apart from any
 * statement.
 */

export interface PlainEvent {
  visitor: number
  /** Receipt, epoch milliseconds. */
  at: number
  /** Persisted order. */
  seq: number
  request: number
  kind: 'pageview' | 'event' | 'revenue'
  name: string
  hostname: string
  path: string
  props: Record<string, string>
}

export interface PlainSession {
  begun_at: number
  ended_at: number
  events: PlainEvent[]
}

const byReceipt = (a: PlainEvent, b: PlainEvent) => a.at - b.at || a.seq - b.seq
const HALF_AN_HOUR = 1_800_000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

export function plainSessions(events: readonly PlainEvent[]): PlainSession[] {
  const sessions: PlainSession[] = []
  const open = new Map<number, PlainSession>()
  for (const event of events.toSorted(byReceipt)) {
    const current = open.get(event.visitor)
    const goesOn =
      current !== undefined && event.at - current.ended_at < HALF_AN_HOUR && dayOf(event.at) === dayOf(current.ended_at)
    if (goesOn) {
      current.events.push(event)
      current.ended_at = event.at
    } else {
      const session = { begun_at: event.at, ended_at: event.at, events: [event] }
      sessions.push(session)
      open.set(event.visitor, session)
    }
  }
  return sessions
}

export interface PlainRule {
  property_key: string
  operator: 'equals' | 'one_of' | 'between'
  comparison: { value: unknown } | { values: string[] } | { lower: number; upper: number }
}
export type PlainMatcher =
  | { kind: 'event'; event_name: string; property_rules: PlainRule[] }
  | { kind: 'pageview'; hostname: string; path: string }

export function plainMeets(event: PlainEvent, matcher: PlainMatcher): boolean {
  if (matcher.kind === 'pageview')
    return event.kind === 'pageview' && event.hostname === matcher.hostname && event.path === matcher.path
  if (event.kind === 'pageview' || event.name !== matcher.event_name) return false
  for (const { property_key, comparison } of matcher.property_rules) {
    const value = event.props[property_key]
    if (value === undefined) return false
    if ('value' in comparison && String(comparison.value) !== value) return false
    if ('values' in comparison && !comparison.values.includes(value)) return false
    if ('lower' in comparison) {
      if (!/^-?\d+$/.test(value)) return false
      if (Number(value) < comparison.lower || Number(value) > comparison.upper) return false
    }
  }
  return true
}

export interface PlainFunnel {
  effective_from: number
  effective_to: number | null
  steps: PlainMatcher[]
}

export function plainFunnel(sessions: readonly PlainSession[], funnel: PlainFunnel) {
  const reached = funnel.steps.map(() => 0)
  let ambiguous = 0
  for (const { begun_at, events } of sessions) {
    if (begun_at < funnel.effective_from || begun_at >= (funnel.effective_to ?? Number.POSITIVE_INFINITY)) continue
    const certain = longestCertainChain(events, funnel.steps)
    const best = Math.max(...everyOrder(events).map((order) => stepsInOrder(order, funnel.steps)))
    for (let step = 0; step < certain; step++) reached[step] = (reached[step] as number) + 1
    if (best > certain) ambiguous++
  }
  return { reached, ambiguous }
}

/** Tries every event for every step; two tied events of different requests are neither earlier nor later. */
function longestCertainChain(events: readonly PlainEvent[], steps: readonly PlainMatcher[]): number {
  const isEarlier = (a: PlainEvent, b: PlainEvent) =>
    a.at < b.at || (a.request === b.request && a.seq < b.seq && a.at === b.at)
  const search = (step: number, last: PlainEvent | null): number => {
    const matcher = steps[step]
    if (matcher === undefined) return step
    let best = step
    for (const event of events) {
      if ((last === null || isEarlier(last, event)) && plainMeets(event, matcher))
        best = Math.max(best, search(step + 1, event))
    }
    return best
  }
  return search(0, null)
}

/** Every order of a session's events that keeps what is known: instants, and the order within a request. */
function everyOrder(events: readonly PlainEvent[]): PlainEvent[][] {
  if (events.length === 0) return [[]]
  const first = Math.min(...events.map(({ at }) => at))
  const queues = [
    ...Map.groupBy(
      events.filter(({ at }) => at === first),
      ({ request }) => request,
    ).values(),
  ]
  const heads = queues.map((queue) => queue.toSorted(byReceipt)[0] as PlainEvent)
  return heads.flatMap((head) => everyOrder(events.filter((event) => event !== head)).map((rest) => [head, ...rest]))
}

function stepsInOrder(order: readonly PlainEvent[], steps: readonly PlainMatcher[]): number {
  let step = 0
  for (const event of order) {
    const next = steps[step]
    if (next !== undefined && plainMeets(event, next)) step++
  }
  return step
}

export interface PlainConversion {
  effective_from: number
  effective_to: number | null
  matcher: PlainMatcher
}

export function plainConversion(sessions: readonly PlainSession[], conversion: PlainConversion) {
  let converted_sessions = 0
  let conversion_events = 0
  for (const { events } of sessions) {
    let own = 0
    for (const event of events) if (plainConverts(event, conversion)) own++
    conversion_events += own
    if (own > 0) converted_sessions++
  }
  return { converted_sessions, conversion_events }
}

function plainConverts(event: PlainEvent, { effective_from, effective_to, matcher }: PlainConversion): boolean {
  if (event.at < effective_from || (effective_to !== null && event.at >= effective_to)) return false
  return plainMeets(event, matcher)
}

/** Sessions with any conversion at all, and by the page of the event that was one. */
export function plainConverted(sessions: readonly PlainSession[], conversions: readonly PlainConversion[]) {
  let total = 0
  const by_page = new Map<string, number>()
  for (const { events } of sessions) {
    const paths = new Set<string>()
    let isConverted = false
    for (const event of events.toSorted(byReceipt)) {
      if (!conversions.some((conversion) => plainConverts(event, conversion))) continue
      isConverted = true
      paths.add(event.path)
    }
    if (isConverted) total++
    for (const each of paths) by_page.set(each, (by_page.get(each) ?? 0) + 1)
  }
  return { total, by_page }
}

/** Sequences of pages of sessions that have been silent for half an hour, or whose day is over, at `cutoff`. */
export function plainJourneys(sessions: readonly PlainSession[], cutoff: number, floor: number) {
  const walks = new Map<string, number>()
  let closed_sessions = 0
  for (const { ended_at, events } of sessions) {
    if (cutoff - ended_at < HALF_AN_HOUR && dayOf(ended_at) === dayOf(cutoff)) continue
    closed_sessions++
    const paths: string[] = []
    for (const { kind, path } of events.toSorted(byReceipt))
      if (kind === 'pageview' && paths.at(-1) !== path) paths.push(path)
    if (paths.length === 0) continue
    const walk = JSON.stringify({ pages: paths.slice(0, 10), continued: paths.length > 10 })
    walks.set(walk, (walks.get(walk) ?? 0) + 1)
  }
  const shown = new Map([...walks].filter(([, sessions]) => sessions >= floor))
  const rare = [...walks.values()].filter((sessions) => sessions < floor)
  return { closed_sessions, shown, grouped_sessions: rare.reduce((sum, sessions) => sum + sessions, 0) }
}

export interface PlainReport {
  stream: 'browser' | 'server'
  kind: 'sale' | 'refund'
  currency: string
  amount: bigint
  order: string | null
}

export function plainRevenue(reports: readonly PlainReport[]) {
  const sums = new Map<string, { sales: bigint; refunds: bigint; sold: number; refunded: number }>()
  for (const { stream, kind, currency, amount } of reports) {
    const key = `${currency} ${stream}`
    const sum = sums.get(key) ?? { sales: 0n, refunds: 0n, sold: 0, refunded: 0 }
    if (kind === 'sale') {
      sum.sales += amount
      sum.sold++
    } else {
      sum.refunds += amount
      sum.refunded++
    }
    sums.set(key, sum)
  }
  const classes: Record<string, number> = {}
  const put = (name: string) => {
    classes[name] = (classes[name] ?? 0) + 1
  }
  const sales = reports.filter(({ kind }) => kind === 'sale')
  for (const { order } of sales) if (order === null) put('unkeyed')
  for (const order of new Set(sales.flatMap((sale) => (sale.order === null ? [] : [sale.order])))) {
    const browser = sales.filter((sale) => sale.order === order && sale.stream === 'browser')
    const server = sales.filter((sale) => sale.order === order && sale.stream === 'server')
    const [a] = browser
    const [b] = server
    if (browser.length > 1 || server.length > 1) put('duplicate')
    else if (b === undefined) put('browser_only')
    else if (a === undefined) put('server_only')
    else if (a.currency !== b.currency) put('currency_mismatch')
    else if (a.amount !== b.amount) put('amount_mismatch')
    else put('matched')
  }
  return { sums, classes }
}
