/**
 * Positions in a list that is read newest first. A cursor is valid only with the filters of its request (account API
 * 1).
 */
import { createHash } from 'node:crypto'

/** The last item that was read. */
export interface ListPlace {
  /** Epoch milliseconds. */
  at: number
  id: string
}

/** The filters of a request: its parameters without `cursor`, `limit` and unknown ones. */
type Filters = Readonly<Record<string, unknown>>

const NOT_FILTERS = new Set(['cursor', 'limit', 'ignored_parameters'])
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The cursor that continues the list after a position. */
export function writeCursor(filters: Filters, place: ListPlace): string {
  return Buffer.from(JSON.stringify([place.at, place.id, checksum(filters, place)])).toString('base64url')
}

/** The position of a cursor; null if it is not a cursor, or belongs to other filters. */
export function readCursor(text: string, filters: Filters): ListPlace | null {
  const parts = decode(text)
  if (!Array.isArray(parts) || parts.length !== 3) return null
  const [at, id, sum] = parts as unknown[]
  if (typeof at !== 'number' || !isInstant(at) || typeof id !== 'string' || !UUID.test(id)) return null
  return sum === checksum(filters, { at, id }) ? { at, id } : null
}

/** The checksum is not a secret: anyone can write a cursor with an instant beyond the calendar. */
const isInstant = (at: number): boolean => Number.isInteger(at) && !Number.isNaN(new Date(at).getTime())

function checksum(filters: Filters, { at, id }: ListPlace): string {
  const named = Object.entries(filters)
    .filter(([name, value]) => !NOT_FILTERS.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([named, at, id]))
    .digest('base64url')
    .slice(0, 16)
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
