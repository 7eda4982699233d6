/** Random definitions of a site: declared properties, conversions and funnels, made, edited and archived. */
import type { FunnelStep, Instant, Matcher, PropertyRule, Step } from './history.ts'
import { HOUR, MINUTE } from './history.ts'
import type { Random } from './random.ts'

const DECLARED = [
  { key: 'plan', kind: 'enum', values: ['free', 'pro'] },
  { key: 'seats', kind: 'integer', values: [] },
  { key: 'yearly', kind: 'boolean', values: [] },
] as const

const RULES: readonly PropertyRule[] = [
  { property_key: 'plan', operator: 'equals', comparison: { value: 'pro' } },
  { property_key: 'plan', operator: 'one_of', comparison: { values: ['free', 'pro'] } },
  { property_key: 'seats', operator: 'between', comparison: { lower: 2, upper: 5 } },
  { property_key: 'seats', operator: 'equals', comparison: { value: 3 } },
  { property_key: 'yearly', operator: 'equals', comparison: { value: true } },
]

/** All definitions, from `from` on, spread over the time up to `to`. */
export function definitionsOf(random: Random, domain: string, from: Instant, to: Instant): Step[] {
  // Some declare a property when there is evidence already.
  const declared_late = random.chance(0.3) ? from + random.int(1, 48) * HOUR : from
  const steps: Step[] = DECLARED.map(({ key, kind, values }, index) => ({
    at: (key === 'yearly' ? declared_late : from) + (index + 1) * MINUTE,
    do: 'declare',
    event_name: 'signup',
    key,
    kind,
    values: [...values],
  }))
  // What rules ask about cannot be ended.
  const ends_at = random.chance(0.2) ? from + random.int(60, 90) * HOUR : null
  if (ends_at !== null) steps.push({ at: ends_at, do: 'end_property', event_name: 'signup', key: 'yearly' })
  if (random.chance(0.3)) {
    const at = from + random.int(2, 90) * HOUR
    steps.push({ at, do: 'edit_property', event_name: 'signup', key: 'plan', values: ['free', 'pro', 'gold'] })
  }
  const has_yearly = (at: Instant) => at > declared_late + HOUR && ends_at === null
  const declared = from + 10 * MINUTE
  const sometime = () => (random.chance(0.4) ? declared + random.int(0, 50) * MINUTE : random.int(declared, to))
  const matcher = (at: Instant): Matcher =>
    random.pick<Matcher>([
      { kind: 'event', event_name: 'signup', property_rules: [] },
      {
        kind: 'event',
        event_name: 'signup',
        property_rules: [random.pick(RULES.filter(({ property_key }) => property_key !== 'yearly' || has_yearly(at)))],
      },
      { kind: 'event', event_name: 'signup', property_rules: [RULES[0] as PropertyRule, RULES[2] as PropertyRule] },
      { kind: 'event', event_name: 'download', property_rules: [] },
      { kind: 'event', event_name: 'revenue', property_rules: [] },
      { kind: 'pageview', hostname: domain, path: '/thanks' },
    ])
  const used = new Set<string>()
  const conversions = ['Signed up', 'Paid', 'Read'].slice(0, random.int(0, 3)).map((name) => ({ name, at: sometime() }))
  for (const { name, at } of conversions) steps.push({ at, do: 'add_conversion', name, matcher: matcher(at) })
  const funnels = ['Buy', 'Learn more'].slice(0, random.int(0, 2))
  const stepsOf = (at: Instant): FunnelStep[] => {
    const known = conversions.filter((conversion) => conversion.at < at)
    const pages = random.pick([['/'], ['/', '/pricing'], ['/pricing']])
    const last = known.length > 0 && random.chance(0.8) ? random.pick(known) : null
    if (last !== null) used.add(last.name)
    const chosen: FunnelStep[] = pages.map((path) => ({ kind: 'page', hostname: domain, path }))
    return [
      ...chosen,
      last === null ? { kind: 'page', hostname: domain, path: '/thanks' } : { kind: 'conversion', name: last.name },
    ]
  }
  for (const name of funnels) {
    const at = sometime() + 7 * MINUTE
    steps.push({ at, do: 'add_funnel', name, steps: stepsOf(at) })
    const later = at + random.int(1, 60) * HOUR
    if (later < to && random.chance(0.3)) steps.push({ at: later, do: 'edit_funnel', name, steps: stepsOf(later) })
    const latest = later + HOUR
    if (latest < to && random.chance(0.2)) steps.push({ at: latest, do: 'archive_funnel', name })
  }
  for (const { name, at } of conversions) {
    const later = at + random.int(1, 60) * HOUR
    if (later < to && random.chance(0.4))
      steps.push({ at: later, do: 'edit_conversion', name, matcher: matcher(later) })
    const latest = later + HOUR
    if (latest < to && !used.has(name) && random.chance(0.3)) steps.push({ at: latest, do: 'archive_conversion', name })
  }
  return steps
}
