/** The action of the edge, from every way in to the stored fact (rules 4). */
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows, uuid } from '#evidence/sql.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { GPTBOT, visit } from '../support/intake.ts'
import { openTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
})
afterAll(() => service.close())

const Stored = Type.Object({ path: Type.String(), action: Type.String() })
const stored = (site_id: string) =>
  service.crawlers.evidence.all(rows(Stored)`
    SELECT path, ifNull(toString(edge_action), 'null') AS action FROM spoor.requests FINAL
    WHERE site_id = ${uuid(site_id)} ORDER BY path`)

const logpush = (path: string, given: object = {}) => ({
  RayID: path,
  EdgeStartTimestamp: '2026-03-10T11:58:00Z',
  ClientRequestHost: 'edge.example',
  ClientRequestMethod: 'GET',
  ClientRequestURI: path,
  ClientRequestUserAgent: GPTBOT,
  EdgeResponseStatus: 403,
  ...given,
})
const lines = (records: readonly object[]) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`

test('an upload and the intake store the same action of the same line, and a repeat changes nothing', async () => {
  const records = [logpush('/a', { SecurityAction: 'block' }), logpush('/b', { SecurityAction: '' }), logpush('/c')]
  const expected = [
    { path: '/a', action: 'block' },
    { path: '/b', action: 'none' },
    { path: '/c', action: 'null' },
  ]
  const uploaded = await service.addSite('edge.example')
  await service.importText(uploaded, lines(records))
  expect(await stored(uploaded.id)).toEqual(expected)
  const again = await service.importText(uploaded, lines(records))
  expect(again).toMatchObject({ stored: 0, duplicates: 3 })
  expect(await stored(uploaded.id)).toEqual(expected)

  const delivered = await service.addSite('edge2.example')
  const { operator } = service.installation
  const { token } = await addIntakeSource(operator, { site_id: delivered.id, name: 'cdn' })
  const answer = await service.ask('/intake/logs?dialect=cloudflare_logpush', {
    key: token.secret,
    method: 'POST',
    body: lines(records.map((record) => ({ ...record, ClientRequestHost: 'edge2.example' }))),
  })
  expect(answer.json).toMatchObject({ accepted: 3 })
  expect(await stored(delivered.id)).toEqual(expected)
})

test('a generic record may say what the edge did', async () => {
  const site = await service.addSite('generic.example')
  const { token } = await addIntakeSource(service.installation.operator, { site_id: site.id, name: 'web' })
  const host = 'generic.example'
  const body = lines([
    visit({ host, path: '/a', edge_action: 'block' }),
    visit({ host, path: '/b', edge_action: 'JS_Challenge' }),
    visit({ host, path: '/c', edge_action: 'none' }),
    visit({ host, path: '/d', edge_action: 17 }),
    visit({ host, path: '/e' }),
  ])
  const answer = await service.ask('/intake/logs', { key: token.secret, method: 'POST', body })
  expect(answer.json).toMatchObject({ accepted: 5, rejected_count: 0 })
  expect((await stored(site.id)).map(({ action }) => action)).toEqual(['block', 'challenge', 'none', 'null', 'null'])
})
