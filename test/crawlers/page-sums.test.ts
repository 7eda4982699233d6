/** Sums of pages of two parts of a window rank as their pages would in one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodePageSums, indexOfPage, type PageSums, rankSums } from '#crawlers/page-sums.ts'

interface Page {
  id: bigint
  requests: number
  observed: number
  crawlers: number[]
}

const NAMES = Array.from({ length: 20 }, (_, at) => `crawler-${String(at).padStart(2, '0')}`)

const hexOf = (size: number, values: readonly bigint[]) =>
  values
    .map((value) => Array.from({ length: size }, (_, at) => Number((value >> BigInt(8 * at)) & 255n)))
    .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase())
    .join('')

const hexOfNumbers = (values: readonly number[]) => Buffer.from(new Float64Array(values).buffer).toString('hex')

/** As the engine writes them. */
function partOf(pages: readonly Page[], crawlers: readonly string[], hidden: number): PageSums | null {
  const sorted = pages.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const size = Math.floor((crawlers.length + 7) / 8)
  const marks = sorted.map((page) => page.crawlers.reduce((all, bit) => all | (1n << BigInt(bit)), 0n))
  const requests = sorted.reduce((sum, page) => sum + page.requests, 0)
  const rest = { ids: '', page_requests: '', page_observed: '', page_marks: '', crawlers: [...crawlers], pages: 0 }
  const shown = {
    hidden: 0,
    requests,
    pages: pages.length,
    crawlers: [...crawlers],
    ids: hexOf(
      8,
      sorted.map(({ id }) => id),
    ),
    page_requests: hexOfNumbers(sorted.map((page) => page.requests)),
    page_observed: hexOfNumbers(sorted.map((page) => page.observed)),
    page_marks: hexOf(size, marks),
  }
  return decodePageSums([...(pages.length === 0 ? [] : [shown]), { ...rest, hidden: 2, requests: hidden }])
}

const pagesOf = (crawlers: number) =>
  fc.uniqueArray(
    fc.record({
      id: fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
      requests: fc.integer({ min: 1, max: 6 }),
      observed: fc.integer({ min: 0, max: 6 }),
      crawlers: fc.uniqueArray(fc.integer({ min: 0, max: crawlers - 1 }), { minLength: 1 }),
    }),
    { selector: ({ id }) => id, maxLength: 30 },
  )

test('two parts rank as one, even if one of them knows more crawlers', () => {
  fc.assert(
    fc.property(pagesOf(7), pagesOf(20), fc.integer({ min: 1, max: 8 }), (one, two, limit) => {
      const parts = [partOf(one, NAMES.slice(13), 5) as PageSums, partOf(two, NAMES, 7) as PageSums]
      const both = Map.groupBy(
        [
          ...one.map((page) => ({ ...page, names: page.crawlers.map((at) => NAMES[at + 13]) })),
          ...two.map((page) => ({ ...page, names: page.crawlers.map((at) => NAMES[at]) })),
        ],
        ({ id }) => id,
      )
      const all = [...both].map(([id, pages]) => ({
        page_id: String(id),
        requests: pages.reduce((sum, page) => sum + page.requests, 0),
        observed: pages.reduce((sum, page) => sum + page.observed, 0),
        crawlers: new Set(pages.flatMap(({ names }) => names)).size,
      }))
      const least = all.map(({ requests }) => requests).sort((a, b) => b - a)[Math.min(limit, all.length) - 1] ?? 0
      const ranked = rankSums(parts, limit, 1_000)
      const byId = (a: { page_id: string }, b: { page_id: string }) => (a.page_id < b.page_id ? -1 : 1)
      expect(ranked?.pages.toSorted(byId)).toEqual(all.filter(({ requests }) => requests >= least).sort(byId))
      expect(ranked).toMatchObject({
        total_pages: all.length,
        total_requests: all.reduce((sum, { requests }) => sum + requests, 0),
        hidden: new Map([[2, 12]]),
      })
    }),
  )
})

test('more ties than can be named, and more pages than were listed, are counted by one statement instead', () => {
  const pages = [1n, 2n, 3n].map((id) => ({ id, requests: 1, observed: 1, crawlers: [0] }))
  const part = partOf(pages, NAMES, 0) as PageSums
  expect(rankSums([part], 1, 2)).toBeNull()
  expect(rankSums([part], 1, 3)?.pages).toHaveLength(3)
  const unlisted = { hidden: 0, requests: 9, pages: 9, crawlers: [], ids: '', page_requests: '' }
  expect(decodePageSums([{ ...unlisted, page_observed: '', page_marks: '' }])).toBeNull()
})

test('a page is found at its place among the ids', () => {
  fc.assert(
    fc.property(pagesOf(3), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (pages, other) => {
      const sums = partOf(pages, NAMES.slice(0, 3), 1) as PageSums
      const ids = pages.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1))
      for (const id of [...ids, other]) expect(indexOfPage(sums, String(id))).toBe(ids.indexOf(id))
    }),
  )
})
