/** Every operation of the dashboard × everybody who may ask, over HTTP with cookies, on one service (decisions 2). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '#accounts/roles.ts'
import { addBrand } from '#brands/brands.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { dashboardOperations } from '#contract/dashboard-api/index.ts'
import { managementOperations } from '#contract/management-api/index.ts'
import type { Operation } from '#contract/operation.ts'
import type { SitePermission } from '#contract/permissions.ts'
import { operations } from '#contract/site-api/index.ts'
import type { Role } from '#contract/vocabulary.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { methodOf } from '#surfaces/http/dashboard-api/read-input.ts'
import { type Browser, openBrowser, type Said, signInAs } from '../support/person.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { addMember, addPerson } from './people.ts'

const every: readonly Operation[] = [
  ...operations,
  ...accountApiOperations.filter(({ id }) => id !== 'getAccount'),
  ...managementOperations,
  ...dashboardOperations,
]

interface Person {
  role: Role | null
  is_admin: boolean
  is_operator: boolean
}
const PEOPLE: Readonly<Record<string, Person>> = {
  viewer: { role: 'viewer', is_admin: false, is_operator: false },
  editor: { role: 'editor', is_admin: false, is_operator: false },
  owner: { role: 'owner', is_admin: false, is_operator: false },
  'admin without the site': { role: null, is_admin: true, is_operator: false },
  'operator without the site': { role: null, is_admin: false, is_operator: true },
  'member without the site': { role: null, is_admin: false, is_operator: false },
  'admin of another account': { role: null, is_admin: true, is_operator: false },
}

let service: TestService
let named: Record<string, string>
const browsers = new Map<string, Browser>()

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const { operator, control } = service.installation
  const site = await service.addSite('example.com')
  const { source, token } = await addIntakeSource(operator, { site_id: site.id, name: 'edge' })
  const names = { name: 'Example', aliases: [], domains: ['example.com'] }
  const brand = await addBrand(operator, { account_id: site.account_id, site_id: site.id, ...names })
  named = { site: site.id, source: source.id, token: token.id, brand: brand.id, brandId: brand.id }
  for (const [name, { role, is_admin, is_operator }] of Object.entries(PEOPLE)) {
    const person = await addPerson(service, ...(name.includes('another') ? [] : [site.account_id]))
    const kinds = { is_operator: is_operator ? 1 : 0, account_role: is_admin ? 'admin' : 'member' } as const
    await control.db.updateTable('users').set(kinds).where('id', '=', person.user_id).execute()
    if (role !== null) await addMember(service, person, site, role)
    browsers.set(name, await signInAs(service, person))
  }
})
afterAll(() => service.close())

function ask(browser: Browser, operation: Operation, subjects = named): Promise<Said> {
  const fields = Object.keys(operation.input.properties)
  const subject = operation.subject === 'brand' && fields.includes('brandId') ? 'brandId' : operation.subject
  const value = subjects[subject]
  const input = value === undefined ? {} : { [subject]: value }
  return methodOf(operation) === 'GET' ? browser.read(operation.id, input) : browser.change(operation.id, input)
}

/** The refusal that the papers ask for; null: the person may. */
function refusalOf({ permission, subject }: Operation, { role, is_admin, is_operator }: Person): string | null {
  if (permission === 'operate') return is_operator ? null : 'forbidden'
  if (permission === 'administer_account') return is_admin ? null : 'forbidden'
  if (permission === 'use_account' || subject === 'visible_sites') return null
  if (role !== null && PERMISSIONS[permission as SitePermission].includes(role)) return null
  if (subject === 'brand' && role !== null) return 'forbidden'
  return subject === 'site' ? 'site_not_found' : 'not_found'
}

test.each(Object.entries(PEOPLE))('%s is refused what the role does not permit', async (name, person) => {
  const browser = browsers.get(name) as Browser
  const wrong: unknown[] = []
  for (const operation of every) {
    const refusal = refusalOf(operation, person)
    if (refusal === null) continue
    const { status, json } = await ask(browser, operation)
    const expected = [refusal === 'forbidden' ? 403 : 404, refusal]
    if (status !== expected[0] || json.code !== expected[1]) wrong.push([operation.id, status, json.code, expected])
  }
  expect(wrong).toEqual([])
})

/** Calls without any field beside their subject, which would carry out a change: left to tests of their own. */
const isHarmless = ({ effect, input, subject }: Operation): boolean =>
  effect === 'read' || (input.required ?? []).some((field) => ![subject, 'brandId', 'site'].includes(field))

/** One for each kind of permission. */
const PERMITTED = ['owner', 'admin without the site', 'operator without the site', 'admin of another account']

test.each(PERMITTED)('%s gets as far as the input of what it permits', async (name) => {
  const person = PEOPLE[name] as Person
  const browser = browsers.get(name) as Browser
  const wrong: unknown[] = []
  for (const operation of every) {
    if (refusalOf(operation, person) !== null || !isHarmless(operation)) continue
    const { status, json } = await ask(browser, operation)
    const is_refused = [401, 403].includes(status) || json.code === 'site_not_found'
    if (is_refused || status >= 500) wrong.push([operation.id, status, json])
  }
  expect(wrong).toEqual([])
})

test('without a session, every request is asked to sign in', async () => {
  const nobody = openBrowser(service)
  for (const operation of every) {
    expect([operation.id, (await ask(nobody, operation)).json.code]).toEqual([operation.id, 'signed_out'])
  }
})

test('foreign ids have the same answer as missing ones', async () => {
  const stranger = browsers.get('admin of another account') as Browser
  const missing = Object.fromEntries(Object.keys(named).map((name) => [name, randomUUID()]))
  for (const operation of every) {
    if (!['site', 'source', 'token', 'brand'].includes(operation.subject)) continue
    const [foreign, absent] = [await ask(stranger, operation), await ask(stranger, operation, missing)]
    expect([operation.id, foreign.status, foreign.json]).toEqual([operation.id, absent.status, absent.json])
  }
})

test('no change is accepted from another page, with cookie or without', async () => {
  const owner = browsers.get('owner') as Browser
  for (const operation of every.filter((each) => methodOf(each) === 'POST')) {
    for (const headers of [{ origin: 'https://other.example' }, { origin: null, 'sec-fetch-site': 'cross-site' }]) {
      const { status, json } = await owner.change(operation.id, named, headers)
      expect([operation.id, status, json.code]).toEqual([operation.id, 403, 'foreign_origin'])
    }
  }
})

test('a cookie that another person chose opens nothing', async () => {
  const fixed = openBrowser(service)
  fixed.cookie = `spoor_session=${'A'.repeat(43)}`
  expect((await fixed.read('getSession')).json.code).toBe('signed_out')
})
