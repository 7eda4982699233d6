/** Finds text in a body that a store would not keep. */
import type { FieldFault } from '#brands/invalid-request.ts'
import { isStorable } from '#foreign-text.ts'

/** A value of a body, by the keys that lead to it: linked, because a body may be nested some 100,000 deep. */
interface Place {
  value: unknown
  key: string | number
  around: Place | null
}

const MAX_KEYS = 20
const MAX_KEY_LENGTH = 100

/** The first such text of a decoded body, its names of members included; null where every text can be kept. */
export function findUnstorableText(body: unknown): FieldFault | null {
  const left: Place[] = [{ value: body, key: '', around: null }]
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value, key } = place
    if (isUnstorable(value) || isUnstorable(key)) return faultAt(place)
    if (typeof value !== 'object' || value === null) continue
    const inner: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
    for (const [name, of] of inner.toReversed()) left.push({ value: of, key: name, around: place })
  }
  return null
}

const isUnstorable = (text: unknown): boolean => typeof text === 'string' && !isStorable(text)

function faultAt(place: Place): FieldFault {
  const path: (string | number)[] = []
  for (let at = place; at.around !== null; at = at.around) {
    path.unshift(typeof at.key === 'string' ? at.key.slice(0, MAX_KEY_LENGTH).toWellFormed() : at.key)
    if (path.length > MAX_KEYS) path.pop()
  }
  return { path, code: 'invalid', message: 'The text holds a NUL or half of a surrogate pair: leave it out.' }
}
