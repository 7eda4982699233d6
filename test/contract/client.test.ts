import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { type Client, createClient, ProblemError } from '#contract/client.ts'
import { operations } from '#contract/site-api/index.ts'
import { KEY, type Service, SITE_ID, startService, unknownPerformance } from '../surfaces/http/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ getPerformance: async () => ({ ...unknownPerformance, from_the_future: true }) })
})
afterAll(() => service.app.close())

const client = (key = KEY) => createClient({ base_url: `http://127.0.0.1:${service.port}/`, key })
const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof ProblemError ? error : null),
  )

describe('the typed client', () => {
  test('reads what the service answers, nulls as nulls, unknown fields included', async () => {
    const answer = await client().getPerformance({ site: SITE_ID, window: '7d', purpose: ['training', 'search'] })
    const count: number | null = answer.observed_request_count
    expect(count).toBeNull()
    expect(answer).toHaveProperty('from_the_future', true)
    expect((await client().listSites()).sites[0]?.role).toBe('owner')
  })

  test('passes parameters and leaves out what is not given', async () => {
    expect((await client().getTopPages({ site: 'example.com', limit: 7 })).limit).toBe(7)
    expect((await client().getTopPages({ site: 'example.com' })).limit).toBe(50)
  })

  test('throws the problem and the name of the request', async () => {
    const missing = await problemOf(client().getCrawlers({ site: 'a/b?c=d e%', window: '3d' }))
    expect(missing?.problem).toMatchObject({ status: 404, type: 'urn:spoor:problem:site_not_found' })
    expect(missing?.request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await problemOf(client('wrong').listSites()))?.problem.status).toBe(401)
    const long = await problemOf(client().getAnalyticsFunnels({ site: SITE_ID, window: '90d' as '30d' }))
    expect(long?.problem.status).toBe(422)
  })

  test('sends a body where the operation has one', async () => {
    const foreign = await problemOf(client().runAccessCheck({ site: SITE_ID, url: 'https://other.example/' }))
    expect(foreign?.problem.type).toBe('urn:spoor:problem:invalid_body')
    const own = await problemOf(client().runAccessCheck({ site: SITE_ID, url: 'https://example.com/' }))
    expect(own?.problem.type).toBe('urn:spoor:problem:not_built')
  })

  test('an answer that is not of this service is an error all the same', async () => {
    const strange = createClient({
      base_url: 'http://x',
      key: KEY,
      fetch: async () => new Response('<html>', { status: 502 }),
    })
    expect((await problemOf(strange.listSites()))?.problem).toMatchObject({ status: 502, title: 'unexpected answer' })
  })

  test('demands what an operation cannot do without, and nothing else', () => {
    type Call<Id extends keyof Client> = Parameters<Client[Id]>[0]
    expectTypeOf<{ site: string }>().toExtend<Call<'getPerformance'>>()
    expectTypeOf<{ window: '7d' }>().not.toExtend<Call<'getPerformance'>>()
    expectTypeOf<{ site: string; window: '2d' }>().not.toExtend<Call<'getPerformance'>>()
    expectTypeOf<{ site: string; window: '90d' }>().not.toExtend<Call<'getAnalyticsFunnels'>>()
    expectTypeOf<{ site: string }>().not.toExtend<Call<'runAccessCheck'>>()
    expectTypeOf<{ site: string }>().not.toExtend<Call<'getAnalyticsFunnel'>>()
    expectTypeOf<[]>().toExtend<Parameters<Client['listSites']>>()
    expect(Object.keys(client()).sort()).toEqual(operations.map(({ id }) => id).sort())
  })
})
