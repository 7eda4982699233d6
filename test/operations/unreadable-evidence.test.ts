import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'
import { askOperation, everyOperation, kindOf, SLUG } from './ask.ts'

const NOW = '2026-03-10T12:00:00Z'
const STRICT = ['getAnalyticsFunnels', 'getAnalyticsFunnel', 'getAnalyticsJourneys', 'getAnalyticsRevenue']
const readers = everyOperation.filter(([, operation]) => operation.unavailable_title !== undefined)

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
  const site = await service.addSite('example.com')
  await service.createKey()
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  await storeEvents(service, site, [{ at: '2026-03-09T10:00:00Z' }, { at: '2026-03-10T10:00:00Z' }])
  const { control, clock } = service.installation
  const signup = { name: 'a', matcher: { kind: 'event', event_name: 'signup', property_rules: [] } }
  await addConversion({ control, clock }, { site, definition: readConversionInput(signup) })
  const page = (path: string) => ({ kind: 'page', hostname: 'example.com', path })
  await addFunnel(
    { control, clock },
    { site, definition: readFunnelInput({ name: 'a', steps: [page('/'), page('/b')] }) },
  )
  await control.db.updateTable('funnels').set({ slug: SLUG }).execute()
})
afterAll(() => service.close())

test('an evidence store that does not answer: strict readers 503, the others unavailable with nulls (spec 4.2, rules 6)', async () => {
  for (const [id, operation] of readers) {
    expect([id, (await askOperation(service, operation)).status]).toEqual([id, 200])
  }
  await service.crawlers.evidence.close()
  for (const [id, operation] of readers) {
    for (const query of ['format=json', 'format=csv']) {
      const answer = await askOperation(service, operation, { query })
      if (STRICT.includes(id)) {
        expect([id, answer.status, kindOf(answer)]).toEqual([id, 503, 'reader_unavailable'])
        expect(answer.json.title).toBe(operation.unavailable_title)
      } else {
        expect([id, answer.status], answer.text).toEqual([id, 200])
        expect(answer.text).toContain('unavailable')
        // A number of visitors would be a guess; what the control store counted is none of theirs.
        expect(answer.text).not.toMatch(/"(visitor_days|sessions|pageviews|converted_sessions)":\d/)
        if (query === 'format=json') {
          expect(Compile(operation.output).Errors(answer.json)).toEqual([])
          expect(answer.json.meta).toMatchObject({
            measurement_state: 'unavailable',
            freshness: { state: 'unavailable' },
          })
        }
      }
    }
  }
})
