/** Random histories of a site, from a seed. */
import { definitionsOf } from './generate-definitions.ts'
import { newId, refusedOf, reportsOf, type VisitOptions, visitsOf } from './generate-visits.ts'
import { type Ask, DAY, dayStart, type History, HOUR, type Instant, MINUTE, SECOND, type Step } from './history.ts'
import { type Random, seeded } from './random.ts'

/** The history of a seed; it begins at midnight of `start` and lasts 14 days at most. */
export function generate(seed: number, start: Instant): History {
  const random = seeded(seed)
  const domain = `site-${seed}.example`
  const first = dayStart(start)
  const days = random.int(3, 9)
  const end = first + days * DAY
  const installed = first + random.int(0, 20) * HOUR
  const steps: Step[] = [{ at: installed, do: 'enable' }]
  const rotation = random.chance(0.35) ? installed + random.int(12, 24 * (days - 1)) * HOUR : null
  const options: VisitOptions = {
    random,
    domain,
    ids: { next: seed * 1_000_000 },
    newestKeyAt: (at) => (rotation !== null && at > rotation ? 1 : 0),
    // For hours after a rotation some visitors still have pages with the old key.
    keyAt: (at) => (rotation !== null && at > rotation + (random.chance(0.3) ? 5 * HOUR : 0) ? 1 : 0),
  }
  if (rotation !== null) {
    steps.push({ at: rotation - HOUR, do: 'new_key' }, { at: rotation, do: 'revoke', key: 0 })
  }
  for (let day = first; day < end; day += DAY) steps.push(...dayOfSteps(day, day === first, options))
  steps.push(...definitionsOf(random, domain, installed, end - DAY))
  if (random.chance(0.4))
    steps.push({ at: random.int(installed, end), do: 'privacy_floor', sessions: random.int(5, 30) })
  if (random.chance(0.5)) steps.push({ at: random.int(installed, end), do: 'overview_v2', on: true })
  if (random.chance(0.15)) steps.push({ at: random.int(installed, end), do: 'heed_opt_out', on: false })
  if (random.chance(0.15)) {
    const at = random.int(installed, end)
    const reader = random.pick([...READERS, 'funnel'] as const)
    steps.push({ at, do: 'reader', reader, on: false }, { at: at + 30 * HOUR, do: 'reader', reader, on: true })
  }
  steps.push(...repeats(steps, options))
  const asked = asks(random, first, end)
  for (const { at } of asked) if (random.chance(0.5)) steps.push({ at: at - MINUTE, do: 'derive' })
  return { seed, domain, steps: inOrder([...steps, ...asked], installed) }
}

function dayOfSteps(day: Instant, is_first: boolean, options: VisitOptions): Step[] {
  const { random } = options
  const mood = is_first
    ? 'visits'
    : random.pick([
        'visits',
        'visits',
        'visits',
        'visits',
        'quiet',
        'servers',
        'opted_out',
        'refusals',
        'down',
        'paused',
        'down_all_day',
        'paused_all_day',
      ] as const)
  const steps: Step[] = []
  if (!['quiet', 'servers', 'opted_out', 'down_all_day'].includes(mood))
    steps.push(...visitsOf(day, random.int(1, 9), options))
  if (mood !== 'quiet' && mood !== 'down_all_day' && random.chance(mood === 'servers' ? 1 : 0.5))
    steps.push(...reportsOf(day, random.int(1, 6), options))
  if (mood === 'opted_out') {
    for (const step of visitsOf(day, 2, options))
      if (step.do === 'browser') steps.push({ ...step, opts_out: 'sec-gpc' })
  }
  if (mood === 'refusals') steps.push(...refusedOf(day, random.int(1, 5), options))
  if (mood === 'down') {
    const at = day + random.int(1, 20) * HOUR
    steps.push({ at, do: 'down', until: at + random.pick([80 * SECOND, 5 * MINUTE, 3 * HOUR]) })
  }
  if (mood === 'down_all_day') steps.push({ at: day - HOUR, do: 'down', until: day + DAY + random.int(1, 4) * HOUR })
  if (mood === 'paused') {
    const at = day + random.int(1, 20) * HOUR
    steps.push({ at, do: 'disable' }, { at: at + random.int(5, 180) * MINUTE, do: 'enable' })
  }
  if (mood === 'paused_all_day') {
    steps.push({ at: day - HOUR, do: 'disable' }, { at: day + DAY + HOUR, do: 'enable' })
  }
  if (!mood.startsWith('paused') && random.chance(mood === 'quiet' ? 0.5 : 0.1))
    steps.push({ at: day + random.int(2, 23) * HOUR, do: 'load' })
  if (random.chance(mood === 'quiet' ? 0.5 : 0.1)) {
    steps.push({ at: day + random.int(1, 23) * HOUR, do: 'inspect', found: random.chance(0.75) })
  }
  if (random.chance(0.15)) {
    const at = day + random.int(1, 23) * HOUR
    const event = { type: 'pageview', id: newId(options), url: `https://${options.domain}/` } as const
    steps.push({ at, do: 'browser', visitor: 99, is_foreign: true, key: options.newestKeyAt(at), events: [event] })
  }
  return steps
}

/** Requests that come again: at once, an hour later, the next day, and when their ids are forgotten. */
function repeats(steps: readonly Step[], { random }: VisitOptions): Step[] {
  return (
    steps
      .filter((step) => (step.do === 'browser' && random.chance(0.06)) || (step.do === 'server' && random.chance(0.2)))
      // Whether a revoked key on a page of another site is counted, the specification leaves open.
      .filter((step) => !('is_foreign' in step))
      .map((step) => ({ ...step, at: step.at + random.pick([2 * SECOND, HOUR, DAY, 60 * HOUR, 73 * HOUR]) }))
  )
}

const READERS = ['overview', 'analytics-sources', 'pages', 'conversions', 'funnels', 'journeys', 'revenue'] as const

/** At some moments everything is asked. */
function asks(random: Random, first: Instant, end: Instant): Step[] {
  const moments = [
    first + random.int(1, 20) * HOUR,
    ...Array.from({ length: 3 }, () => first + random.int(20, (end - first) / HOUR) * HOUR + random.int(0, HOUR)),
    end + random.int(1, 100) * HOUR,
  ]
  return moments.flatMap((at): Step[] => {
    const asked = READERS.map((reader): Ask => {
      const longest = ['overview', 'analytics-sources', 'pages', 'conversions'].includes(reader)
        ? (['90d'] as const)
        : []
      const window = random.pick(['3d', '7d', '30d', ...longest] as const)
      const has_limit = !['overview', 'analytics-sources', 'revenue'].includes(reader)
      return { reader, window, ...(has_limit && random.chance(0.3) ? { limit: random.int(1, 3) } : {}) }
    })
    const funnels = ['Buy', 'Learn more'].map(
      (funnel): Ask => ({
        reader: 'funnel',
        window: random.pick(['3d', '7d', '30d'] as const),
        funnel,
        ...(random.chance(0.3) ? { revision: 1 } : {}),
      }),
    )
    return [{ at, do: 'ask', asks: [...asked, ...funnels] }]
  })
}

/**
 * Sorts the steps and leaves out what cannot happen: what is sent while the collector is down, and what is sent within
 * seconds after a change, while keys and declarations are still believed.
 */
function inOrder(all: readonly Step[], installed: Instant): Step[] {
  const possible = all.filter((step) => step.at >= installed || step.do === 'ask')
  let steps = possible.toSorted((a, b) => a.at - b.at)
  for (const down of steps.filter((step) => step.do === 'down')) {
    if (steps.includes(down)) steps = without(steps, down.at, down.until, [down])
  }
  let is_paused = false
  for (const step of steps) {
    if (step.do === 'enable' || step.do === 'disable') is_paused = step.do === 'disable'
    // What a load or an inspection says of a tracker that is switched off, the specification leaves open.
    if (is_paused) steps = without(steps, step.at, step.at, [], ['load', 'inspect'])
  }
  for (const change of steps.filter((step) => !OF_THE_COLLECTOR.includes(step.do) || step.do === 'down')) {
    const at = change.do === 'down' ? change.until : change.at
    steps = without(steps, at, at + 5 * SECOND, [change], ['browser', 'server'])
  }
  return steps
}

const OF_THE_COLLECTOR: readonly Step['do'][] = ['browser', 'server', 'load', 'inspect', 'down', 'derive', 'ask']

/** Leaves out steps of these kinds from one instant to another, both included, but for those that are kept. */
function without(steps: readonly Step[], from: Instant, to: Instant, kept: readonly Step[], kinds = OF_THE_COLLECTOR) {
  return steps.filter((step) => kept.includes(step) || step.at < from || step.at > to || !kinds.includes(step.do))
}
