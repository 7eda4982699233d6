/**
 * Funnels, conversions, journeys and revenue as they are answered over HTTP, before and after closed days are derived.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#evidence/sql.ts'
import type { Site } from '#sites/site.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { addFunnel, archiveFunnel } from '#tracker/definitions/funnels.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
let site: Site
let slug: string

const visits = (day: string, count: number): TestEvent[] =>
  Array.from({ length: count }, (_, visitor): TestEvent[] => [
    { at: `${day}T08:00:00.000Z`, visitor, path: '/', referrer_host: 'chatgpt.com', utm: { campaign: 'spring' } },
    { at: `${day}T08:00:05.000Z`, visitor, path: '/pricing' },
    ...(visitor % 2 === 0
      ? [{ at: `${day}T08:00:09.000Z`, visitor, kind: 'event' as const, name: 'signup', path: '/pricing' }]
      : []),
  ]).flat()

beforeAll(async () => {
  service = await openTestService(NOW)
  site = await service.addSite('example.com')
  await service.createKey()
})
afterAll(() => service.close())

const read = async (path: string) => {
  const answer = await service.ask(`/v1/sites/${site.id}/${path}`)
  expect(answer.status, answer.text).toBe(200)
  const { meta, ...rest } = answer.json as { meta: Record<string, unknown> } & Record<string, never>
  return { meta, ...rest } as never as Record<string, never>
}

const definitions = () => ({ control: service.installation.control, clock: service.clock })
const page = (path: string) => ({ kind: 'page', hostname: 'example.com', path })

describe('what owners defined (rules 6)', () => {
  test('without a tracker everything is unknown and nothing is zero', async () => {
    expect(await read('funnels')).toMatchObject({
      meta: { measurement_state: 'uninstalled', configuration: { state: 'not_configured', active_count: 0 } },
      funnels: [],
    })
    expect(await read('journeys')).toMatchObject({
      meta: { pagination: { returned_count: 0, total_count: null, truncated: false } },
      closed_sessions: null,
      total_count: null,
      journeys: [{ kind: 'grouped', sessions: null, share: null }],
    })
    expect(await read('revenue')).toMatchObject({
      quality: 'unknown',
      reported: null,
      reconciliation: { classes: null },
    })
  })

  test('a funnel is not effective, unknown, partial or suppressed as in the table', async () => {
    await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
    await storeEvents(service, site, [
      ...visits('2026-03-01', 1),
      ...visits('2026-03-08', 12),
      ...visits('2026-03-09', 7),
    ])
    await storeEvents(service, site, visits('2026-03-10', 6))
    const { id } = await addConversion(definitions(), {
      site,
      definition: readConversionInput({
        name: 'Signup',
        matcher: { kind: 'event', event_name: 'signup', property_rules: [] },
      }),
    })
    const conversion = await service.installation.control.db
      .selectFrom('conversion_revisions')
      .select('conversion_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const steps = [page('/'), page('/pricing'), { kind: 'conversion', conversion_id: conversion.conversion_id }]
    const funnel = await addFunnel(definitions(), { site, definition: readFunnelInput({ name: 'Buy', steps }) })
    slug = funnel.slug
    expect(await read(`funnels/${slug}?window=3d`)).toMatchObject({
      funnel: {
        evidence_state: 'measured',
        metrics: { entered_sessions: 25, completed_sessions: 13, entered_quality: 'exact', completion_rate: 13 / 25 },
        evaluation_coverage: { state: 'complete', conversion_steps: 'complete', event_order: 'exact' },
        steps: [
          { reached_sessions: 25, rate_from_previous: null },
          { reached_sessions: 25, rate_from_previous: 1 },
          { reached_sessions: 13, rate_from_previous: 13 / 25 },
        ],
      },
    })
    expect(await read(`funnels/${slug}`)).toMatchObject({
      funnel: { evidence_state: 'partial', metrics: { entered_sessions: 26, entered_quality: 'observed_lower_bound' } },
    })
    const { control } = service.installation
    await control.db.insertInto('tracker_settings').values({ site_id: site.id, privacy_floor: 26 }).execute()
    expect(await read(`funnels/${slug}?window=3d`)).toMatchObject({
      funnel: {
        evidence_state: 'suppressed',
        metrics: { entered_sessions: null, completed_quality: 'suppressed', completion_rate: null },
        steps: [
          { reached_sessions: null },
          { reached_sessions: null },
          { reached_sessions: null, reached_quality: 'suppressed' },
        ],
      },
    })
    await control.db.deleteFrom('tracker_settings').execute()
    const later = await addFunnel(definitions(), {
      site,
      definition: readFunnelInput({ name: 'A first', steps: [page('/'), page('/pricing')] }),
    })
    await archiveFunnel(definitions(), { site, funnel: later.slug })
    service.clock.set('2026-03-10T12:00:01Z')
    const list = (await read('funnels?window=3d')) as never as { funnels: { name: string; definition_state: string }[] }
    expect(list.funnels.map((each) => [each.name, each.definition_state])).toEqual([
      ['Buy', 'active'],
      ['A first', 'archived'],
    ])
    const early = {
      effective_from: Date.parse('2026-01-01T00:00:00Z'),
      effective_to: Date.parse('2026-03-08T00:00:00Z'),
    }
    await control.db.updateTable('funnel_revisions').set(early).where('id', '=', later.id).execute()
    expect(await read(`funnels/${later.slug}?window=3d`)).toMatchObject({
      funnel: {
        evidence_state: 'not_effective',
        evaluation_coverage: { state: 'complete' },
        metrics: { entered_sessions: null, entered_quality: 'unknown', completion_rate: null },
      },
    })
    const missing = await service.ask(`/v1/sites/${site.id}/funnels/${slug}?revision=2`)
    expect([missing.status, missing.json.type]).toEqual([404, 'urn:spoor:problem:not_found'])
    const long = await service.ask(`/v1/sites/${site.id}/funnels?window=90d`)
    expect(long.status).toBe(422)
  })

  test('every answer is the same from facts, from sessions, and from stored sums', async () => {
    const paths = [
      `funnels/${slug}`,
      'funnels',
      'conversions',
      'journeys',
      'journeys?limit=1',
      'overview',
      'pages',
      'revenue',
    ]
    const all = async () => Promise.all(paths.map((path) => read(path)))
    const from_facts = await all()
    const ctx = { ...service.crawlers, collection: { readableThrough: () => service.clock.now() } }
    expect(await deriveDays(ctx)).toBe(3)
    expect(await all()).toEqual(from_facts)
    expect(await deriveDefinitions(ctx)).toBe(3)
    expect(await deriveDefinitions(ctx)).toBe(0)
    expect(await all()).toEqual(from_facts)
    const { control } = service.installation
    // Where nothing but the stored sums is left, they alone must still say so.
    await service.crawlers.evidence.run(sql`TRUNCATE TABLE spoor.sessions`)
    expect(await all()).toEqual(from_facts)
    // On three days the funnel, the conversion and the set of conversions; on the first the archived funnel too.
    expect(await control.db.selectFrom('builds').selectAll().where('kind', '=', 'definitions').execute()).toHaveLength(
      3 * 3 + 1,
    )
  })

  test('conversions have the sources of their sessions', async () => {
    const { conversions } = (await read('conversions?window=3d')) as never as { conversions: unknown[] }
    expect(conversions).toMatchObject([
      {
        name: 'Signup',
        evidence_state: 'measured',
        metrics: { converted_sessions: 13, conversion_events: 13, sessions: 25, rate: 13 / 25, quality: 'exact' },
        sources: [
          { dimension: 'channel', identity: 'ai_assistant', converted_sessions: 13 },
          { dimension: 'ai_platform', identity: 'chatgpt', converted_sessions: 13 },
          { dimension: 'utm_campaign', identity: 'spring', converted_sessions: 13 },
        ],
      },
    ])
  })

  test('server events are conversion events and no sessions; late ones are counted again', async () => {
    await storeEvents(service, site, [
      { at: '2026-03-09T23:00:00.000Z', stream: 'server', kind: 'event', name: 'signup', visitor: 0 },
    ])
    const { conversions } = (await read('conversions?window=3d')) as never as { conversions: unknown[] }
    expect(conversions).toMatchObject([{ metrics: { converted_sessions: 13, conversion_events: 14 } }])
  })

  test('tied events of different requests make the order ambiguous, and are not counted as ordered', async () => {
    await storeEvents(service, site, [
      { at: '2026-03-10T09:00:00.000Z', visitor: 99, path: '/', request: 1 },
      { at: '2026-03-10T09:00:00.000Z', visitor: 99, path: '/pricing', request: 2 },
    ])
    expect(await read(`funnels/${slug}?window=3d`)).toMatchObject({
      funnel: {
        evidence_state: 'partial',
        evaluation_coverage: { state: 'partial', event_order: 'ambiguous', limitations: ['tied_events'] },
        steps: [{ reached_sessions: 26 }, { reached_sessions: 25 }, { reached_sessions: 13 }],
      },
    })
  })
})
