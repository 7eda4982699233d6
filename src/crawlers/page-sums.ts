/** Sums of pages of several parts of a window, put together: which pages have the most requests (spec 2.5 TopPages). */
import type { Row } from '#evidence/sql.ts'
import type { namesOfTopPages, pageSums } from './top-pages.sql.ts'

export type TopPageName = Row<ReturnType<typeof namesOfTopPages>>

/** Requests of every page that the filter shows, and of each purpose that it hides. */
export interface PageSums {
  /** Two words a page, the lower first: ids ascending. */
  ids: Uint32Array
  requests: Float64Array
  observed: Float64Array
  /** `mark_bytes` a page: bit n stands for the n-th of `crawlers`. */
  marks: Uint8Array
  mark_bytes: number
  crawlers: readonly string[]
  total_requests: number
  /** By `hidden` of the statement. */
  hidden: ReadonlyMap<number, number>
}

export interface RankedPage {
  page_id: string
  requests: number
  observed: number
  /** Of how many crawlers. */
  crawlers: number
}

export interface RankedPages {
  /** Every page that has as many requests as the last of the first `limit`, in no order. */
  pages: RankedPage[]
  total_pages: number
  total_requests: number
  hidden: ReadonlyMap<number, number>
}

type PageSumsRow = Row<ReturnType<typeof pageSums>>

/** The sums that a statement's rows hold; null where there are more pages than it lists. */
export function decodePageSums(rows: readonly PageSumsRow[]): PageSums | null {
  const shown = rows.find((row) => row.hidden === 0)
  const hidden = new Map(rows.filter((row) => row.hidden !== 0).map((row) => [row.hidden, row.requests]))
  if (shown === undefined) return { ...NONE, hidden }
  if (shown.ids === '') return null
  const { crawlers, requests: total_requests } = shown
  return {
    ids: new Uint32Array(bytesOfHex(shown.ids)),
    requests: new Float64Array(bytesOfHex(shown.page_requests)),
    observed: new Float64Array(bytesOfHex(shown.page_observed)),
    marks: new Uint8Array(bytesOfHex(shown.page_marks)),
    mark_bytes: Math.floor((crawlers.length + 7) / 8),
    ...{ crawlers, total_requests, hidden },
  }
}

const NONE: PageSums = {
  ids: new Uint32Array(0),
  requests: new Float64Array(0),
  observed: new Float64Array(0),
  marks: new Uint8Array(0),
  ...{ mark_bytes: 0, crawlers: [], total_requests: 0, hidden: new Map() },
}

/** Bytes of hex digits. */
export function bytesOfHex(hex: string): ArrayBuffer {
  const bytes = new ArrayBuffer(hex.length / 2)
  Buffer.from(bytes).write(hex, 'hex')
  return bytes
}

export const sizeOf = (sums: PageSums | null): number =>
  sums === null
    ? 0
    : [sums.ids, sums.requests, sums.observed, sums.marks].reduce((all, each) => all + each.byteLength, 0)

/** The pages with the most requests of all parts, ties included; null where more than `max` pages tie. */
export function rankSums(parts: readonly PageSums[], limit: number, max: number): RankedPages | null {
  const { places, count } = mergeIds(parts)
  const requests = new Float64Array(count)
  parts.forEach((sums, part) => {
    const at_part = places[part] as Int32Array
    for (let at = 0; at < count; at++) requests[at] = (requests[at] as number) + valueAt(sums.requests, at_part[at])
  })
  const least = nthLargest(requests, limit)
  const pages: RankedPage[] = []
  for (let at = 0; at < count; at++) {
    if ((requests[at] as number) < (least as number)) continue
    if (pages.length === max) return null
    const found = parts
      .map((sums, part) => ({ sums, place: (places[part] as Int32Array)[at] as number }))
      .filter(({ place }) => place >= 0)
    pages.push({
      page_id: idOf(found),
      requests: requests[at] as number,
      observed: found.reduce((sum, { sums, place }) => sum + (sums.observed[place] as number), 0),
      crawlers: new Set(found.flatMap(({ sums, place }) => crawlersAt(sums, place))).size,
    })
  }
  return {
    pages,
    total_pages: count,
    total_requests: parts.reduce((sum, { total_requests }) => sum + total_requests, 0),
    hidden: sumByKey(parts.flatMap(({ hidden }) => [...hidden])),
  }
}

function sumByKey(entries: readonly (readonly [number, number])[]): Map<number, number> {
  const groups = [...Map.groupBy(entries, ([key]) => key)]
  return new Map(groups.map(([key, of]) => [key, of.reduce((sum, [, value]) => sum + value, 0)]))
}

/** The place of each page in each part, -1 where it is not in it. */
function mergeIds(parts: readonly PageSums[]): { places: Int32Array[]; count: number } {
  const most = parts.reduce((sum, { requests }) => sum + requests.length, 0)
  const places = parts.map(() => new Int32Array(most).fill(-1))
  const next = parts.map(() => 0)
  for (let count = 0; ; count++) {
    const least = leastId(parts, next)
    if (least === -1) return { places, count }
    const { ids } = parts[least] as PageSums
    const place_of_least = next[least] as number
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at] as PageSums
      const place = next[at] as number
      if (place === part.requests.length || compareIds(part.ids, place, ids, place_of_least) !== 0) continue
      ;(places[at] as Int32Array)[count] = place
      next[at] = place + 1
    }
  }
}

/** The part whose next page has the smallest id; -1 where all are at their end. */
function leastId(parts: readonly PageSums[], next: readonly number[]): number {
  let least = -1
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as PageSums
    const place = next[at] as number
    if (place === part.requests.length) continue
    const other = parts[least]
    if (other === undefined || compareIds(part.ids, place, other.ids, next[least] as number) < 0) least = at
  }
  return least
}

function compareIds(one: Uint32Array, a: number, two: Uint32Array, b: number): number {
  const upper = (one[2 * a + 1] as number) - (two[2 * b + 1] as number)
  return upper !== 0 ? upper : (one[2 * a] as number) - (two[2 * b] as number)
}

/** The place of a page among the ids; -1 where it is not there. */
export function placeOf({ ids }: PageSums, page_id: string): number {
  const wanted = new Uint32Array([Number(BigInt(page_id) & 0xffffffffn), Number(BigInt(page_id) >> 32n)])
  let [from, to] = [0, ids.length / 2]
  while (from < to) {
    const middle = (from + to) >>> 1
    const order = compareIds(ids, middle, wanted, 0)
    if (order === 0) return middle
    if (order < 0) from = middle + 1
    else to = middle
  }
  return -1
}

const valueAt = (values: Float64Array, place: number | undefined): number =>
  place === undefined || place < 0 ? 0 : (values[place] as number)

/** The n-th largest of these numbers, or the smallest where there are fewer; undefined for none. */
function nthLargest(values: Float64Array, n: number): number | undefined {
  // Ascending: the first is the one that the next larger value displaces.
  const largest: number[] = []
  for (const value of values) {
    if (largest.length === n && value <= (largest[0] as number)) continue
    if (largest.length === n) largest.shift()
    let at = largest.length
    while (at > 0 && (largest[at - 1] as number) > value) at--
    largest.splice(at, 0, value)
  }
  return largest[0]
}

function idOf([first]: readonly { sums: PageSums; place: number }[]): string {
  if (first === undefined) throw new Error('A page is in no part.')
  const { sums, place } = first
  return String((BigInt(sums.ids[2 * place + 1] as number) << 32n) | BigInt(sums.ids[2 * place] as number))
}

function crawlersAt({ marks, mark_bytes, crawlers }: PageSums, place: number): string[] {
  return crawlers.filter((_, bit) => {
    const byte = marks[place * mark_bytes + (bit >> 3)] as number
    return ((byte >> (bit & 7)) & 1) === 1
  })
}
