import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DayHarms, findSuspects } from '#issues/detection/suspects.ts'
import { meetsRule, STATUS_HARMS } from '#issues/harms.ts'

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03']
/** What does not count yet on this day may be all but the harm. */
const UNSETTLED = '2026-03-03'
const entry = fc.record({
  page: fc.constantFrom(1n, 2n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 64n - 1n),
  unit: fc.integer({ min: 2, max: 5 }),
  harm: fc.nat({ max: 5 }),
  requests: fc.integer({ min: 1, max: 4 }),
})
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never

function columnsOf(day: string, given: readonly Entry[]): DayHarms {
  const entries = given.toSorted((a, b) => (a.page < b.page ? -1 : a.page > b.page ? 1 : 0))
  return {
    day,
    is_settled: UNSETTLED !== day,
    page_high: Uint32Array.from(entries, ({ page }) => Number(page >> 32n)),
    page_low: Uint32Array.from(entries, ({ page }) => Number(page & 0xffffffffn)),
    unit_harm: Uint32Array.from(entries, ({ unit, harm }) => unit * 8 + harm),
    requests: Float64Array.from(entries, ({ requests }) => requests),
  }
}

/** The same out of objects. */
function plainSuspects(days: readonly (readonly Entry[])[], changed_days: readonly string[] | null): string[] {
  const all = days.flatMap((entries, index) => entries.map((one) => ({ ...one, day: DAYS[index] as string })))
  const byUnit = Map.groupBy(all, ({ page, unit }) => `${page} ${unit}`)
  const sum = (some: readonly Entry[]) => some.reduce((total, { requests }) => total + requests, 0)
  return [...byUnit].flatMap(([name, own]) =>
    [1, 2, 3, 4, 5].flatMap((harm) => {
      const bad = own.filter((one) => one.harm === harm)
      const isNews = bad.some(({ day }) => changed_days === null || changed_days.includes(day))
      const sure = own.filter((one) => one.harm !== harm && one.day !== UNSETTLED)
      return isNews && meetsRule({ harmful: sum(bad), observed: sum(bad) + sum(sure) })
        ? [`${name} ${STATUS_HARMS[harm - 1]} ${sum(bad)}`]
        : []
    }),
  )
}

test('suspects are the units that meet the rule with harm of the changed days', () => {
  const history = fc.array(fc.array(entry, { maxLength: 20 }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(history, fc.option(fc.subarray(DAYS)), (days, changed_days) => {
      const columns = days.map((entries, index) => columnsOf(DAYS[index] as string, entries))
      const found = findSuspects(columns, changed_days).map(
        ({ page_id, unit, harm, harmful }) => `${page_id} ${unit} ${harm} ${harmful}`,
      )
      expect(found.sort()).toEqual(plainSuspects(days, changed_days).sort())
    }),
  )
})

test('without days there is no suspect', () => expect(findSuspects([], null)).toEqual([]))
