/** SQL expressions for the definitions that one event matches; each matcher belongs to one revision (rules 6). */
import type { PropertyRule } from '#contract/site-api/funnel-definition.ts'
import { and, type Fragment, list, sql, text } from '#evidence/sql.ts'
import type { Matcher } from './definitions.ts'

/** Expressions for the columns of one event. `page` is 0, and `name` is not empty, except for pageviews. */
export interface EventColumns {
  page: Fragment
  name: Fragment
  props: Fragment
}

/** A row of spoor.events. */
export const FACT_EVENT: EventColumns = {
  page: sql`if(kind = 'pageview', page_id, 0)`,
  name: sql`if(kind = 'pageview', '', name)`,
  props: sql`props`,
}

/** How a value (a mark) holds the set of definitions that an event matches: as the bits of a number, or as a list. */
export interface Marks {
  /** ClickHouse type of a mark. */
  type: string
  /** The mark of these definitions as text, which ClickHouse parses. */
  write(definitions: readonly number[]): string
  join(left: Fragment, right: Fragment): Fragment
}

export const BITS = 256
/** For up to 256 definitions: the bits of one number. */
export const bitMarks: Marks = {
  type: 'UInt256',
  write: (definitions) => definitions.reduce((mask, bit) => mask | (1n << BigInt(bit)), 0n).toString(),
  join: (left, right) => sql`bitOr(
${left},
${right}
)`,
}
/** For any number of definitions: a list of their numbers. */
export const listMarks: Marks = {
  type: 'Array(UInt16)',
  write: (definitions) => `[${definitions.join(',')}]`,
  join: (left, right) => sql`arrayConcat(
${left},
${right}
)`,
}

/** Whether a matcher has property rules. Otherwise the properties need not be read. */
export const usesProperties = (matchers: readonly Matcher[]): boolean =>
  matchers.some((matcher) => matcher.kind === 'event' && matcher.property_rules.length > 0)

/** The mark of all definitions whose matcher the event matches. A definition's number is its index in `matchers`. */
export function matched(matchers: readonly Matcher[], marks: Marks, event: EventColumns): Fragment {
  const none = constant(marks, marks.write([]))
  const { pages, names, ruled } = groupMatchers(matchers)
  const parts: Fragment[] = []
  if (pages.size > 0) {
    const found = [...pages.values()]
    const hosts = found.map(({ hostname }) => hostname)
    const paths = found.map(({ path }) => path)
    const ids = sql`arrayMap((host, path) -> cityHash64(host, path), ${list('String', hosts)}, ${list('String', paths)})`
    const met = found.map((page) => page.met)
    parts.push(lookUp(marks, event.page, ids, met))
  }
  if (names.size > 0) {
    const known = sql`${list('String', [...names.keys()])}`
    parts.push(lookUp(marks, sql`toString(${event.name})`, known, [...names.values()]))
  }
  for (const { event_name, property_rules, met } of ruled.values()) {
    const holds = and([
      sql`${event.name} = ${text(event_name)}`,
      ...property_rules.map((rule) => ruleHolds(rule, event.props)),
    ])
    parts.push(sql`if(${holds}, ${constant(marks, marks.write(met))}, ${none})`)
  }
  return parts.length === 0 ? none : parts.reduce(marks.join)
}

type EventMatcher = Extract<Matcher, { kind: 'event' }>
type PageMatcher = Extract<Matcher, { kind: 'pageview' }>

/**
 * Each distinct matcher once, with the numbers of the definitions that have it: matchers of pages, of event names, and
 * of event names with property rules.
 */
function groupMatchers(matchers: readonly Matcher[]) {
  const pages = new Map<string, PageMatcher & { met: number[] }>()
  const names = new Map<string, number[]>()
  const ruled = new Map<string, EventMatcher & { met: number[] }>()
  matchers.forEach((matcher, at) => {
    if (matcher.kind === 'pageview') {
      const key = `${matcher.hostname} ${matcher.path}`
      pages.set(key, { ...matcher, met: [...(pages.get(key)?.met ?? []), at] })
    } else if (matcher.property_rules.length === 0) {
      names.set(matcher.event_name, [...(names.get(matcher.event_name) ?? []), at])
    } else {
      const key = JSON.stringify(matcher)
      ruled.set(key, { ...matcher, met: [...(ruled.get(key)?.met ?? []), at] })
    }
  })
  return { pages, names, ruled }
}

/** The mark of the known value that `value` equals. One look-up is many times faster than a comparison for each. */
function lookUp(marks: Marks, value: Fragment, known: Fragment, met: readonly (readonly number[])[]): Fragment {
  const written = [[], ...met].map((definitions) => marks.write(definitions)).join(',')
  const table = sql`CAST(${text(`[${written}]`)}, ${text(`Array(${marks.type})`)})`
  const places = list(
    'UInt64',
    met.map((_, at) => at + 2),
  )
  return sql`${table}[
transform(${value}, ${known}, ${places}, toUInt64(1))
]`
}

export const constant = (marks: Marks, written: string): Fragment => sql`CAST(${text(written)}, ${text(marks.type)})`

/**
 * Whether the properties of an event meet a rule. Stored values are text: an enum's value, decimal digits, `true` or
 * `false`. Undeclared properties are not stored.
 */
function ruleHolds({ property_key, operator, comparison }: PropertyRule, props: Fragment): Fragment {
  const value = sql`${props}[${text(property_key)}]`
  const isThere = sql`mapContains(${props}, ${text(property_key)})`
  if (operator === 'equals' && 'value' in comparison)
    return and([isThere, sql`${value} = ${text(String(comparison.value))}`])
  if (operator === 'one_of' && 'values' in comparison)
    return and([isThere, sql`has(${list('String', comparison.values)}, ${value})`])
  if (operator === 'between' && 'lower' in comparison) {
    const bound = (of: number) => sql`toInt64(${text(String(of))})`
    return sql`ifNull(toInt64OrNull(${value}) BETWEEN ${bound(comparison.lower)} AND ${bound(comparison.upper)}, 0)`
  }
  throw new TypeError(`A rule of ${property_key} compares by ${operator} with ${JSON.stringify(comparison)}.`)
}
