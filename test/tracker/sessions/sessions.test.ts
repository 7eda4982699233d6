import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '#evidence/sql.ts'
import type { Site } from '#sites/site.ts'
import { sessionRows } from '#tracker/sessions/sessions.sql.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const Session = Type.Object({
  visitor: Type.String(),
  session: Type.Integer(),
  pageviews: Type.Integer(),
  events: Type.Integer(),
  referrer_host: Type.String(),
  names: Type.Array(Type.String()),
  offsets: Type.Array(Type.Integer()),
  is_tied: Type.Integer(),
  is_closed: Type.Integer(),
})

let service: TestService
let site: Site

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await enableTracker(service, site, { from: '2026-03-09T00:00:00Z', through: '2026-03-10T12:00:00Z' })
})
afterAll(() => service.close())

const sessionsUntil = (cutoff: string, day: string) => {
  const scope = { site_id: site.id, builds: [], fact_days: [day], cutoff: Date.parse(cutoff) }
  return service.crawlers.evidence.all(rows(Session)`
    SELECT toString(visitor) AS visitor, toUInt32(session) AS session, toUInt32(pageviews) AS pageviews, toUInt32(events) AS events,
      toString(referrer_host) AS referrer_host, names, offsets, toUInt8(notEmpty(tie_requests)) AS is_tied, toUInt8(is_closed) AS is_closed
    FROM (${sessionRows(scope)}) ORDER BY visitor, session`)
}

describe('sessions (rules 6)', () => {
  test('29 minutes and 59.999 seconds of silence are one session, 30 minutes begin the next', async () => {
    await storeEvents(service, site, [
      { at: '2026-03-09T10:00:00.000Z', visitor: 7, referrer_host: 'chatgpt.com' },
      { at: '2026-03-09T10:29:59.999Z', visitor: 7, kind: 'event', name: 'signup', props: { plan: 'pro' } },
      { at: '2026-03-09T10:59:59.999Z', visitor: 7, path: '/late', referrer_host: 'example.org' },
      { at: '2026-03-09T10:00:00.000Z', visitor: 8 },
      { at: '2026-03-09T10:00:00.000Z', visitor: 8, path: '/b' },
      { at: '2026-03-09T10:00:00.000Z', visitor: 9, request: 5 },
      { at: '2026-03-09T10:00:00.000Z', visitor: 9, request: 5, path: '/b' },
    ])
    expect(await sessionsUntil('2026-03-09T11:29:59.998Z', '2026-03-09')).toEqual([
      {
        visitor: '7',
        session: 1,
        pageviews: 1,
        events: 2,
        referrer_host: 'chatgpt.com',
        names: ['', 'signup'],
        offsets: [0, 1_799_999],
        is_tied: 0,
        is_closed: 1,
      },
      {
        visitor: '7',
        session: 2,
        pageviews: 1,
        events: 1,
        referrer_host: 'example.org',
        names: [''],
        offsets: [0],
        is_tied: 0,
        is_closed: 0,
      },
      {
        visitor: '8',
        session: 1,
        pageviews: 2,
        events: 2,
        referrer_host: '',
        names: ['', ''],
        offsets: [0, 0],
        is_tied: 1,
        is_closed: 1,
      },
      {
        visitor: '9',
        session: 1,
        pageviews: 2,
        events: 2,
        referrer_host: '',
        names: ['', ''],
        offsets: [0, 0],
        is_tied: 0,
        is_closed: 1,
      },
    ])
  })
})
