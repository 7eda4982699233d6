/** Reads members of JSON that others wrote. A member that is missing or of another type is null or empty. */

/** The value at a path of keys; undefined if there is none. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

export const objectsAt = (value: unknown, ...path: readonly string[]): Record<string, unknown>[] =>
  itemsAt(value, ...path).filter(isObject)

export const textsAt = (value: unknown, ...path: readonly string[]): string[] =>
  itemsAt(value, ...path).filter((item) => typeof item === 'string')

export function itemsAt(value: unknown, ...path: readonly string[]): unknown[] {
  const items = memberAt(value, ...path)
  return Array.isArray(items) ? items : []
}

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const text = memberAt(value, ...path)
  return typeof text === 'string' ? text : null
}

/** A finite number of 0 or more. */
export function amountAt(value: unknown, ...path: readonly string[]): number | null {
  const amount = memberAt(value, ...path)
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a JSON text; undefined if it is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
