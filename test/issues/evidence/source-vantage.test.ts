/** What a source sees, by what it delivers and by its owner's word (rules 8.1, Vantage). */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Issue } from '#contract/site-api/index.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { Site } from '#sites/site.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { GPTBOT, visit } from '../../support/intake.ts'
import type { TestService } from '../../support/service.ts'

const file = serviceOfFile()
let service: TestService
let site: Site
beforeEach(async () => {
  service = await file.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const lines = (records: readonly object[]) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
const vantages = async () =>
  (await service.crawlers.control.db.selectFrom('sources').select('vantage').execute()).map(({ vantage }) => vantage)

const logpush = (id: number, status = 200) => ({
  RayID: String(id),
  EdgeStartTimestamp: `2026-03-10T11:58:0${id}Z`,
  ClientRequestHost: 'example.com',
  ClientRequestMethod: 'GET',
  ClientRequestURI: '/pricing',
  ClientRequestUserAgent: GPTBOT,
  EdgeResponseStatus: status,
})
const generic = visit({ host: 'example.com' })

async function openIntake() {
  const { source, token } = await addIntakeSource(service.installation.operator, { site_id: site.id, name: 'cdn' })
  const send = async (query: string, records: readonly object[]) => {
    const options = { key: token.secret, method: 'POST', body: lines(records) } as const
    expect((await service.ask(`/intake/logs${query}`, options)).json).toMatchObject({ accepted: records.length })
  }
  return { source, send }
}

describe('deliveries', () => {
  test.each([
    ['?dialect=cloudflare_logpush', logpush(1), 'edge'],
    ['?dialect=fastly', generic, 'edge'],
    ['?dialect=vector', generic, null],
    ['?dialect=vector', { message: JSON.stringify(logpush(1)) }, 'edge'],
    ['', generic, null],
  ])('with %s', async (query, record, vantage) => {
    const { send } = await openIntake()
    await send(query, [record])
    expect(await vantages()).toEqual([vantage])
  })

  test('of both kinds show the edge, until the owner says otherwise', async () => {
    const { source, send } = await openIntake()
    await send('', [generic])
    await send('?dialect=cloudflare_logpush', [logpush(1)])
    await send('', [visit({ host: 'example.com', path: '/later' })])
    expect(await vantages()).toEqual(['edge'])
    const said = { site: site.id, source: source.id, vantage: 'origin' } as const
    await runOperation(service.installation.operator, 'source.vantage', said)
    await send('?dialect=cloudflare_logpush', [logpush(2)])
    expect(await vantages()).toEqual(['origin'])
  })
})

describe('uploads', () => {
  const cloudFront = ['2026-03-10', '11:58:00', 'FRA56-P1', '100', '192.0.2.1', 'GET', 'd1.cloudfront.net', '/a', '200']
  const further = ['-', encodeURIComponent(GPTBOT), '-', '-', 'Hit', 'id', 'example.com']
  const row = [...cloudFront, ...further].join('\t')
  const fields = [
    'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)',
    'cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header',
  ].join(' ')
  const combined = `192.0.2.1 - - [10/Mar/2026:11:58:00 +0000] "GET /a HTTP/1.1" 200 100 "-" "${GPTBOT}"\n`

  test.each([
    ['Logpush', lines([logpush(1)]), 'edge'],
    ['CloudFront without its header', `${row}\n`, 'edge'],
    ['CloudFront', `#Fields: ${fields}\n${row}\n`, 'edge'],
    ['a web server', combined, null],
    ['a web server, then Logpush', combined + lines([logpush(1)]), 'edge'],
  ])('of %s', async (_name, log, vantage) => {
    const receipt = await service.importText(site, log)
    expect(receipt).toMatchObject({ malformed: 0 })
    expect(await vantages()).toEqual([vantage])
  })
})

test('the cause of a failed fetch by a CDN from the origin is the origin', async () => {
  const { send } = await openIntake()
  await send(
    '?dialect=cloudflare_logpush',
    [1, 2, 3, 4].map((id) => logpush(id, 521)),
  )
  await service.rebuild()
  await detectIssues(service.crawlers, site.id)
  const { json } = await service.ask('/v1/sites/example.com/issues')
  expect((json.issues as Issue[]).map(({ cause }) => cause)).toEqual(['origin_error'])
  const issues = await service.crawlers.control.db.selectFrom('issues').select(['vantage', 'description']).execute()
  expect(issues).toEqual([{ vantage: 'edge', description: null }])
})
