/** What a zone's security rules did, as the provider's dimension says it (rules 4). */
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '#clock.ts'
import { count, rows, text } from '#evidence/sql.ts'
import { openZoneService, type ZoneService } from './zone-service.ts'

let it: ZoneService
beforeAll(async () => {
  it = await openZoneService('2026-03-10T12:10:00Z')
})
afterAll(() => it.close())

const stored = (hour: string) =>
  it.ctx.evidence.all(rows(Type.Object({ action: Type.String(), requests: count() }))`
    SELECT ifNull(toString(edge_action), 'null') AS action, toUInt64(sum(requests)) AS requests FROM spoor.requests FINAL
    WHERE toString(at) LIKE concat(${text(hour)}, '%') GROUP BY action ORDER BY action`)

test('an hour distinguishes requests by the action of the edge, unless the plan does not provide it', async () => {
  it.made('2026-03-10T11:00:00Z', 2, { action: 'block', status: 403 })
  it.made('2026-03-10T11:01:00Z', 3, { action: 'managed_challenge', status: 403 })
  it.made('2026-03-10T11:02:00Z', 4)
  it.made('2026-03-10T12:02:00Z', 5, { action: 'block', status: 403 })
  await it.connect()
  await it.pollAll()
  expect(await stored('2026-03-10 11')).toEqual([
    { action: 'block', requests: 2 },
    { action: 'challenge', requests: 3 },
    { action: 'none', requests: 4 },
  ])
  it.cloudflare.refused_fields = ['securityAction']
  it.clock.advance(HOUR_MS)
  await it.pollAll()
  expect(await stored('2026-03-10 12')).toEqual([{ action: 'null', requests: 5 }])
  expect(JSON.parse((await it.zone()).refused_fields as string)).toEqual(['securityAction'])
})
