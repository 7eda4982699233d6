/** Conversions of sessions with more origins and UTM values than are distinguished (rules 6.9). */
import { Compile } from 'typebox/compile'
import { expect, onTestFinished, test } from 'vitest'
import { type AnalyticsConversions, getAnalyticsConversions } from '#contract/site-api/conversions.ts'
import { MAX_IDENTITIES } from '#tracker/conversions/conversions.sql.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput } from '#tracker/definitions/definition-input.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { openTestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const answers = Compile(getAnalyticsConversions.output)
/** Sessions of one day, each from an origin and with a term of its own. */
const FLOOD = MAX_IDENTITIES + 500

const flood = (day: string) =>
  Array.from({ length: FLOOD }, (_, visitor) => ({
    at: `${day}T10:00:00Z`,
    visitor: visitor + 1,
    referrer_host: `host-${visitor}.example.net`,
    utm: { term: `term-${visitor}` },
  }))

test('with a flood of UTM values, the sources of a conversion are bounded, add up and say so, from facts and stored sums', async () => {
  const service = await openTestService(NOW)
  onTestFinished(() => service.close())
  const site = await service.addSite('example.com')
  await service.createKey()
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  const again = { at: '2026-03-09T11:00:00Z', visitor: 9_000, referrer_host: 'host-2400.example.net', utm: {} }
  await storeEvents(service, site, [{ at: '2026-03-01T10:00:00Z' }, ...flood('2026-03-09'), again])
  const definition = readConversionInput({
    name: 'Home',
    matcher: { kind: 'pageview', hostname: 'example.com', path: '/' },
  })
  await addConversion({ control: service.installation.control, clock: service.clock }, { site, definition })

  const read = async () => {
    const { status, json } = await service.ask('/v1/sites/example.com/conversions?window=3d')
    expect(status).toBe(200)
    expect([...answers.Errors(json)]).toEqual([])
    return json as never as AnalyticsConversions
  }
  const check = ({ meta, conversions: [conversion] }: AnalyticsConversions, sessions: number) => {
    expect(meta.completeness.limitations).toContain('rare_origins_not_labelled')
    expect(conversion?.metrics).toMatchObject({ converted_sessions: sessions, conversion_events: sessions })
    expect(conversion?.sources_truncated).toBe(true)
    const channels = conversion?.sources.filter(({ dimension }) => dimension === 'channel')
    expect(channels?.reduce((all, row) => all + row.converted_sessions, 0)).toBe(sessions)
    expect(channels?.map(({ identity }) => identity).toSorted()).toEqual(['referral', 'unknown'])
    expect(conversion?.sources.filter(({ dimension }) => dimension === 'utm_term')).toHaveLength(100)
  }
  check(await read(), FLOOD + 1)
  const ctx = { ...service.crawlers, collection: { readableThrough: () => service.clock.now() } }
  expect(await deriveDays(ctx)).toBe(2)
  check(await read(), FLOOD + 1)
  expect(await deriveDefinitions(ctx)).toBeGreaterThan(0)
  const stored = await service.installation.control.db
    .selectFrom('builds')
    .selectAll()
    .where('kind', '=', 'definitions')
    .execute()
  expect(stored.length).toBeGreaterThan(0)
  check(await read(), FLOOD + 1)
})
