/** Lists where an answer differs from what was expected of it, value by value. */

/** Stands for a value that the specification leaves open. */
export const UNPREDICTED = Symbol('unpredicted')

/**
 * An id that the service draws: the same label is the same id all through a history, and another label is another one.
 */
export class Drawn {
  readonly label: string
  readonly pattern: RegExp
  constructor(label: string, pattern: RegExp) {
    this.label = label
    this.pattern = pattern
  }
}

/** One of these; the specification leaves open which. */
export class OneOf {
  readonly values: readonly unknown[]
  constructor(values: readonly unknown[]) {
    this.values = values
  }
}

/**
 * A list in which neighbours for which `rank` is the same may stand in any order, because the specification leaves open
 * how ties are ordered.
 */
export class Ranked {
  readonly items: readonly unknown[]
  readonly rank: (item: never) => unknown
  constructor(items: readonly unknown[], rank: (item: never) => unknown) {
    this.items = items
    this.rank = rank
  }
}

export interface Difference {
  path: string
  expected: unknown
  actual: unknown
}

/** Labels to ids that were drawn, of one history. */
export type DrawnIds = Map<string, string>

export function compare(expected: unknown, actual: unknown, ids: DrawnIds, path = ''): Difference[] {
  const differs = [{ path, expected: shown(expected), actual }]
  if (expected === UNPREDICTED) return []
  if (expected instanceof OneOf)
    return expected.values.some((value) => compare(value, actual, ids, path).length === 0) ? [] : differs
  if (expected instanceof Drawn) return isDrawn(expected, actual, ids) ? [] : differs
  if (expected instanceof Ranked) {
    if (!Array.isArray(actual)) return differs
    return compare(inRanks(expected, expected.items), inRanks(expected, actual), ids, path)
  }
  if (typeof expected === 'number' && typeof actual === 'number') return isClose(expected, actual) ? [] : differs
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return differs
    const length = Math.max(expected.length, actual.length)
    return Array.from({ length }, (_, at) => compare(expected[at], actual[at], ids, `${path}[${at}]`)).flat()
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return differs
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return [...keys].flatMap((key) =>
      compare(
        (expected as Record<string, unknown>)[key],
        (actual as Record<string, unknown>)[key],
        ids,
        path === '' ? key : `${path}.${key}`,
      ),
    )
  }
  return Object.is(expected, actual) ? [] : differs
}

/** Averages are sums in another order. */
const isClose = (a: number, b: number): boolean =>
  Number.isInteger(a) && Number.isInteger(b) ? a === b : Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))

function isDrawn({ label, pattern }: Drawn, actual: unknown, ids: DrawnIds): boolean {
  if (typeof actual !== 'string' || !pattern.test(actual)) return false
  const known = ids.get(label)
  if (known !== undefined) return known === actual
  if ([...ids.values()].includes(actual)) return false
  ids.set(label, actual)
  return true
}

/** Sorts what stands in no order by its own text; the ranks stay where they are. */
function inRanks({ rank }: Ranked, items: readonly unknown[]): unknown[] {
  const sorted: unknown[] = []
  let group: unknown[] = []
  const end = () => {
    sorted.push(...group.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)))
    group = []
  }
  for (const item of items) {
    const before = group[0]
    if (before !== undefined && JSON.stringify(rank(before as never)) !== JSON.stringify(rank(item as never))) end()
    group.push(item)
  }
  end()
  return sorted
}

const text = (value: unknown): string => JSON.stringify(value, sortedKeys)
const sortedKeys = (_key: string, value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

function shown(expected: unknown): unknown {
  if (expected instanceof Drawn) return `an id of ${expected.label}`
  if (expected instanceof OneOf) return { one_of: expected.values }
  if (expected instanceof Ranked) return expected.items
  return expected
}
