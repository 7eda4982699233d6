/** Requests generated from the parameters and bodies of the account API: no 500, no undocumented status or code. */
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { addBrand } from '#brands/brands.ts'
import { AccountApiError } from '#contract/account-api/errors.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { PARAMETER_CODES } from '#contract/account-api/parameters.ts'
import type { HttpOperation } from '#contract/operation.ts'
import { ACCOUNT_ERRORS, type AccountErrorCode } from '#contract/vocabulary.ts'
import { openTestService, type TestService } from '../support/service.ts'

let service: TestService
let key: string
let brandId: string
let questionId: string
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const { operator } = service.installation
  key = (await createAccountToken(operator, { ...operator, name: 'generated', scope: 'write' })).secret
  const names = { name: 'Acme', aliases: [], domains: ['example.com'] }
  brandId = (await addBrand(operator, { account_id: operator.account_id, site_id: null, ...names })).id
  const body = JSON.stringify({ questions: [{ text: 'a' }] })
  const headers = { 'content-type': 'application/json' }
  const added = await service.ask(`/api/v1/brands/${brandId}/questions`, { method: 'POST', key, body, headers })
  questionId = String((added.json.created as { id: string }[])[0]?.id)
})
afterAll(() => service.close())

const text = fc.oneof(
  fc.constantFrom(
    '',
    '1',
    '0',
    '200',
    '201',
    'all',
    'active',
    'branded',
    'DE',
    'none',
    'true',
    '2026-03-01',
    '%',
    'null',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const name = fc.oneof(fc.constantFrom(...Object.keys(PARAMETER_CODES)), fc.string({ maxLength: 8 }))
const query = fc.array(fc.tuple(name, text), { maxLength: 6 })
const id = (known: () => string) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, text).map((given) => given ?? known())
const question = fc.record(
  {
    text: fc.oneof(text, fc.jsonValue()),
    country: fc.oneof(text, fc.jsonValue()),
    tags: fc.jsonValue(),
    more: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const body = fc.oneof(
  fc.record({ questions: fc.array(question, { maxLength: 4 }) }),
  fc.jsonValue(),
  fc.string({ unit: 'binary' }).map((sent) => ({ sent })),
)

test.each((accountApiOperations as readonly HttpOperation[]).map((operation) => [operation.id, operation] as const))(
  '%s answers what its contract says',
  async (_id, operation) => {
    const declared = [operation.success ?? 200, ...operation.refusals]
    const ids = fc.record({ brandId: id(() => brandId), id: id(() => questionId), answerId: id(() => questionId) })
    await fc.assert(
      fc.asyncProperty(ids, query, body, text, async (path, parameters, sent, header) => {
        // Past the hour, so that quotas refuse nothing here.
        service.clock.advance(5_000)
        const target = operation.path.replace(/\{(\w+)\}/g, (_all, named: 'id') => encode(path[named]) || 'x')
        const search = parameters.map((pair) => pair.map(encode).join('=')).join('&')
        const answer = await service.ask(`${target}?${search}`, {
          ...{ method: operation.method, key },
          ...(operation.method === 'POST'
            ? { body: 'sent' in Object(sent) ? String(sent) : JSON.stringify(sent) }
            : {}),
          headers: { 'content-type': 'application/json', 'idempotency-key': encode(header) },
        })
        expect(declared).toContain(answer.status)
        expect(answer.status).not.toBe(500)
        const form = answer.status < 400 ? operation.output : AccountApiError
        expect(Compile(form).Errors(answer.json)).toEqual([])
        if (answer.status >= 400) expect(ACCOUNT_ERRORS[answer.json.code as AccountErrorCode]).toBe(answer.status)
      }),
      { numRuns: 150 },
    )
  },
)

const encode = (given: string): string => encodeURIComponent(given.toWellFormed())
