import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Compile } from 'typebox/compile'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { createAccountToken, revokeAccountToken } from '#accounts/account-tokens.ts'
import { removeUser } from '#accounts/users.ts'
import { addBrand, archiveBrand } from '#brands/brands.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { AccountApiError } from '#contract/account-api/errors.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import { HOURLY_LIMIT } from '#control/quotas/rings.ts'
import type { AccountRow } from '#control/tables.ts'
import { addMember, addPerson, type Person } from '../../operations/people.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { Answer, AskOptions, TestService } from '../../support/service.ts'

const NOW = '2026-03-10T12:00:30Z'
const MISSING = '00000000-0000-4000-8000-000000000000'
let service: TestService
let owner: Person
let brand: FoundBrand
let token: { id: string; secret: string }
let reading: string

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  owner = await addPerson(service)
  await service.installation.control.db
    .updateTable('users')
    .set({ account_role: 'admin' })
    .where('id', '=', owner.user_id)
    .execute()
  brand = await newBrand('Example')
  token = await newToken('write')
  reading = (await newToken('read')).secret
})

const newBrand = (name: string, account_id = owner.account_id, site_id: string | null = null) =>
  addBrand(service.installation.operator, {
    account_id,
    site_id,
    name,
    aliases: ['Exemplar'],
    domains: ['example.com'],
  })
const newToken = (scope: 'read' | 'write', person = owner) =>
  createAccountToken(service.installation.operator, { ...person, name: scope, scope })

async function ask(path: string, options: AskOptions = {}): Promise<Answer> {
  const answer = await service.ask(`/api/v1${path}`, { key: token.secret, ...options })
  if (answer.status >= 400 && options.method !== 'HEAD') {
    expect(Compile(AccountApiError).Errors(answer.json)).toEqual([])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  }
  expect(answer.headers['www-authenticate']).toBe(answer.status === 401 ? 'Bearer' : undefined)
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  return answer
}
const post = (path: string, body?: unknown, options: AskOptions = {}) =>
  ask(path, {
    method: 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...options,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
  })
const summarize = ({ status, json }: Answer) => [
  status,
  json.code,
  ...((json.errors ?? []) as AccountApiError['errors'] & object).map(({ path, code }) => `${path.join('.')} ${code}`),
]
const counted = ({ headers }: Answer) => headers['x-ratelimit-remaining']
const questionsPath = () => `/brands/${brand.id}/questions`
const setAccount = (values: Partial<AccountRow>) =>
  service.installation.control.db.updateTable('accounts').set(values).where('id', '=', owner.account_id).execute()

describe('the order of the checks: the earlier one answers (account API 1)', () => {
  test('1: an unknown path or method is 404, with any bearer, however it is encoded', async () => {
    const { secret } = await newToken('read')
    await revokeAccountToken(service.installation.operator, { ...owner, token: secret })
    for (const [path, method] of [
      ['/nowhere', 'GET'],
      ['/nowhere?a=%zz', 'GET'],
      ['', 'GET'],
      ['/account', 'POST'],
      ['/brands', 'OPTIONS'],
      [`/brands/${brand.id}`, 'DELETE'],
      ['/openapi.json', 'PUT'],
      [`/brands/${brand.id}/nothing`, 'GET'],
      ['/brands/', 'GET'],
      ['/brands//report', 'GET'],
      [`/brands/${brand.id}/answers/`, 'GET'],
      [`/brands/${brand.id}/questions//archive`, 'POST'],
    ] as const) {
      for (const key of [null, secret, token.secret]) {
        const answer = await ask(path, { method, key })
        expect([path, ...summarize(answer), counted(answer)]).toEqual([path, 404, 'not_found', undefined])
      }
    }
  })

  test('2: no, a malformed, a revoked, an unknown or a foreign-kind bearer is 401', async () => {
    await service.addSite('example.com')
    const { secret: site_key } = await service.createKey()
    const revoked = await newToken('read')
    await revokeAccountToken(service.installation.operator, { ...owner, token: revoked.id })
    for (const key of [
      null,
      'x',
      `${token.secret.slice(0, -1)}?`,
      site_key,
      revoked.secret,
      `spoor_acct_${'A'.repeat(43)}`,
    ]) {
      const answer = await ask('/brands/nonsense?limit=0', { key })
      expect([...summarize(answer), counted(answer)]).toEqual([401, 'unauthorized', undefined])
    }
    expect((await service.ask('/v1/sites', { key: token.secret })).status).toBe(401)
  })

  test('5 after 2: ids that the router cannot decode are 401 without a token, and malformed ids with one', async () => {
    for (const id of ['%ff', '%zz', 'x'.repeat(400), `${'x'.repeat(299)}%41`]) {
      expect(summarize(await ask(`/brands/${id}/report?limit=0`, { key: null }))).toEqual([401, 'unauthorized'])
      expect(summarize(await ask(`/brands/${id}/report?limit=0`))).toEqual([
        ...[400, 'invalid_request', 'brandId invalid_uuid'],
      ])
    }
    expect((await ask(`/${'x'.repeat(400)}`)).status).toBe(404)
  })

  test('3: a closed account, a scope that does not suffice, a role that does not: 403, before ids and quota', async () => {
    const refused = async (path: string, method: 'GET' | 'POST', key = token.secret) => {
      const answer = await ask(path, { method, key })
      expect([...summarize(answer), counted(answer)]).toEqual([403, 'forbidden', undefined])
      return answer.json.message
    }
    expect(await refused('/brands/nonsense/questions', 'POST', reading)).toMatch(/scope write/)
    await setAccount({ status: 'suspended' })
    expect(await refused('/brands/nonsense', 'GET')).toMatch(/suspended/)
    await setAccount({ status: 'active', access: 'none' })
    expect(await refused('/account', 'GET')).toMatch(/no access/)
    await setAccount({ access: 'trial', access_ends_at: Date.parse(NOW) })
    expect(await refused('/account', 'GET')).toMatch(/trial .* ended at 2026-03-10T12:00:30.000Z/)
    await setAccount({ access_ends_at: Date.parse(NOW) + 1 })
    expect((await ask('/account')).status).toBe(200)
    const viewer = await addPerson(service, owner.account_id)
    const { secret } = await newToken('write', viewer)
    expect(await refused(questionsPath(), 'POST', secret)).toMatch(/Only admins/)
  })

  test('4: a quota that is used up is 429, before ids, and is not counted itself', async () => {
    await exhaust()
    const answer = await ask('/brands/nonsense')
    expect(summarize(answer)).toEqual([429, 'rate_limited'])
    const opens = Math.floor(Date.parse(NOW) / 60_000) * 60 + 61 * 60
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(opens),
      'retry-after': String(opens - Date.parse(NOW) / 1_000),
    })
    service.clock.advance((opens - Date.parse(NOW) / 1_000) * 1_000)
    expect((await ask('/account')).status).toBe(200)
  })

  test('5: malformed ids are 400 with their place', async () => {
    expect(summarize(await ask('/brands/nonsense?limit=0'))).toEqual([400, 'invalid_request', 'brandId invalid_uuid'])
    const both = await post('/brands/1/questions/2/archive', { more: 1 })
    expect(summarize(both)).toEqual([400, 'invalid_request', 'brandId invalid_uuid', 'id invalid_uuid'])
    expect(counted(both)).toBeDefined()
  })

  test('6: missing, foreign or archived resources are 404, in the same words, before parameters and body', async () => {
    const stranger = await addPerson(service)
    const foreign = await newBrand('Foreign', stranger.account_id)
    const archived = await newBrand('Old')
    await archiveBrand(service.installation.operator, { account_id: owner.account_id, brand: archived.id })
    const site = await service.addSite('example.org')
    const invisible = await newBrand('Of a site', owner.account_id, site.id)
    const answers = []
    for (const id of [MISSING, foreign.id, archived.id, invisible.id]) {
      answers.push(await ask(`/brands/${id}?limit=0`), await post(`/brands/${id}/questions`, { wrong: 1 }))
    }
    for (const answer of answers) expect(summarize(answer)).toEqual([404, 'not_found'])
    expect(new Set(answers.map(({ json }) => json.message)).size).toBe(1)
    await addMember(service, owner, site, 'viewer')
    expect((await ask(`/brands/${invisible.id}`)).status).toBe(200)
    expect(summarize(await post(`/brands/${invisible.id}/questions`, { wrong: 1 }))).toEqual([403, 'forbidden'])
    expect(summarize(await ask(`/brands/${brand.id.toUpperCase()}`))).toEqual([200, undefined])
    const of_brand = `/brands/${brand.id}`
    const below = [
      await ask(`${of_brand}/answers/${MISSING}?limit=0`),
      await ask(`${of_brand}/fixes/${MISSING}?limit=0`),
      await post(`${of_brand}/fixes/${MISSING}/accept`, { version: 'x' }),
      await post(`${of_brand}/questions/${MISSING}/archive?limit=0`),
      await post(`${of_brand}/questions/${MISSING}/restore`, { wrong: 1 }),
    ]
    for (const answer of below) expect(summarize(answer)).toEqual([404, 'not_found'])
  })

  test('7: every fault of parameters, body and key at once', async () => {
    const answer = await post(
      `${questionsPath()}?limit=1&utm=2`,
      { questions: [{ text: ' ', country: 'XX' }, {}], a: 1 },
      {
        headers: { 'idempotency-key': 'x'.repeat(256) },
      },
    )
    expect(summarize(answer)).toEqual([
      ...[400, 'invalid_request', 'limit invalid', 'Idempotency-Key invalid', 'a invalid'],
      ...['questions.1.text required', 'questions.0.text invalid', 'questions.0.country invalid_country'],
    ])
    expect(answer.json.message).toMatch(/^The request is invalid: limit, Idempotency-Key, a, questions\.1\.text/)
    expect(
      summarize(await ask(`${questionsPath()}?limit=0&status=open&kind=x&country=x&offset=-1&from=2026-01-01`)),
    ).toEqual([
      ...[400, 'invalid_request', 'limit invalid_limit', 'status invalid_status', 'kind invalid_kind'],
      ...['country invalid_country', 'offset invalid_offset', 'from invalid'],
    ])
    expect(summarize(await ask('/account?limit=1'))).toEqual([400, 'invalid_request', 'limit invalid'])
  })

  test('7: of very many faults the first 200', async () => {
    const questions = Array.from({ length: 300 }, () => ({ text: ' ' }))
    expect((await post(questionsPath(), { questions })).json.errors).toHaveLength(200)
  })

  test('7: a member whose name looks like the place of another one hides no fault', async () => {
    const answer = await post(questionsPath(), { questions: [7], 'questions,0': 1 })
    expect(summarize(answer)).toEqual([400, 'invalid_request', 'questions,0 invalid', 'questions.0 invalid'])
  })

  test('7: a body that is not JSON, too large, of a wrong type, or where none belongs', async () => {
    const wrong = [400, 'invalid_request', ' invalid']
    const json = { 'content-type': 'application/json' }
    const send = (body: string, headers: Record<string, string>) =>
      ask(questionsPath(), { method: 'POST', body, headers })
    const broken = await send('{', json)
    expect(summarize(broken)).toEqual(wrong)
    expect(broken.json.message).toBe('The request is invalid. The errors say what is allowed.')
    for (const type of ['text/plain', 'json', '', 'application/json, text/plain']) {
      expect(summarize(await send('{}', { 'content-type': type }))).toEqual(wrong)
    }
    const headers = { 'content-type': 'json' }
    const both = await ask(`${questionsPath()}?limit=0`, { method: 'POST', body: '{}', headers })
    expect(summarize(both)).toEqual([400, 'invalid_request', 'limit invalid', ' invalid'])
    expect(summarize(await send(`"${'x'.repeat(256 * 1024)}"`, json))).toEqual(wrong)
    expect(summarize(await post(questionsPath()))).toEqual(wrong)
    const { created } = (await post(questionsPath(), { questions: [{ text: 'a' }] })).json as {
      created: { id: string }[]
    }
    const archive = `${questionsPath()}/${created[0]?.id}/archive`
    expect(summarize(await post(archive, { reason: 1 }))).toEqual([400, 'invalid_request', 'reason invalid'])
    expect(summarize(await post(archive, [1]))).toEqual(wrong)
    expect((await post(archive, {})).status).toBe(200)
  })

  test('8: a state that forbids it is 409', async () => {
    await setAccount({ active_question_limit: 0 })
    expect(summarize(await post(questionsPath(), { questions: [{ text: 'a' }] }))).toEqual([409, 'limit_reached'])
  })

  test('9: anything else is 500, and does not reveal its cause', async () => {
    const { schema } = service.installation.control.db
    await schema.alterTable('competitors').renameTo('mislaid').execute()
    try {
      const answer = await ask('/brands')
      expect(summarize(answer)).toEqual([500, 'server_error'])
      expect(answer.text).not.toMatch(/competitors|table|sqlite/i)
      expect(counted(answer)).toBeDefined()
    } finally {
      await schema.alterTable('mislaid').renameTo('competitors').execute()
    }
  })
})

describe('quotas (account API 5)', () => {
  test('200, 400, 404, 409 and 500 count; 401, 403 and 429 do not', async () => {
    const remaining = async () => Number(counted(await ask('/account')))
    const before = await remaining()
    await ask(`/brands/${MISSING}`)
    await ask('/brands?limit=0')
    await ask('/account', { method: 'HEAD' })
    expect(await remaining()).toBe(before - 4)
    await ask('/account', { key: null })
    await post(questionsPath(), {}, { key: reading })
    await ask('/nowhere')
    expect(await remaining()).toBe(before - 5)
  })

  test('the account shows the same quota as the headers, and its 30 days', async () => {
    const answer = await ask('/account')
    const { hour, thirty_days } = answer.json.quotas as Record<string, Record<string, unknown>>
    expect(hour).toEqual({ limit: 1_000, remaining: Number(counted(answer)), resets_at: '2026-03-10T13:01:00.000Z' })
    expect(answer.headers['x-ratelimit-reset']).toBe(String(Date.parse('2026-03-10T13:01:00Z') / 1_000))
    expect(thirty_days).toEqual({ limit: 100_000, remaining: 99_999, resets_at: '2026-04-09T13:00:00.000Z' })
  })

  test('when the store fails: 429, Retry-After 60, no other header of the quota', async () => {
    const { quotas } = service.installation
    const broken: QuotaStore['count'] = async () => {
      throw new Error('disk I/O error')
    }
    const { count } = quotas
    quotas.count = broken
    try {
      const answer = await ask('/brands/nonsense')
      expect(summarize(answer)).toEqual([429, 'rate_limited'])
      expect(answer.headers['retry-after']).toBe('60')
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
      expect(answer.text).not.toMatch(/disk/)
    } finally {
      quotas.count = count
    }
  })
})

describe('the account and its brands (account API 2.1)', () => {
  test('GET /account reports the caller, the token, and the rest of the quotas', async () => {
    const answer = await ask('/account?utm_source=x')
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      account: { id: owner.account_id, name: 'other', status: 'active' },
      access: { state: 'subscription', ends_at: null },
      token: {
        id: token.id,
        name: 'write',
        scope: 'write',
        created_at: '2026-03-10T12:00:30.000Z',
        last_used_at: null,
      },
      plan: { engines: [], active_question_limit: 100, active_question_count: 0 },
      brands: [{ id: brand.id, name: 'Example', domains: ['example.com'] }],
    })
    expect(answer.text).not.toContain(token.secret)
  })

  test('brands are listed by name in pieces; unknown parameters are named', async () => {
    const second = await newBrand('Another')
    const { json } = await ask('/brands?limit=1&utm_source=x')
    expect(json).toMatchObject({
      meta: { as_of: '2026-03-10T12:00:30.000Z', filters: {}, ignored_parameters: ['utm_source'] },
      limit: 1,
      offset: 0,
      returned_count: 1,
      total_count: 2,
      truncated: true,
      brands: [{ id: second.id, aliases: ['Exemplar'], competitors: [], site_id: null }],
    })
    expect((await ask('/brands?limit=1&offset=1')).json).toMatchObject({ truncated: false, brands: [{ id: brand.id }] })
    expect((await ask('/brands?offset=7')).json).toMatchObject({ returned_count: 0, total_count: 2, truncated: false })
    expect((await ask(`/brands/${brand.id}`)).json).toMatchObject({ id: brand.id, name: 'Example' })
  })

  test('HEAD answers like GET', async () => {
    const [get, head] = [await ask('/brands'), await ask('/brands', { method: 'HEAD' })]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  test('a token ends with its person, with the next request', async () => {
    const other = await addPerson(service, owner.account_id)
    const { secret } = await newToken('read', other)
    expect((await ask('/account', { key: secret })).status).toBe(200)
    await removeUser(service.installation.operator, other.user_id)
    expect((await ask('/account', { key: secret })).status).toBe(401)
  })
})

describe('questions over the account API (account API 2.4)', () => {
  const add = (questions: unknown[], key?: string) =>
    post(questionsPath(), { questions }, key === undefined ? {} : { headers: { 'idempotency-key': key } })

  test('are added, listed, archived and restored', async () => {
    const added = await add([
      { text: ' Is Exemplar good? ', country: 'DE', tags: ['a', 'a'] },
      { text: 'Which tool is best?' },
      { text: 'WHICH TOOL IS BEST?', country: null },
    ])
    expect(added.status).toBe(201)
    const [first, second] = added.json.created as { id: string }[]
    expect(added.json).toMatchObject({
      created: [
        { text: 'Is Exemplar good?', country: 'DE', tags: ['a'], kind: 'branded', status: 'active', last_asked: [] },
        { text: 'Which tool is best?', country: null, kind: 'unbranded', archived_at: null },
      ],
      rejected: [{ index: 2, code: 'invalid', existing_id: second?.id }],
    })
    const listed = (query: string) => ask(`${questionsPath()}?${query}`).then(({ json }) => json)
    expect(await listed('kind=branded')).toMatchObject({ total_count: 1, questions: [{ id: first?.id }] })
    expect(await listed('country=none')).toMatchObject({
      total_count: 1,
      questions: [{ id: second?.id }],
      meta: { filters: { kind: null, status: 'active', country: 'none' } },
    })
    const archived = await post(`${questionsPath()}/${first?.id}/archive`)
    expect(archived.json).toMatchObject({ status: 'archived', archived_at: '2026-03-10T12:00:30.000Z' })
    expect((await post(`${questionsPath()}/${first?.id}/archive`)).json).toEqual(archived.json)
    expect(await listed('status=archived')).toMatchObject({ questions: [{ id: first?.id }] })
    expect(await listed('status=all')).toMatchObject({ total_count: 2 })
    expect(await listed('')).toMatchObject({ total_count: 1 })
    expect((await post(`${questionsPath()}/${first?.id}/restore`)).json).toMatchObject({ status: 'active' })
    expect(summarize(await post(`${questionsPath()}/${MISSING}/restore`))).toEqual([404, 'not_found'])
  })

  test('only duplicates are 201 without any; a full account is 409 and keeps nothing under the key', async () => {
    await add([{ text: 'a' }])
    const again = await add([{ text: 'A' }])
    expect([again.status, again.json.created]).toEqual([201, []])
    await setAccount({ active_question_limit: 2 })
    const partly = await add([{ text: 'b' }, { text: 'c' }, { text: 'a' }])
    expect(partly.json).toMatchObject({
      created: [{ text: 'b' }],
      rejected: [
        { index: 1, code: 'limit_reached', existing_id: null },
        { index: 2, code: 'invalid' },
      ],
    })
    expect(summarize(await add([{ text: 'c' }, { text: 'a' }], 'key'))).toEqual([409, 'limit_reached'])
    await setAccount({ active_question_limit: 3 })
    const kept = await add([{ text: 'c' }, { text: 'a' }], 'key')
    expect([kept.status, kept.headers['idempotency-replayed']]).toEqual([201, undefined])
  })

  test('a key repeats the first 201 for 72 hours, and refuses another body', async () => {
    const first = await add([{ text: 'a' }], 'key 1')
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined])
    const again = await add([{ text: 'a' }], 'key 1')
    expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([201, 'true', first.text])
    expect(summarize(await add([{ text: 'b' }], 'key 1'))).toEqual([400, 'invalid_request', 'Idempotency-Key invalid'])
    service.clock.advance(72 * 3_600_000)
    expect((await add([{ text: 'b' }], 'key 1')).headers['idempotency-replayed']).toBeUndefined()
  })

  test('a read token may not, and a question over the limit of restoring is 409', async () => {
    expect(summarize(await post(questionsPath(), { questions: [{ text: 'a' }] }, { key: reading }))).toEqual([
      403,
      'forbidden',
    ])
    const { created } = (await add([{ text: 'a' }])).json as { created: { id: string }[] }
    await post(`${questionsPath()}/${created[0]?.id}/archive`)
    await setAccount({ active_question_limit: 0 })
    expect(summarize(await post(`${questionsPath()}/${created[0]?.id}/restore`))).toEqual([409, 'limit_reached'])
  })
})

test('the document is public and names every operation', async () => {
  const { status, json } = await service.ask('/api/v1/openapi.json', { key: null })
  expect(status).toBe(200)
  const paths = Object.keys(json.paths as object)
  expect(new Set([...accountApiOperations, ...deprecatedOperations].map(({ path }) => path))).toEqual(new Set(paths))
})

test.skipIf(inject('control_store') === 'postgres')('a damaged quota file refuses, and the service lives', async () => {
  const file = join(service.folder, 'quotas.sqlite')
  await service.installation.quotas.close()
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(`${file}${suffix}`, 'damaged')
  const answer = await ask('/account')
  expect([...summarize(answer), answer.headers['retry-after']]).toEqual([429, 'rate_limited', '60'])
  expect((await service.ask('/healthz', { key: null })).status).toBe(200)
})

/** Counts what is left of the hour. */
async function exhaust(): Promise<void> {
  const { quotas } = service.installation
  for (let n = 0; n < HOURLY_LIMIT; n++) await quotas.count(owner.account_id, Date.parse(NOW))
}
