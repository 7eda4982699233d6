/** Events by name, with declared properties and targets (rules 6.15). */
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAnalyticsEvents } from '#contract/site-api/events.ts'
import { setGate } from '#sites/gates.ts'
import type { Site } from '#sites/site.ts'
import { declareProperty, editProperty, endProperty } from '#tracker/definitions/properties.ts'
import { readEvents } from '#tracker/events.ts'
import { setPrivacyFloor } from '#tracker/privacy-settings.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
let site: Site
let sites = 0

beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())
beforeEach(async () => {
  service.clock.set('2026-03-01T00:00:00Z')
  site = await service.addSite(`shop-${++sites}.example`)
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  for (const property of [
    { property_key: 'plan', scalar_kind: 'enum', enum_values: ['free', 'pro'] },
    { property_key: 'seats', scalar_kind: 'integer' },
    { property_key: 'yearly', scalar_kind: 'boolean' },
  ] as const)
    await declareProperty(definitions(), { site_id: site.id, event_name: 'signup', ...property })
  service.clock.set(NOW)
})

const definitions = () => ({ control: service.installation.control, clock: service.clock })
const context = () => ({ ...service.crawlers, site, collection: { readableThrough: () => service.clock.now() } })
const read = () => readEvents(context(), { window: '7d' })
const signup = (visitor: number, props: Record<string, string>, over: Partial<TestEvent> = {}): TestEvent => ({
  at: '2026-03-10T10:00:00Z',
  visitor,
  kind: 'event',
  name: 'signup',
  props,
  ...over,
})
const link = (visitor: number, props: Record<string, string>): TestEvent =>
  signup(visitor, props, { name: ':host' in props ? 'outbound_link' : 'file_download' })
const visit = (visitor: number, at = '2026-03-10T09:00:00Z'): TestEvent => ({ at, visitor })

describe('the answer', () => {
  test('counts events by name, values of enums and booleans, sums of integers, hosts and files', async () => {
    await storeEvents(service, site, [
      visit(1),
      signup(1, { plan: 'pro', seats: '3', yearly: 'true' }),
      signup(1, { plan: 'pro', seats: '4' }, { at: '2026-03-09T10:00:00Z' }),
      signup(2, { plan: 'free', yearly: 'false' }),
      signup(0, { plan: 'pro' }, { stream: 'server' }),
      link(1, { ':host': 'docs.example.org' }),
      link(2, { ':host': 'docs.example.org' }),
      link(2, { ':file': 'manual.pdf' }),
      signup(3, {}, { stream: 'bot' }),
      signup(
        2,
        {},
        { kind: 'revenue', name: 'revenue', revenue: { kind: 'sale', amount_minor: 100, currency: 'EUR' } },
      ),
    ])
    const answer = await read()
    expect(Compile(getAnalyticsEvents.output).Errors(answer)).toEqual([])
    expect(answer).toMatchObject({
      meta: { contract_version: 'analytics-events/v1', provenance: { evaluator_version: 'events/v1' } },
      quality: 'observed_lower_bound',
      privacy_floor: 0,
      event_count: 8,
    })
    expect(answer.events).toEqual({
      returned_count: 4,
      total_count: 4,
      withheld_count: 0,
      truncated: false,
      rows: [
        {
          name: 'signup',
          events: 4,
          server_events: 1,
          visitor_days: 3,
          properties: [
            {
              key: 'plan',
              scalar_kind: 'enum',
              events: 4,
              sum: null,
              withheld: false,
              values: [
                { value: 'pro', events: 3 },
                { value: 'free', events: 1 },
              ],
            },
            { key: 'seats', scalar_kind: 'integer', events: 2, values: null, sum: 7, withheld: false },
            {
              key: 'yearly',
              scalar_kind: 'boolean',
              events: 2,
              sum: null,
              withheld: false,
              values: [
                { value: 'false', events: 1 },
                { value: 'true', events: 1 },
              ],
            },
          ],
        },
        { name: 'outbound_link', events: 2, server_events: 0, visitor_days: 2, properties: [] },
        { name: 'file_download', events: 1, server_events: 0, visitor_days: 1, properties: [] },
        { name: 'revenue', events: 1, server_events: 0, visitor_days: 1, properties: [] },
      ],
    })
    expect(answer.outbound_hosts.rows).toEqual([{ host: 'docs.example.org', events: 2, visitor_days: 2 }])
    expect(answer.downloads.rows).toEqual([{ file_name: 'manual.pdf', events: 1, visitor_days: 1 }])
  })

  test('is the same of days whose sessions are derived', async () => {
    await storeEvents(service, site, [
      visit(1, '2026-03-08T10:00:00Z'),
      signup(1, { plan: 'pro' }, { at: '2026-03-08T10:01:00Z' }),
    ])
    const { events } = await read()
    await deriveDays({ ...service.crawlers, collection: { readableThrough: () => service.clock.now() } } as never)
    expect((await read()).events).toEqual(events)
    expect(events.rows).toMatchObject([{ name: 'signup', events: 1 }])
  })

  test('lists only declared values, of every revision in the window, and properties by their newest kind', async () => {
    await storeEvents(service, site, [
      visit(1),
      signup(1, { plan: 'free', seats: '3' }),
      signup(2, { plan: 'gone', seats: '4' }),
    ])
    const of_signup = { site_id: site.id, event_name: 'signup' }
    await editProperty(definitions(), {
      ...of_signup,
      property_key: 'plan',
      scalar_kind: 'enum',
      enum_values: ['pro', 'team'],
    })
    await endProperty(definitions(), { ...of_signup, property_key: 'seats' })
    const [{ properties } = { properties: [] }] = (await read()).events.rows
    expect(properties).toMatchObject([
      { key: 'plan', events: 1, values: [{ value: 'free', events: 1 }] },
      { key: 'seats', sum: 7 },
    ])
  })

  test('has at most 200 rows of a list, and says how many there are', async () => {
    const hosts = Array.from({ length: 203 }, (_, at) =>
      link(1, { ':host': `h${String(at).padStart(3, '0')}.example` }),
    )
    await storeEvents(service, site, [visit(1), ...hosts, link(1, { ':host': 'h202.example' })])
    const { outbound_hosts } = await read()
    expect(outbound_hosts).toMatchObject({ returned_count: 200, total_count: 203, truncated: true })
    expect(outbound_hosts.rows.slice(0, 2).map(({ host }) => host)).toEqual(['h202.example', 'h000.example'])
  })
})

describe('the privacy floor', () => {
  beforeEach(() => setPrivacyFloor(service.installation, { site_id: site.id, privacy_floor: 2 }))

  test('leaves out rows of fewer visitors, and withholds a property as soon as one value is of fewer', async () => {
    await storeEvents(service, site, [
      visit(1),
      signup(1, { plan: 'pro', seats: '3', yearly: 'true' }),
      signup(2, { plan: 'free', seats: '4', yearly: 'true' }),
      signup(1, {}, { name: 'rare' }),
      signup(0, {}, { name: 'reported', stream: 'server' }),
      link(1, { ':host': 'a.example' }),
      link(1, { ':file': 'a.pdf' }),
    ])
    const answer = await read()
    expect(answer).toMatchObject({ privacy_floor: 2, event_count: 3 })
    expect(answer.events).toMatchObject({ returned_count: 2, total_count: 2, withheld_count: 3 })
    expect(answer.events.rows.map(({ name }) => name)).toEqual(['signup', 'reported'])
    expect(answer.events.rows[0]?.properties).toEqual([
      { key: 'plan', scalar_kind: 'enum', events: null, values: null, sum: null, withheld: true },
      { key: 'seats', scalar_kind: 'integer', events: 2, values: null, sum: 7, withheld: false },
      {
        key: 'yearly',
        scalar_kind: 'boolean',
        events: 2,
        sum: null,
        withheld: false,
        values: [{ value: 'true', events: 2 }],
      },
    ])
    expect(answer.outbound_hosts).toEqual({
      returned_count: 0,
      total_count: 0,
      withheld_count: 1,
      truncated: false,
      rows: [],
    })
    expect(answer.downloads).toMatchObject({ withheld_count: 1, rows: [] })
  })
})

describe('unknown values', () => {
  const UNKNOWN = { returned_count: 0, total_count: null, withheld_count: null, truncated: false, rows: [] }

  test('is null before the first event, with empty lists', async () => {
    expect(await read()).toMatchObject({
      meta: { measurement_state: 'awaiting_first_evidence' },
      quality: 'unknown',
      event_count: null,
      events: UNKNOWN,
      outbound_hosts: UNKNOWN,
      downloads: UNKNOWN,
    })
  })

  test('a window of visitors without events is zero, a window of servers alone has no visitors', async () => {
    await storeEvents(service, site, [visit(1, '2026-03-09T10:00:00Z'), visit(1)])
    expect(await read()).toMatchObject({ event_count: 0, events: { total_count: 0, rows: [] } })
    const other = await service.addSite(`served-${sites}.example`)
    await enableTracker(service, other, { from: '2026-03-01T00:00:00Z', through: NOW })
    await storeEvents(service, other, [signup(0, {}, { stream: 'server' })])
    const answer = await readEvents({ ...context(), site: other }, { window: '7d' })
    expect(answer.events.rows).toEqual([
      { name: 'signup', events: 1, server_events: 1, visitor_days: null, properties: [] },
    ])
  })

  test('is refused while the gate of the overview is closed', async () => {
    const gate = { site_id: site.id, name: 'analytics_overview_reader', is_open: false } as const
    await service.installation.control.transaction((tx) => setGate(tx, service.crawlers, gate))
    await expect(read()).rejects.toThrow('This reader is switched off')
  })
})
