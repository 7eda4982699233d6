/** Where an answer is not what the evaluator expects. */
import { isDeepStrictEqual } from 'node:util'

export interface Difference {
  path: string
  expected: unknown
  actual: unknown
}

/** Fields that are not expected are not compared: the evaluator leaves out what the papers leave open. */
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

/** Lists of which the papers name no order become objects by what names their rows, so that any order is right. */
const UNORDERED: Record<string, string> = {
  sources: 'id',
  observed_by_scope: 'scope',
  hidden_by_purpose_filter: 'purpose',
}

/** An answer with the lists of no certain order by key. */
export function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const name = UNORDERED[key]
      if (name === undefined || !Array.isArray(one)) return [key, byName(one)]
      return [key, Object.fromEntries(one.map((row) => [String(row[name]), byName(row)]))]
    }),
  )
}
