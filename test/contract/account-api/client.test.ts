import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { addBrand } from '#brands/brands.ts'
import { AccountApiFailure, type AccountClient, createAccountClient } from '#contract/account-api/client.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { openTestService, type TestService } from '../../support/service.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
let base_url: string
let token: string
let brandId: string
beforeAll(async () => {
  service = await openTestService(NOW)
  const { operator } = service.installation
  token = (await createAccountToken(operator, { ...operator, name: 'agent', scope: 'write' })).secret
  const names = { name: 'Acme', aliases: [], domains: ['example.com'] }
  brandId = (await addBrand(operator, { account_id: operator.account_id, site_id: null, ...names })).id
  base_url = `http://127.0.0.1:${await service.listen()}/`
})
afterAll(() => service.close())

const client = (given = token) => createAccountClient({ base_url, token: given })
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof AccountApiFailure ? error : null),
  )

describe('the typed client of the account API', () => {
  test('reads the account and its brands', async () => {
    const { brands, quotas } = await client().getAccount()
    expect(brands).toEqual([{ id: brandId, name: 'Acme', domains: ['example.com'] }])
    expect(quotas.hour.limit).toBe(1_000)
    expect((await client().listBrands({ limit: 1 })).total_count).toBe(1)
    expect((await client().getBrand({ brandId })).competitors).toEqual([])
  })

  test('adds questions once per key, and archives and restores them', async () => {
    const batch = { brandId, questions: [{ text: 'Is Acme good?', country: 'DE' }], idempotency_key: 'key' }
    const { created } = await client().addQuestions(batch)
    expect((await client().addQuestions(batch)).created).toEqual(created)
    const named = { brandId, id: String(created[0]?.id) }
    expect(await client().archiveQuestion(named)).toMatchObject({ status: 'archived' })
    expect(await client().restoreQuestion(named)).toMatchObject({ status: 'active' })
    expect((await client().listQuestions({ brandId, kind: 'branded', country: 'DE' })).questions).toHaveLength(1)
  })

  test('throws what the service refuses: status, code, faulty fields and how long to wait', async () => {
    const invalid = await failureOf(client().addQuestions({ brandId, questions: [{ text: '' }] }))
    expect(invalid).toMatchObject({ status: 400, code: 'invalid_request', retry_after: null })
    expect(invalid?.errors).toMatchObject([{ path: ['questions', 0, 'text'], code: 'invalid' }])
    expect(invalid?.request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await failureOf(client('wrong').getAccount())).toMatchObject({
      status: 401,
      code: 'unauthorized',
      errors: [],
    })
    const { account_id } = service.installation.operator
    for (let n = 0; n < 1_000; n++) await service.installation.quotas.count(account_id, Date.parse(NOW))
    expect(await failureOf(client().getAccount())).toMatchObject({
      status: 429,
      code: 'rate_limited',
      retry_after: 3_660,
    })
  })

  test('an answer that is not of this service is an error all the same', async () => {
    const fetch = async () => new Response('<html>', { status: 502 })
    const strange = createAccountClient({ base_url, token, fetch })
    expect(await failureOf(strange.getAccount())).toMatchObject({ status: 502, code: null })
  })

  test('demands what an operation cannot do without, and nothing else', () => {
    type Call<Id extends keyof AccountClient> = Parameters<AccountClient[Id]>[0]
    expectTypeOf<[]>().toExtend<Parameters<AccountClient['listBrands']>>()
    expectTypeOf<{ limit: 1 }>().not.toExtend<Call<'getBrand'>>()
    expectTypeOf<{ brandId: string }>().not.toExtend<Call<'addQuestions'>>()
    expectTypeOf<{ brandId: string; status: 'open' }>().not.toExtend<Call<'listQuestions'>>()
    expect(Object.keys(client()).sort()).toEqual(accountApiOperations.map(({ id }) => id).sort())
  })
})
