import Type from 'typebox'
import { beforeEach, expect, test } from 'vitest'
import { count, rows } from '#evidence/sql.ts'
import type { Fact, FactOrigin } from '#intake/facts/fact.ts'
import { agentKey } from '#intake/facts/fact.ts'
import { storeFacts } from '#intake/facts/store-facts.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'

const NOW = '2026-03-10T12:00:00Z'
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'

let service: TestService
let of: FactOrigin
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  const site = await service.addSite('example.com')
  of = {
    site_id: site.id,
    source_id: '00000000-0000-4000-8000-00000000000a',
    delivery_id: '00000000-0000-4000-8000-00000000000b',
    received_at: Date.parse(NOW),
  }
})

const agent = { agent_key: agentKey(GPTBOT), user_agent: GPTBOT, proof: '' }

function fact(given: Partial<Fact>): Fact {
  return {
    event: '1',
    at: Date.parse('2026-03-09T10:00:00.120Z'),
    precision: 'exact',
    reading: 0,
    requests: 1,
    provider_estimate: null,
    host: 'example.com',
    path: '/',
    path_fidelity: 'exact',
    path_class: 'content',
    status: 200,
    status_raw: 200,
    method: 'GET',
    edge_action: null,
    user_agent: GPTBOT,
    agent_key: agent.agent_key,
    ...given,
  }
}

const stored = rows(
  Type.Object({
    event: Type.String(),
    day: Type.String(),
    at: Type.String(),
    path: Type.String(),
    requests: count(),
    status: Type.Integer(),
  }),
)`
  SELECT toString(event) AS event, toString(day) AS day, toString(at) AS at, path, requests, status
  FROM spoor.requests FINAL ORDER BY event`
const pages = rows(Type.Object({ path: Type.String() }))`SELECT path FROM spoor.pages FINAL ORDER BY path`
const labels = rows(Type.Object({ crawler_id: Type.String() }))`
  SELECT toString(crawler_id) AS crawler_id FROM spoor.agent_labels FINAL`

test('facts of several months are stored with their pages, agents and labels', async () => {
  const largest = (2n ** 128n - 1n).toString()
  await storeFacts(
    service.crawlers,
    of,
    [
      fact({ event: '1' }),
      fact({ event: '2', at: Date.parse('2026-02-28T23:59:59.999Z'), path: '/a' }),
      fact({ event: largest, requests: 7, precision: 'hour', at: Date.parse('2026-03-01T00:00:00Z'), status: 0 }),
    ],
    [agent],
  )
  expect(await service.crawlers.evidence.all(stored)).toEqual([
    { event: '1', day: '2026-03-09', at: '2026-03-09 10:00:00.120', path: '/', requests: 1, status: 200 },
    { event: '2', day: '2026-02-28', at: '2026-02-28 23:59:59.999', path: '/a', requests: 1, status: 200 },
    { event: largest, day: '2026-03-01', at: '2026-03-01 00:00:00.000', path: '/', requests: 7, status: 0 },
  ])
  expect(await service.crawlers.evidence.all(pages)).toEqual([{ path: '/' }, { path: '/a' }])
  expect(await service.crawlers.evidence.all(labels)).toEqual([{ crawler_id: 'gptbot' }])
})

test('a repeated event is the same fact, and its first version is stored', async () => {
  await storeFacts(service.crawlers, of, [fact({ event: '1' })], [agent])
  service.clock.advance(1000)
  const later = { ...of, received_at: service.clock.now() }
  await storeFacts(service.crawlers, later, [fact({ event: '1', path: '/other' }), fact({ event: '2' })], [agent])
  expect((await service.crawlers.evidence.all(stored)).map(({ event, path }) => [event, path])).toEqual([
    ['1', '/'],
    ['2', '/'],
  ])
})

test('text that is not Unicode or has control characters is stored and harms no other fact', async () => {
  const odd = `GPTBot \ud800 \u0000\u001b"\\`
  const known = { agent_key: agentKey(odd), user_agent: odd, proof: '' }
  await storeFacts(
    service.crawlers,
    of,
    [fact({ event: '1', user_agent: odd, agent_key: known.agent_key, path: '/\udfff"' }), fact({ event: '2' })],
    [known, agent],
  )
  expect((await service.crawlers.evidence.all(stored)).map((row) => row.path)).toEqual(['/\ufffd"', '/'])
})
