import { readFile } from 'node:fs/promises'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { renderOpenApi } from '#contract/openapi.ts'
import { defineSiteOperation, type HttpOperation } from '#contract/operation.ts'
import { Problem } from '#contract/problem.ts'
import { operations } from '#contract/site-api/index.ts'
import { accountApiDocument } from '#surfaces/http/reference/account-api.ts'
import { siteApiDocument } from '#surfaces/http/reference/site-api.ts'

const document = JSON.parse(JSON.stringify(siteApiDocument('support@example.com')))

describe('the OpenAPI document', () => {
  test('is version 3.1 of description 1.0.0 and names the support address', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ version: '1.0.0', contact: { email: 'support@example.com' } })
    expect(JSON.parse(JSON.stringify(siteApiDocument(null))).info.contact).toBeUndefined()
  })

  test.each((operations as readonly HttpOperation[]).map((operation) => [operation.id, operation] as const))(
    '%s has bearer security and exactly its declared statuses',
    (_id, operation) => {
      const entry = document.paths[operation.path][operation.method.toLowerCase()]
      expect(entry.operationId).toBe(operation.id)
      expect(entry.security).toEqual([{ bearer: [] }])
      expect(Object.keys(entry.responses).map(Number)).toEqual([200, ...operation.refusals])
      const types = Object.keys(entry.responses[200].content)
      expect(types).toEqual(operation.csv ? ['application/json', 'text/csv; charset=utf-8'] : ['application/json'])
      const names = entry.parameters.map((parameter: { name: string }) => parameter.name)
      const site = operation.path.includes('{site}') ? ['site'] : []
      expect(names).toEqual([
        ...site,
        ...Object.keys(operation.params.properties),
        ...Object.keys(operation.query.properties),
      ])
    },
  )

  test('problems are application/problem+json, 405 with Allow, 401 with WWW-Authenticate', () => {
    const { responses } = document.components
    for (const status of [400, 401, 404, 405, 422, 500]) {
      expect(Object.keys(responses[`Problem${status}`].content)).toEqual(['application/problem+json'])
    }
    expect(responses.Problem405.headers.Allow).toBeDefined()
    expect(responses.Problem401.headers['WWW-Authenticate']).toBeDefined()
    expect(document.paths['/v1/sites/{site}/overview'].get.responses[503].description).toBe(
      'analytics overview unavailable',
    )
  })

  test('CSV of the overview has the header record of either version', () => {
    const csvOf = (path: string) => document.paths[path].get.responses[200].content['text/csv; charset=utf-8'].schema
    expect(csvOf('/v1/sites/{site}/overview').description).toBe(
      'RFC 4180, header record: record_type,day,metric,value; while the gate analytics_overview_v2 is open: record_type,meta_json,day,metric,value',
    )
    expect(csvOf('/v1/sites/{site}/funnels').description).toBe(
      'RFC 4180, header record: record_type,meta_json,funnel_json',
    )
  })

  test('every answer to a caller who is known may name ignored parameters', () => {
    const header = { $ref: '#/components/headers/IgnoredParameters' }
    for (const status of [400, 404, 422, 500]) {
      expect(document.components.responses[`Problem${status}`].headers['Spoor-Ignored-Parameters']).toEqual(header)
    }
    const overview = document.paths['/v1/sites/{site}/overview'].get.responses
    for (const status of [200, 503]) expect(overview[status].headers['Spoor-Ignored-Parameters']).toEqual(header)
    for (const status of [401, 405]) {
      expect(document.components.responses[`Problem${status}`].headers['Spoor-Ignored-Parameters']).toBeUndefined()
    }
  })

  test('deprecated routes say by headers that they end', () => {
    const { paths } = JSON.parse(JSON.stringify(accountApiDocument(null)))
    const headersOf = (path: string) => Object.keys(paths[path].get.responses[200].headers)
    expect(headersOf('/api/v1/brands/{brandId}/visibility')).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    )
    expect(headersOf('/api/v1/brands/{brandId}/report')).not.toContain('Deprecation')
  })

  test('purpose is a comma list, not exploded', () => {
    const { parameters } = document.paths['/v1/sites/{site}/performance'].get
    expect(parameters[2]).toMatchObject({ name: 'purpose', style: 'form', explode: false, required: false })
  })

  test('every reference resolves, and every component is used', () => {
    const text = JSON.stringify(document)
    const used = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    )
    const present = ['schemas', 'responses', 'headers'].flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `${kind}/${name}`),
    )
    expect([...used].sort()).toEqual(present.sort())
  })

  test('two different schemas of one title are refused', () => {
    const define = (id: string, schema: Type.TSchema) =>
      defineSiteOperation({
        id,
        method: 'GET',
        path: `/${id}`,
        tag: 'x',
        summary: id,
        params: Type.Object({}),
        query: Type.Object({}),
        output: schema,
        refusals: [500],
      })
    const pair = [define('a', Type.Integer({ title: 'Same' })), define('b', Type.String({ title: 'Same' }))]
    const failures = {
      body: Problem,
      media_type: 'application/json',
      component: 'Error',
      descriptions: {},
      headers: {},
    }
    const answer_headers = [] as const
    const options = {
      title: 't',
      version: '1',
      description: 'd',
      support_email: null,
      tags: {},
      server: '/',
      bearer: 'b',
      failures,
      answer_headers,
    }
    expect(() => renderOpenApi(pair, options)).toThrow('titled Same')
  })

  test('the committed document is fresh; else run: node scripts/generate.ts', async () => {
    const committed = await readFile(new URL('../../docs/api/site-api.json', import.meta.url), 'utf8')
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(siteApiDocument(null))))
  })
})

describe('the document of the account API', () => {
  const document = JSON.parse(JSON.stringify(accountApiDocument(null)))

  const ofAccount: readonly HttpOperation[] = [...accountApiOperations, ...deprecatedOperations]

  test.each(ofAccount.map((operation) => [operation.id, operation] as const))(
    '%s has its parameters, its success and exactly its declared refusals',
    (_id, operation) => {
      const entry = document.paths[operation.path][operation.method.toLowerCase()]
      expect(Object.keys(entry.responses).map(Number)).toEqual(
        [operation.success ?? 200, ...operation.refusals].sort((a, b) => a - b),
      )
      expect(entry.parameters.map((parameter: { name: string }) => parameter.name)).toEqual([
        ...Object.keys(operation.params.properties),
        ...Object.keys(operation.query.properties),
        ...(operation.idempotent === true ? ['Idempotency-Key'] : []),
      ])
      expect(entry.deprecated === true).toBe(operation.deprecated !== undefined)
    },
  )

  test('every refusal is an error body with one of the nine codes', () => {
    for (const { content } of Object.values<{ content: object }>(document.components.responses)) {
      expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/AccountApiError' } } })
    }
    expect(document.components.schemas.AccountApiError.properties.code.enum).toHaveLength(9)
  })

  test('every reference resolves, and every component is used', () => {
    const text = JSON.stringify(document)
    const used = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    )
    const present = ['schemas', 'responses', 'headers'].flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `${kind}/${name}`),
    )
    expect([...used].sort()).toEqual(present.sort())
  })

  test('the committed document is fresh; else run: node scripts/generate.ts', async () => {
    const committed = await readFile(new URL('../../docs/api/account-api.json', import.meta.url), 'utf8')
    expect(JSON.parse(committed)).toEqual(document)
  })
})
