/** Adds up the pages of several parts of a window, and finds those with the most requests (spec 2.5 TopPages). */
import type { Row } from '#evidence/sql.ts'
import type { namesOfTopPages, pageSums } from './top-pages.sql.ts'

export type TopPageName = Row<ReturnType<typeof namesOfTopPages>>

/** Requests of every page that the filter shows, and of each purpose that it hides. */
export interface PageSums {
  /** Ids ascending, two words each, the lower one first. */
  ids: Uint32Array
  requests: Float64Array
  observed: Float64Array
  /** `mark_bytes` for each page: bit n stands for the n-th of `crawlers`. */
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
  /** The number of its crawlers. */
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

/** Decodes the rows of a statement; null if there are more pages than it lists. */
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
    crawlers,
    total_requests,
    hidden,
  }
}

const NONE: PageSums = {
  ids: new Uint32Array(0),
  requests: new Float64Array(0),
  observed: new Float64Array(0),
  marks: new Uint8Array(0),
  mark_bytes: 0,
  crawlers: [],
  total_requests: 0,
  hidden: new Map(),
}

/** Decodes hexadecimal digits. */
export function bytesOfHex(hex: string): ArrayBuffer {
  const bytes = new ArrayBuffer(hex.length / 2)
  Buffer.from(bytes).write(hex, 'hex')
  return bytes
}

export const sizeOf = (sums: PageSums | null): number =>
  sums === null
    ? 0
    : [sums.ids, sums.requests, sums.observed, sums.marks].reduce((all, each) => all + each.byteLength, 0)

/** The pages with the most requests of all parts, ties included; null if more than `max` pages tie. */
export function rankSums(parts: readonly PageSums[], limit: number, max: number): RankedPages | null {
  const { ids, requests } = mergeAll(parts)
  const least = nthLargest(requests, limit) as number
  const pages: RankedPage[] = []
  for (let at = 0; at < requests.length; at++) {
    if ((requests[at] as number) < least) continue
    if (pages.length === max) return null
    const found = parts
      .map((sums) => ({ sums, index: indexOfWords(sums, ids[2 * at] as number, ids[2 * at + 1] as number) }))
      .filter(({ index }) => index >= 0)
    pages.push({
      page_id: String((BigInt(ids[2 * at + 1] as number) << 32n) | BigInt(ids[2 * at] as number)),
      requests: requests[at] as number,
      observed: found.reduce((sum, { sums, index }) => sum + (sums.observed[index] as number), 0),
      crawlers: new Set(found.flatMap(({ sums, index }) => crawlersAt(sums, index))).size,
    })
  }
  return {
    pages,
    total_pages: requests.length,
    total_requests: parts.reduce((sum, { total_requests }) => sum + total_requests, 0),
    hidden: sumByKey(parts.flatMap(({ hidden }) => [...hidden])),
  }
}

function sumByKey(entries: readonly (readonly [number, number])[]): Map<number, number> {
  const groups = [...Map.groupBy(entries, ([key]) => key)]
  return new Map(groups.map(([key, of]) => [key, of.reduce((sum, [, value]) => sum + value, 0)]))
}

type Requests = Pick<PageSums, 'ids' | 'requests'>

/**
 * Requests of every page of all parts, ids ascending. The two smallest are merged first, so that large ones are copied
 * once.
 */
function mergeAll(parts: readonly Requests[]): Requests {
  const waiting = [...parts]
  while (waiting.length > 1) {
    waiting.sort((a, b) => a.requests.length - b.requests.length)
    const [one, two] = waiting.splice(0, 2) as [Requests, Requests]
    waiting.push(mergeTwo(one, two))
  }
  return waiting[0] ?? NONE
}

function mergeTwo(one: Requests, two: Requests): Requests {
  const maxPages = one.requests.length + two.requests.length
  const ids = new Uint32Array(2 * maxPages)
  const requests = new Float64Array(maxPages)
  let [a, b, count] = [0, 0, 0]
  while (a < one.requests.length || b < two.requests.length) {
    const order = compareNext(one, a, two, b)
    const [from, index] = order <= 0 ? [one, a] : [two, b]
    ids[2 * count] = from.ids[2 * index] as number
    ids[2 * count + 1] = from.ids[2 * index + 1] as number
    const others = order === 0 ? (two.requests[b] as number) : 0
    requests[count++] = (from.requests[index] as number) + others
    if (order <= 0) a++
    if (order >= 0) b++
  }
  return { ids: ids.subarray(0, 2 * count), requests: requests.subarray(0, count) }
}

/** Compares the next ids of two parts; a part at its end is the greater one. */
function compareNext(one: Requests, a: number, two: Requests, b: number): number {
  if (a === one.requests.length) return 1
  if (b === two.requests.length) return -1
  return compareIds(one.ids, a, two.ids, b)
}

function compareIds(one: Uint32Array, a: number, two: Uint32Array, b: number): number {
  const upper = (one[2 * a + 1] as number) - (two[2 * b + 1] as number)
  return upper !== 0 ? upper : (one[2 * a] as number) - (two[2 * b] as number)
}

/** The index of a page among the ids; -1 if it is not there. */
export function indexOfPage(sums: PageSums, page_id: string): number {
  return indexOfWords(sums, Number(BigInt(page_id) & 0xffffffffn), Number(BigInt(page_id) >> 32n))
}

function indexOfWords({ ids }: PageSums, lower: number, upper: number): number {
  let [from, to] = [0, ids.length / 2]
  while (from < to) {
    const middle = (from + to) >>> 1
    const order = (ids[2 * middle + 1] as number) - upper || (ids[2 * middle] as number) - lower
    if (order === 0) return middle
    if (order < 0) from = middle + 1
    else to = middle
  }
  return -1
}

/** The n-th largest of these numbers, or the smallest if there are fewer; undefined if there are none. */
function nthLargest(values: Float64Array, n: number): number | undefined {
  // Ascending, so that the next larger value displaces the first one.
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

function crawlersAt({ marks, mark_bytes, crawlers }: PageSums, index: number): string[] {
  return crawlers.filter((_, bit) => {
    const byte = marks[index * mark_bytes + (bit >> 3)] as number
    return ((byte >> (bit & 7)) & 1) === 1
  })
}
