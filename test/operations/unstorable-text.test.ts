/**
 * Every text of every change, with what no store keeps in it: a NUL, which PostgreSQL refuses, and half of a surrogate
 * pair, which UTF-8 cannot write. The caller hears 400, and nothing fails.
 */
import type Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { addBrand } from '#brands/brands.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { dashboardOperations, SIGN_IN } from '#contract/dashboard-api/index.ts'
import { managementOperations } from '#contract/management-api/index.ts'
import type { Operation } from '#contract/operation.ts'
import { operations } from '#contract/site-api/index.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { methodOf } from '#surfaces/http/dashboard-api/read-input.ts'
import { type Browser, openBrowser, signInAs } from '../support/person.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { addMember, addPerson } from './people.ts'

const TEXTS = ['a\u0000b', 'a\ud800b']

let service: TestService
let browser: Browser
let token: string
let named: Record<string, string>
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const { operator, control } = service.installation
  const site = await service.addSite('example.com')
  const { source, token: sender } = await addIntakeSource(operator, { site_id: site.id, name: 'edge' })
  const names = { name: 'Example', aliases: [], domains: ['example.com'] }
  const brand = await addBrand(operator, { account_id: site.account_id, site_id: site.id, ...names })
  named = { site: site.id, source: source.id, token: sender.id, brand: brand.id, brandId: brand.id }
  token = (await createAccountToken(operator, { ...operator, name: 'writing', scope: 'write' })).secret
  await service.createKey()
  const person = await addPerson(service, site.account_id)
  const kinds = { is_operator: 1, account_role: 'admin' } as const
  await control.db.updateTable('users').set(kinds).where('id', '=', person.user_id).execute()
  await addMember(service, person, site, 'owner')
  browser = await signInAs(service, person)
})
afterAll(() => service.close())

interface Schema {
  type?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}
type Path = readonly (string | number)[]

/** Where a schema has texts. */
function textsOf({ type, anyOf = [], items, properties = {} }: Schema, path: Path = []): Path[] {
  if (type === 'string') return [path]
  const below = Object.entries(properties).flatMap(([name, schema]) => textsOf(schema, [...path, name]))
  const each = items === undefined ? [] : textsOf(items, [...path, 0])
  return [...below, ...each, ...anyOf.flatMap((schema) => textsOf(schema, path))]
}

/** A value with nothing in it but this one at this place. */
const holding = ([key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value
  const inner = holding(rest, value)
  return typeof key === 'number' ? [inner] : { [key]: inner }
}

/** Bodies with an unstorable text, one for each text of the schema. */
const bodiesOf = (schema: Type.TSchema): { path: Path; body: object }[] =>
  textsOf(schema as Schema).flatMap((path) => TEXTS.map((text) => ({ path, body: holding(path, text) as object })))

const changes: readonly Operation[] = [
  ...operations,
  ...accountApiOperations,
  ...managementOperations,
  ...dashboardOperations,
].filter((operation) => methodOf(operation) === 'POST')

test('the table holds the changes and their texts', () => {
  expect(changes.length).toBeGreaterThan(80)
  expect(changes.flatMap(({ input }) => bodiesOf(input)).length).toBeGreaterThan(300)
})

/** Files are texts of their own: their readers refuse what they cannot keep, line by line. */
const isFile = (path: Path) => path[0] === 'document'

test.each(changes.map((operation) => [operation.id, operation] as const))(
  '%s of the dashboard',
  async (_id, operation) => {
    const fields = Object.keys(operation.input.properties)
    const subjects = Object.fromEntries(Object.entries(named).filter(([name]) => fields.includes(name)))
    for (const { path, body } of bodiesOf(operation.input)) {
      const { status, json } = await browser.change(operation.id, { ...subjects, ...body })
      if (isFile(path)) expect([path, status < 500]).toEqual([path, true])
      else expect([path, status, json.code]).toEqual([path, 400, 'invalid_input'])
    }
  },
)

/** JavaScript makes no text of it. */
const NO_TEXT = { toString: 1, valueOf: 1 }

test.each(changes.map((operation) => [operation.id, operation] as const))(
  '%s of the dashboard refuses an object in place of a text',
  async (_id, operation) => {
    const fields = Object.keys(operation.input.properties)
    const subjects = Object.fromEntries(Object.entries(named).filter(([name]) => fields.includes(name)))
    for (const path of textsOf(operation.input as Schema)) {
      const body = holding(path, NO_TEXT) as object
      expect([path, (await browser.change(operation.id, { ...subjects, ...body })).status]).toEqual([path, 400])
    }
  },
)

test.each(Object.entries(SIGN_IN))('%s refuses text that no store can hold', async (name, { body: schema }) => {
  for (const { path, body } of bodiesOf(schema)) {
    const sent = {
      ...(name === 'signIn' ? { email: 'a@example.com', password: 'x' } : { token: 'x', password: 'x' }),
      ...body,
    }
    const who = ['confirmPassword', 'changePassword'].includes(name) ? browser : openBrowser(service)
    service.clock.advance(3_600_000)
    expect([path, (await who.change(name, sent)).status]).toEqual([path, 400])
  }
})

test('surface A and surface B refuse text that no store can hold', async () => {
  const headers = { 'content-type': 'application/json' }
  const post = (path: string, body: object, key?: string) =>
    service.ask(path, { method: 'POST', body: JSON.stringify(body), headers, ...(key === undefined ? {} : { key }) })
  for (const text of TEXTS) {
    const check = await post('/v1/sites/example.com/access-checks', { url: `https://example.com/${text}` })
    expect(check.status).toBe(400)
    const path = `/api/v1/brands/${named.brandId}/questions`
    for (const wrong of [{ text }, { text: 'a', country: text }, { text: 'a', tags: [text] }]) {
      expect(await post(path, { questions: [wrong] }, token)).toMatchObject({
        status: 400,
        json: { code: 'invalid_request' },
      })
    }
  }
})
