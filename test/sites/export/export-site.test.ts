import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { INSERT_COLUMNS } from '#evidence/tables.ts'
import { exportSite } from '#sites/export/export-site.ts'
import type { Site } from '#sites/site.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const NOON = '2026-03-10T12:00:00Z'
let service: TestService
let site: Site
let lines: Record<string, unknown>[]
const linesOf = (record: string) => lines.filter((line) => line.record === record)

beforeAll(async () => {
  service = await openTestService(NOON)
  site = await service.addSite('example.com')
  await service.importText(site, history().on('2026-03-07').crawler('gptbot').requests(1))
  await enableTracker(service, site, { from: '2026-03-10T00:00:00Z', through: NOON })
  const at = '2026-03-10T08:00:00Z'
  const revenue = { kind: 'sale', amount_minor: 100, currency: 'EUR', order_key: '42' } as const
  await storeEvents(service, site, [
    { at, request: 7, visitor: 1, has_click_id: true },
    { at, request: 7, visitor: 1, kind: 'revenue', revenue },
  ])
  const { control, crawlers, clock } = { ...service.installation, ...service }
  lines = []
  for await (const line of exportSite({ control, evidence: crawlers.evidence, clock }, site))
    lines.push(JSON.parse(line))
})
afterAll(() => service.close())

/** Columns whose values other members of a line give, or that belong to another table. */
const OTHERWISE = {
  requests: ['site_id', 'day', 'agent_key', 'received_at'],
  events: ['site_id', 'day', 'received_at'],
}

test.each(['requests', 'events'] as const)('an export has every column of %s', (table) => {
  const [line = {}] = linesOf(table)
  const left_out = INSERT_COLUMNS[table].filter((name) => !(name in line))
  expect(left_out.filter((name) => !OTHERWISE[table].includes(name))).toEqual([])
})

test('an export has what sessions, channels and orders are judged by', () => {
  const [view, sale] = linesOf('events').toSorted((a, b) => Number(BigInt(String(a.seq)) - BigInt(String(b.seq))))
  expect(view).toMatchObject({ kind: 'pageview', has_click_id: true, order_key: null })
  expect(sale).toMatchObject({ kind: 'revenue', has_click_id: false, order_key: '42', request: view?.request })
  expect(BigInt(String(sale?.seq))).toBeGreaterThan(BigInt(String(view?.seq)))
})
