import { beforeEach, describe, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { manageTokens } from '#accounts/manage-tokens.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { makeFixes } from '#brands/fixes/make-fixes.ts'
import { DAY_MS } from '#clock.ts'
import type { Fix, FixList } from '#contract/account-api/index.ts'
import { checkDeprecatedRoutes } from '#health/deprecated-routes.ts'
import { addPerson, addSiteOf } from '../operations/people.ts'
import { addBrandWithRival, importRecords } from '../support/brands.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { addIssue } from '../support/issues.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
let brand: FoundBrand
let token: string
let owner: Awaited<ReturnType<typeof addPerson>>
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00.000Z')
  owner = await addPerson(service)
  const site = await addSiteOf(service, owner, 'example.com')
  const { operator, control, clock } = service.installation
  const added = await addBrandWithRival(operator, {
    account_id: owner.account_id,
    site_id: site.id,
    brand: { name: 'Acme', domains: ['example.com'] },
    rival: { name: 'Zenith', domains: [] },
  })
  brand = added.brand
  token = (await createAccountToken(operator, { ...owner, name: 'write', scope: 'write' })).secret
  const ctx = { control, clock, evidence: service.crawlers.evidence }
  const answer = { question: 'Which skates?', engine: 'chatgpt', state: 'answered', text: 'Acme', run: 1 }
  await importRecords(ctx, brand, [
    { ...answer, asked_at: '2026-03-05T05:00:00Z', citations: [{ url: 'https://example.com/a' }] },
    { ...answer, asked_at: '2026-03-06T05:00:00Z', text: 'Zenith' },
  ])
  await addIssue(control, site)
  await makeFixes(ctx, brand)
})

const ask = (path: string, options: { method?: 'GET' | 'PATCH'; body?: string } = {}) =>
  service.ask(`/api/v1/brands/${brand.id}${path}`, {
    key: token,
    ...options,
    ...(options.body === undefined ? {} : { headers: { 'content-type': 'application/json' } }),
  })
const patch = (path: string, body: unknown) => ask(path, { method: 'PATCH', body: JSON.stringify(body) })

describe('deprecated routes (account API 2.6)', () => {
  test.each([
    ['visibility', { state: 'answered', visibility: { value: 1 }, average_position: { value: 1, n: 1 } }, 'report'],
    ['sentiment', { state: 'answered', net_sentiment: { value: null, unknown: 1 } }, 'report'],
    ['mentions', { engine: 'chatgpt', mention: { name: 'Acme', is_own: true } }, 'answers'],
    ['citations', { engine: 'chatgpt', citation: { url: 'https://example.com/a', source: 'own' } }, 'answers'],
    ['pages', { url: 'https://example.com/a', source: 'own', answers_citing: 1 }, 'urls'],
  ])('%s answers from its replacement, and announces its end', async (name, item, replacement) => {
    const { status, json, headers } = await ask(`/${name}?from=2026-03-05&to=2026-03-05`)
    expect([status, json.brand_id, json.from, json.truncated]).toEqual([200, brand.id, '2026-03-05', false])
    expect((json.items as unknown[])[0]).toMatchObject(item)
    expect(headers).toMatchObject({ deprecation: 'true', sunset: 'Sat, 26 Dec 2026 00:00:00 GMT' })
    const successor = `/api/v1/brands/${brand.id}/${replacement}`
    expect(headers.link).toMatch(
      new RegExp(`^</docs#\\w+>; rel="deprecation", <${successor}>; rel="successor-version"$`),
    )
  })

  test('mentions are those of competitors, too, even if the brand is not named', async () => {
    const { items } = (await ask('/mentions?from=2026-03-05&to=2026-03-06')).json as {
      items: { mention: { name: string } }[]
    }
    expect(items.map(({ mention }) => mention.name)).toEqual(['Zenith', 'Acme'])
  })

  test('use is counted by token and operation, and the doctor names the token for 30 days', async () => {
    const { operator, control, clock } = service.installation
    const other = (await createAccountToken(operator, { ...owner, name: 'new program', scope: 'read' })).secret
    await Promise.all([1, 2, 3].map(() => ask('/visibility')))
    expect((await ask('/pages?from=x')).status).toBe(400)
    expect((await patch('/fixes/x', { status: 'accepted' })).status).toBe(400)
    await service.ask(`/api/v1/brands/${brand.id}/report`, { key: other })
    const caller = { kind: 'operator', account_id: owner.account_id } as const
    const { tokens } = await manageTokens['token.list']({ ...operator, caller }, {})
    expect(Object.fromEntries(tokens.map((one) => [one.name, one.deprecated_uses]))).toEqual({
      write: [
        { operation: 'listPages', requests: 1, last_used_at: expect.any(String) },
        { operation: 'listVisibility', requests: 3, last_used_at: expect.any(String) },
      ],
      'new program': [],
    })
    const found = await checkDeprecatedRoutes({ control, clock })
    expect(found).toMatchObject([{ code: 'deprecated_routes_used', level: 'warn' }])
    expect(found[0]?.message).toMatch(
      /^Token "write" \(spoor_acct_[\w-]+\) .*: listPages, listVisibility; 4 requests so far\.$/,
    )
    service.clock.advance(30 * DAY_MS)
    expect(await checkDeprecatedRoutes({ control, clock })).toEqual([])
  })

  test('fixes are moved by their status, in path or body; open is refused', async () => {
    const { fixes } = (await ask('/fixes')).json as FixList
    const { id } = fixes[0] as Fix
    const accepted = await patch('/fixes', { id, status: 'accepted' })
    expect([accepted.status, accepted.json.status, accepted.headers.deprecation]).toEqual([200, 'accepted', 'true'])
    expect((await patch(`/fixes/${id}`, { status: 'completed' })).json.status).toBe('completed')
    expect(accepted.headers.link).toContain('</docs#acceptFix>; rel="successor-version"')
    const open = await patch(`/fixes/${id}`, { status: 'open' })
    expect(open.headers.link).toContain(`</api/v1/brands/${brand.id}/fixes/${id}/accept>; rel="successor-version"`)
    const malformed = await patch('/fixes', { id: 'x', status: 'accepted' })
    expect(malformed).toMatchObject({ status: 400, json: { errors: [{ path: ['id'], code: 'invalid_uuid' }] } })
    expect(open).toMatchObject({ status: 400, json: { errors: [{ path: ['status'], code: 'invalid_status' }] } })
    expect((await patch(`/fixes/${id}`, { status: 'dismissed' })).status).toBe(409)
    expect((await ask('/report')).headers.deprecation).toBeUndefined()
  })
})
