import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instant, sql, text, uint, uuid } from '#evidence/sql.ts'
import { countRevenue } from '#tracker/revenue.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'
import { type PlainReport, plainRevenue } from '../tracker/plain-evaluation.ts'

let evidence: TestEvidence
beforeAll(async () => {
  evidence = await openTestEvidence()
})
afterAll(() => evidence.remove())

const DAY = '2026-03-10'
const LATER = '2026-03-14'
const scopeOf = (site_id: string) => ({ site_id, days: [DAY, LATER], cutoff: Date.parse(`${LATER}T12:00:00Z`) })

/** `again`: its id comes once more, days later and with more money. */
type Report = PlainReport & { again: boolean }

const report: fc.Arbitrary<Report> = fc
  .record({
    stream: fc.constantFrom('browser' as const, 'server' as const),
    isRefund: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    currency: fc.constantFrom('EUR', 'EUR', 'USD', 'JPY'),
    amount: fc.constantFrom(100n, 100n, 250n, 9_007_199_254_740_991n),
    // One in eight has no order; orders have two or three reports in a long history.
    order: fc.integer({ min: 0, max: 39 }).map((n) => (n < 5 ? null : String(n + 6))),
    again: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
  })
  .map(({ isRefund, ...given }) =>
    isRefund && given.order !== null
      ? { ...given, stream: 'server' as const, kind: 'refund' as const }
      : { ...given, kind: 'sale' as const },
  )

let order = Date.parse('2026-01-01T00:00:00Z')

/** Each history as a site of its own, all in one insert; returns the sites. */
async function storeReports(histories: readonly (readonly Report[])[]): Promise<string[]> {
  const stored = histories.map((reports) => rowsOf(reports))
  const rows = stored.flatMap((site) => site.rows)
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  if (rows.length > 0) await evidence.store.insert('events', Buffer.from(text), rows.length)
  return stored.map(({ site_id }) => site_id)
}

function rowsOf(reports: readonly Report[]) {
  const site_id = randomUUID()
  const rows = reports.flatMap((report) => {
    const id = String(++order)
    const first = rowOf(site_id, { ...report, id, day: DAY })
    return report.again ? [first, rowOf(site_id, { ...later(report), id, day: LATER })] : [first]
  })
  return { site_id, rows }
}

function rowOf(site_id: string, given: PlainReport & { id: string; day: string }) {
  const { stream, kind, currency, amount, order: key, id, day } = given
  const seq = String(++order)
  const visitor = stream === 'browser' ? '1' : '0'
  const page = ['example.com', '/', 'exact', '', false, '', '', '', '', '']
  const sold = [kind, String(amount), currency, key ?? '0']
  return [
    site_id,
    day,
    stream,
    id,
    `${day} 10:00:00.000`,
    seq,
    seq,
    visitor,
    'revenue',
    'revenue',
    ...page,
    {},
    ...sold,
  ]
}

const later = <R extends PlainReport>(report: R): R => ({ ...report, amount: report.amount + 1n })

/** What counts of them: of a server that reports an id again the first report, of a browser both (rules 6). */
const counting = (reports: readonly Report[]): PlainReport[] =>
  reports.flatMap((report) => (report.again && report.stream === 'browser' ? [report, later(report)] : [report]))

test('revenue equals plain sums over every order', async () => {
  let reported = 0
  let compared = 0
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(report, { maxLength: 60, size: 'max' }), { minLength: 20, maxLength: 20 }),
      async (several) => {
        const sites = await storeReports(several)
        for (const [at, reports] of several.entries()) {
          const counted = await countRevenue(evidence.store, scopeOf(sites[at] as string), 100_000)
          const { sums, classes } = plainRevenue(counting(reports))
          const orders = counted.classes.filter((row) => row.orders > 0).map((row) => [row.class, row.orders])
          expect(Object.fromEntries(orders)).toEqual(classes)
          for (const name of Object.keys(classes)) seen.add(name)
          expect(
            counted.reported.map((row) => [
              `${row.currency} ${row.provenance}`,
              {
                sales: BigInt(row.exact_amounts_minor.sales),
                refunds: BigInt(row.exact_amounts_minor.refunds),
                sold: row.sales_count,
                refunded: row.refunds_count,
              },
            ]),
          ).toEqual([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
          for (const row of counted.reported) {
            const net = BigInt(row.exact_amounts_minor.sales) - BigInt(row.exact_amounts_minor.refunds)
            expect(row.exact_amounts_minor.net).toBe(String(net))
            expect(row.net_amount_minor).toBe(Number.isSafeInteger(Number(net)) ? Number(net) : null)
          }
          reported += reports.length
          compared += Object.values(classes).reduce((all, orders) => all + orders, 0)
        }
      },
    ),
    { numRuns: 14 },
  )
  expect(reported).toBeGreaterThan(4_000)
  expect(compared).toBeGreaterThan(2_500)
  expect([...seen].sort()).toEqual(
    ['amount_mismatch', 'browser_only', 'currency_mismatch', 'duplicate', 'matched', 'server_only', 'unkeyed'].sort(),
  )
}, 300_000)

test('no more orders are compared than allowed, and it says how many there are', async () => {
  const reports = ['21', '22', '23', '24'].map(
    (key): Report => ({ stream: 'browser', kind: 'sale', currency: 'EUR', amount: 5n, order: key, again: false }),
  )
  const [site_id] = await storeReports([reports])
  const counted = await countRevenue(evidence.store, scopeOf(site_id as string), 3)
  expect([counted.compared_orders, counted.total_orders]).toEqual([3, 4])
})

const REPORTS = 400_000
/** Not enough to hold them all: without the disk it takes more than 120. */
const MEMORY_MB = 110

test('many reports are counted in little memory: what does not fit goes to the disk', async () => {
  const site_id = randomUUID()
  const begins = Date.parse(`${DAY}T00:00:00Z`)
  await evidence.store.run(sql`
    INSERT INTO spoor.events (site_id, day, stream, id, received_at, seq, request, visitor, kind, name, hostname, path, path_fidelity,
      revenue_kind, amount_minor, currency, order_key)
    SELECT ${uuid(site_id)}, toDate(${text(DAY)}), if(number % 2 = 0, 'browser', 'server'), number, ${instant(begins)} + toIntervalMillisecond(number),
      number, number, 1, 'revenue', 'revenue', 'example.com', '/', 'exact', 'sale', 100, 'EUR', 1 + intDiv(number, 2)
    FROM numbers(${uint(REPORTS)})`)
  const counted = await countRevenue(evidence.store, scopeOf(site_id), 100_000, { max_memory_mb: MEMORY_MB })
  expect([counted.compared_orders, counted.total_orders]).toEqual([100_000, REPORTS / 2])
  expect(counted.classes.filter(({ orders }) => orders > 0)).toEqual([{ class: 'matched', orders: 100_000 }])
  expect(counted.reported.map(({ sales_count }) => sales_count)).toEqual([REPORTS / 2, REPORTS / 2])
}, 120_000)
