/** A provider's verdict stands in its own format, whichever way a line of it comes in (rules 4). */
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { count, rows, uuid } from '#evidence/sql.ts'
import type { Site } from '#sites/site.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { GPTBOT, PERSON } from '../../support/intake.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
})
afterAll(() => service.close())

/** Without a host, so that the same line belongs to any site. */
const logpush = (second: number, given: Record<string, unknown>) => ({
  RayID: `3a6050bcbe121a8${second}`,
  EdgeStartTimestamp: `2026-03-10T11:58:0${second}Z`,
  ClientIP: '8.8.8.8',
  ClientRequestMethod: 'GET',
  ClientRequestURI: `/${second}`,
  ClientRequestUserAgent: GPTBOT,
  EdgeResponseStatus: 200,
  ...given,
})
const LINES = [
  logpush(1, { VerifiedBotCategory: 'AI Crawler' }),
  logpush(2, { VerifiedBotCategory: '' }),
  logpush(3, {}),
  logpush(4, { ClientRequestUserAgent: PERSON, VerifiedBotCategory: 'AI Assistant' }),
  logpush(5, { ClientRequestUserAgent: PERSON, VerifiedBotCategory: '' }),
  logpush(6, { ClientRequestUserAgent: '', VerifiedBotCategory: 'Search Engine Crawler' }),
  logpush(7, { WorkerSubrequest: true, VerifiedBotCategory: 'AI Crawler' }),
]
const text = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')

const Fact = rows(
  Type.Object({ path: Type.String(), user_agent: Type.String(), proof: Type.String(), requests: count() }),
)

/** What is stored of a site, with what is known of each client. */
async function factsOf(site: Site) {
  const { evidence } = service.crawlers
  return evidence.all(Fact`
    SELECT path, toString(requests.user_agent) AS user_agent, agents.proof AS proof, requests
    FROM spoor.requests AS requests FINAL
    LEFT JOIN (SELECT agent_key, any(proof) AS proof FROM spoor.agents GROUP BY agent_key) AS agents USING agent_key
    WHERE site_id = ${uuid(site.id)} ORDER BY path`)
}

test('the same Logpush line gets the same verdict by upload and by intake', async () => {
  const uploaded = await service.addSite('uploaded.example')
  const delivered = await service.addSite('delivered.example')
  const { token } = await addIntakeSource(service.installation.operator, { site_id: delivered.id, name: 'web1' })
  const receipt = await service.importText(uploaded, text(LINES))
  const answer = await service.ask('/intake/logs?dialect=cloudflare_logpush', {
    key: token.secret,
    method: 'POST',
    body: text(LINES),
  })
  expect(receipt).toMatchObject({ lines: 7, stored: 5, human: 1, ignored: { sub_request: 1 } })
  expect(answer.json).toMatchObject({ records: 7, accepted: 5, ignored_human: 1, ignored_not_a_visit: 1 })
  const facts = await factsOf(uploaded)
  expect(facts.map(({ path, proof }) => [path, proof.includes('cloudflare')])).toEqual([
    ['/1', true],
    ['/2', false],
    ['/3', false],
    ['/4', true],
    ['/6', true],
  ])
  expect(facts).toEqual(await factsOf(delivered))
})

test('a verdict’s name in another format, or in a header that was logged, is none', async () => {
  const site = await service.addSite('another.example')
  const record = { time: '2026-03-10T11:58:00Z', request: 'GET /1 HTTP/1.1', status: 200, user_agent: GPTBOT }
  const named = { ...record, VerifiedBotCategory: 'AI Crawler', verified_bot: 'cloudflare', remote_addr: '8.8.8.8' }
  expect(await service.importText(site, text([named]))).toMatchObject({ stored: 1 })
  expect((await factsOf(site)).map(({ proof }) => proof.includes('cloudflare'))).toEqual([false])
})

test('the bot that AWS WAF has verified is one whatever its name, and its verdict is AWS’s', async () => {
  const site = await service.addSite('waf.example')
  const waf = (uri: string, labels: { name: string }[]) => ({
    timestamp: Date.parse('2026-03-10T11:58:00Z'),
    webaclId: 'arn:aws:wafv2:x',
    action: 'ALLOW',
    labels,
    httpRequest: {
      clientIp: '8.8.8.8',
      uri,
      httpMethod: 'GET',
      headers: [{ name: 'User-Agent', value: PERSON }],
    },
  })
  const verified = { name: 'awswaf:managed:aws:bot-control:bot:verified' }
  const receipt = await service.importText(site, text([waf('/a', [verified]), waf('/b', [{ name: 'x:verified' }])]))
  expect(receipt).toMatchObject({ stored: 1, human: 1 })
  expect((await factsOf(site)).map(({ path, proof }) => [path, proof.includes('aws')])).toEqual([['/a', true]])
})
