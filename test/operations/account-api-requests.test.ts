/**
 * Requests generated from the OpenAPI document of the account API, and arguments from the schemas of the tools: no 500,
 * no status, code or member that the documents do not name. `GENERATED_REQUESTS=10000` asks each operation that often.
 */
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { makeFixes } from '#brands/fixes/make-fixes.ts'
import { PARAMETER_CODES } from '#contract/account-api/parameters.ts'
import { ACCOUNT_ERRORS, type AccountErrorCode } from '#contract/vocabulary.ts'
import { accountApiDocument } from '#surfaces/http/reference/account-api.ts'
import { describeTool } from '#surfaces/mcp/describe-tool.ts'
import { TOOLS } from '#surfaces/mcp/tools.ts'
import { anyText } from '../support/any-text.ts'
import { addBrandWithRival, importRecords } from '../support/brands.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { arbitraryOf, junk, type Schema } from './from-schema.ts'

/** So slow that neither quota ever refuses: 100,000 requests take more than 30 days. */
const PAUSE_MS = 27_000
const REQUESTS = Number(process.env.GENERATED_REQUESTS ?? 40)

interface Documented {
  operationId: string
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { $ref?: string; content?: { 'application/json': { schema: Schema } } }>
}
const api = JSON.parse(JSON.stringify(accountApiDocument(null))) as {
  paths: Record<string, Record<string, Documented>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Documented['responses'][string]> }
}
const { schemas, responses } = api.components
const byReference = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [`#/components/schemas/${name}`, schema]),
)
const documented = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

let service: TestService
let key: string
let known: Record<string, string>
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const { operator } = service.installation
  key = (await createAccountToken(operator, { ...operator, name: 'generated', scope: 'write' })).secret
  const { brand } = await addBrandWithRival(operator, {
    account_id: operator.account_id,
    brand: { name: 'Acme', domains: ['acme.example'] },
    rival: { name: 'Zenith', domains: ['zenith.example'] },
  })
  await service.addSite('acme.example')
  const ctx = { ...operator, evidence: service.crawlers.evidence }
  const answers = [5, 6, 7, 8].map((day) => ({
    source_tool: 'tool',
    external_id: String(day),
    engine: 'chatgpt',
    state: 'answered',
    text: 'Zenith.',
    question: 'Which skates?',
    asked_at: `2026-03-0${day}T05:00:00Z`,
    citations: [{ url: 'https://acme.example/' }],
  }))
  await importRecords(ctx, brand, answers)
  await makeFixes(ctx, brand)
  const idOfFirst = async (list: string) => {
    const { json } = await service.ask(`/api/v1/brands/${brand.id}/${list}`, { key })
    return String((json[list] as { id: string }[])[0]?.id)
  }
  const body = JSON.stringify({ questions: [{ text: 'a' }] })
  const headers = { 'content-type': 'application/json' }
  const added = await service.ask(`/api/v1/brands/${brand.id}/questions`, { method: 'POST', key, body, headers })
  const id = String((added.json.created as { id: string }[])[0]?.id)
  const [answerId, fix] = [await idOfFirst('answers'), await idOfFirst('fixes')]
  known = { brandId: brand.id, id, answerId, fix, question_id: id, site: 'acme.example' }
})
afterAll(() => service.close())

/** Mostly what exists, so that requests reach what they ask for. */
const idOf = (name: string) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.uuid(), junk).map((given) => given ?? String(known[name]))

/** Of what is known, by where it stands. */
const keyOf = (name: string, place: string): string => (name === 'id' && /fix/.test(place) ? 'fix' : name)

const encode = (given: unknown): string => encodeURIComponent(String(given).toWellFormed())

function queryOf({ parameters }: Documented): fc.Arbitrary<string> {
  const own = parameters.filter((parameter) => parameter.in === 'query')
  const right = own.map(({ name, schema }) => fc.tuple(fc.constant(name), arbitraryOf(schema, byReference)))
  const wrong = fc.tuple(fc.oneof(fc.constantFrom(...Object.keys(PARAMETER_CODES)), junk), junk)
  const pair = right.length === 0 ? wrong : fc.oneof({ weight: 5, arbitrary: fc.oneof(...right) }, wrong)
  return fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.map((each) => each.map(encode).join('=')).join('&'))
}

function bodyOf({ requestBody }: Documented): fc.Arbitrary<string> {
  if (requestBody === undefined) return fc.oneof(fc.constant(''), fc.constant('{}'), fc.json())
  const right = arbitraryOf(requestBody.content['application/json'].schema, byReference).map((body) =>
    JSON.stringify(body),
  )
  return fc.oneof({ weight: 6, arbitrary: right }, fc.json(), anyText())
}

/** A check against a schema of the document, with all that it refers to. */
const checkerOf = (schema: Schema | undefined) => Compile(inlined(schema ?? {}) as Parameters<typeof Compile>[0])

function inlined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inlined)
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return inlined(byReference[String(value.$ref)])
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, inlined(of)]))
}

function checkersOf({ responses: own }: Documented) {
  return new Map(
    Object.entries(own).map(([status, { $ref, content }]) => {
      const found = $ref === undefined ? content : responses[$ref.split('/').at(-1) as string]?.content
      return [Number(status), checkerOf(found?.['application/json'].schema)]
    }),
  )
}

describe('the account API', () => {
  test.each(documented.map((each) => [each.operation.operationId, each] as const))(
    '%s answers what its document says',
    async (_id, { path, method, operation }) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
      const ids = fc.record(Object.fromEntries(names.map((name) => [name, idOf(keyOf(name, path))])))
      const checkers = checkersOf(operation)
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(ids, queryOf(operation), bodyOf(operation), junk, async (given, query, body, header) => {
          service.clock.advance(PAUSE_MS)
          const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => encode(given[name]) || 'x')
          const answer = await service.ask(`${target}?${query}`, {
            method: method as 'GET',
            key,
            ...(method === 'GET' ? {} : { body }),
            headers: { 'content-type': 'application/json', 'idempotency-key': encode(header) },
          })
          statuses.add(answer.status)
          expect(answer.status).not.toBe(500)
          expect(checkers.get(answer.status)?.Errors(answer.json)).toEqual([])
          if (answer.status >= 400) expect(ACCOUNT_ERRORS[answer.json.code as AccountErrorCode]).toBe(answer.status)
        }),
        { numRuns: REQUESTS },
      )
      // Requests that are all refused would show nothing.
      expect(statuses.size).toBeGreaterThan(1)
    },
  )
})

describe('tools', () => {
  /** It would ask a server, and others are not asked by tests. */
  const asked = TOOLS.filter(({ name }) => name !== 'run_access_check')

  test.each(asked.map((tool) => [tool.name, tool] as const))('%s answers what its schemas say', async (name, tool) => {
    const { inputSchema, outputSchema } = describeTool(tool)
    const arbitrary = arbitraryOf(inputSchema as Schema, byReference).chain((given) =>
      fc.boolean().map((is_known) => (is_known ? { ...(given as object), ...knownOf(name, inputSchema) } : given)),
    )
    const output = Compile(outputSchema as Parameters<typeof Compile>[0])
    await fc.assert(
      fc.asyncProperty(arbitrary, async (given) => {
        service.clock.advance(PAUSE_MS)
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
        const headers = { 'content-type': 'application/json' }
        const answer = await service.ask('/mcp', { method: 'POST', key, body: JSON.stringify(message), headers })
        expect(answer.status).toBe(200)
        const { isError, content, structuredContent } = answer.json.result as {
          isError?: boolean
          content: { text: string }[]
          structuredContent?: unknown
        }
        if (isError !== true) expect(output.Errors(structuredContent)).toEqual([])
        else {
          const { code } = JSON.parse(String(content[0]?.text))
          expect(Object.keys(ACCOUNT_ERRORS)).toContain(code)
          expect(code).not.toBe('server_error')
        }
      }),
      { numRuns: Math.ceil(REQUESTS / 5) },
    )
  })
})

/** Ids that exist, for the arguments that name something. */
const knownOf = (tool: string, { required = [] }: { required?: readonly string[] | undefined }) =>
  Object.fromEntries(required.filter((name) => name in known).map((name) => [name, known[keyOf(name, tool)]]))
