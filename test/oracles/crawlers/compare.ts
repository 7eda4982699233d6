/** Where an answer is not what the evaluator expects. */
import { isDeepStrictEqual } from 'node:util'

export interface Difference {
  path: string
  expected: unknown
  actual: unknown
}

/** Fields that are not expected are not compared: the evaluator leaves out what the specification leaves open. */
export function differences(expected: unknown, actual: unknown, path = ''): Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((one, index) => differences(one, actual[index], `${path}[${index}]`))
  }
  if (isObject(expected) && isObject(actual)) {
    return Object.entries(expected).flatMap(([key, one]) => differences(one, actual[key], `${path}.${key}`))
  }
  if (isNumber(expected) && isNumber(actual) && Math.abs(expected - actual) <= 1e-6 && !Number.isInteger(expected))
    return []
  return isDeepStrictEqual(expected, actual) ? [] : [{ path, expected, actual }]
}

export const describeDifference = ({ path, expected, actual }: Difference) =>
  `${path}: expected ${JSON.stringify(expected)}, answered ${JSON.stringify(actual)}`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNumber = (value: unknown): value is number => typeof value === 'number'

/**
 * Lists of which the specification names no order become objects by what names their rows, so that any order is right.
 */
const UNORDERED: Record<string, string> = {
  sources: 'id',
  observed_by_scope: 'scope',
  hidden_by_purpose_filter: 'purpose',
}

type Row = Record<string, unknown>

const authorityByName = (one: Row): Row => ({
  ...one,
  hosts: byHost(one.hosts as Row[]),
  shadow_diagnostics: byDay(one.shadow_diagnostics as Row[]),
})

/** Of what two shadows of one host and day say, the only certain order. */
export const byShadow = (a: Row, b: Row) =>
  Number(a.shadow_count ?? -1) - Number(b.shadow_count ?? -1) ||
  String(a.shadow_coverage_state).localeCompare(String(b.shadow_coverage_state))

/** Comparisons by host and day, and which there are. */
function byDay(rows: readonly Row[]): Record<string, unknown> {
  const name = ({ hostname, day }: Row) => `${hostname} ${day}`
  const days = [...new Set(rows.map(name))].sort()
  const of = (day: string) => rows.filter((row) => name(row) === day).sort(byShadow)
  return { ...Object.fromEntries(days.map((day) => [day, of(day)])), listed: days }
}

/** The periods of each host in the order of time, and which hosts are listed. */
function byHost(items: readonly Row[]): Record<string, unknown> {
  const hosts = [...new Set(items.map(({ hostname }) => String(hostname)))].sort()
  const inTime = (a: Row, b: Row) => (String(a.interval_start) < String(b.interval_start) ? -1 : 1)
  const of = (host: string) => items.filter(({ hostname }) => hostname === host).sort(inTime)
  return { ...Object.fromEntries(hosts.map((host) => [host, of(host)])), listed: hosts }
}

/** An answer with the lists of no certain order by key. */
export function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === 'authority' && isObject(one)) return [key, authorityByName(one)]
      const name = UNORDERED[key]
      if (name === undefined || !Array.isArray(one)) return [key, byName(one)]
      return [key, Object.fromEntries(one.map((row) => [String(row[name]), byName(row)]))]
    }),
  )
}
