/** Sessions, over the real HTTP stack and control store. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issueSignInLink } from '#accounts/sign-in-links.ts'
import { countTry } from '#accounts/sign-in-tries.ts'
import { removeUser } from '#accounts/users.ts'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { addMember, addPerson, type Person } from '../../../operations/people.ts'
import { type Browser, nameUser, openBrowser, PASSWORD, signInAs } from '../../../support/person.ts'
import { openTestService, type TestService } from '../../../support/service.ts'

let service: TestService
let owner: Person

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  owner = service.installation.operator
  await nameUser(service, owner.user_id, 'owner@example.com')
  await service.addSite('example.com')
})
afterAll(() => service.close())
// Each test has tries of its own.
beforeEach(() => service.clock.advance(16 * MINUTE_MS))

let people = 0
async function newcomer(): Promise<Person & { email: string }> {
  people += 1
  const email = `person${people}@example.com`
  const person = await addPerson(service, owner.account_id)
  await nameUser(service, person.user_id, email)
  return { ...person, email }
}

const standing = async (browser: Browser) => (await browser.read('getSession')).status

describe('signing in', () => {
  test('opens a session in a cookie that scripts cannot read, and says who is signed in', async () => {
    const browser = openBrowser(service)
    expect(await browser.read('getSession')).toMatchObject({ status: 401, json: { code: 'signed_out' } })
    const answer = await browser.change('signIn', { email: ' Owner@Example.com', password: PASSWORD })
    expect(answer).toMatchObject({ status: 200, json: { ok: true } })
    expect(answer.headers['set-cookie']).toMatch(
      /^spoor_session=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    )
    expect(await browser.read('getSession', {}, { cookie: `spoor_theme=dark; ${browser.cookie}` })).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      json: {
        user: { id: owner.user_id, email: 'owner@example.com', account_role: 'admin' },
        installation_role: 'operator',
        sites: [{ root_domain: 'example.com', role: 'owner' }],
        aliases: [],
        brands: [],
        time_zone: 'UTC',
        theme: 'dark',
      },
    })
  })

  test('keeps neither the secret nor an address', async () => {
    const browser = await signInAs(service, owner)
    const rows = await service.installation.control.db.selectFrom('sessions').selectAll().execute()
    const stored = JSON.stringify(rows)
    expect(stored).toContain('Mozilla/5.0 (test)')
    expect(stored).not.toContain(String(browser.cookie?.split('=')[1]))
    expect(stored).not.toContain('127.0.0.1')
  })

  test('a wrong password, an unknown address and no address are one answer', async () => {
    const tries = [
      { email: 'owner@example.com', password: 'another password' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email: 'nobody', password: PASSWORD },
      { email: 'owner@example.com', password: '' },
    ]
    const answers = await Promise.all(tries.map((given) => openBrowser(service).change('signIn', given)))
    for (const { status, json, headers } of answers) {
      expect([status, json, headers['set-cookie']]).toEqual([401, answers[0]?.json, undefined])
    }
    expect(answers[0]?.json).toMatchObject({ code: 'sign_in_failed', title: 'not signed in' })
  })

  test('gives a new secret each time and ends the previous session, so that none can be planted', async () => {
    const browser = await signInAs(service, owner)
    const before = browser.cookie
    await browser.change('signIn', { email: 'owner@example.com', password: PASSWORD })
    expect(browser.cookie).not.toBe(before)
    const old = { ...openBrowser(service) }
    expect((await old.read('getSession', {}, { cookie: String(before) })).status).toBe(401)
    const planted = { cookie: `spoor_session=${'A'.repeat(43)}` }
    const fixed = openBrowser(service)
    await fixed.change('signIn', { email: 'owner@example.com', password: PASSWORD }, planted)
    expect((await openBrowser(service).read('getSession', {}, planted)).status).toBe(401)
    expect(await standing(fixed)).toBe(200)
  })

  test('by a link works once, within an hour', async () => {
    const { control, clock } = service.installation
    const issue = () => issueSignInLink({ control, clock }, owner.user_id)
    const [used, late] = [await issue(), await issue()]
    const browser = openBrowser(service)
    expect(await browser.change('signInByLink', { token: used })).toMatchObject({ status: 200, json: { ok: true } })
    expect(await standing(browser)).toBe(200)
    service.clock.advance(61 * MINUTE_MS)
    for (const token of [used, late, 'x']) {
      expect((await openBrowser(service).change('signInByLink', { token })).json).toMatchObject({ code: 'not_found' })
    }
    const page = await service.http.inject({ url: '/open' })
    expect(page.body).not.toMatch(/https?:|<style|style=|<script(?![^>]* src=)/i)
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
  })

  test('is refused while a client has tried too often, and is not judged then', async () => {
    const { control, clock } = service.installation
    const client = '203.0.113.1'
    for (let n = 0; n < 10; n += 1) await countTry({ control, clock }, { client, email: `stranger${n}@example.com` })
    const given = { email: 'owner@example.com', password: PASSWORD }
    const signIn = (forwarded: string) => openBrowser(service).change('signIn', given, { 'x-forwarded-for': forwarded })
    expect(await signIn(client)).toMatchObject({
      status: 429,
      json: { code: 'rate_limited' },
      headers: { 'retry-after': '900' },
    })
    expect((await signIn('203.0.113.2')).status).toBe(200)
  })
})

describe('a session ends', () => {
  test('when it is signed out of, in one browser or in all', async () => {
    const person = await newcomer()
    const [one, two, three] = [
      await signInAs(service, person),
      await signInAs(service, person),
      await signInAs(service, person),
    ]
    expect((await one.read('listSessions')).json).toMatchObject({ sessions: { length: 3 } })
    const cookie = String(one.cookie)
    expect((await one.change('signOut')).headers['set-cookie']).toMatch(/^spoor_session=; Path=\/; Max-Age=0;/)
    expect((await one.read('getSession', {}, { cookie })).status).toBe(401)
    expect(await standing(two)).toBe(200)
    expect(await two.change('signOutEverywhere')).toMatchObject({ status: 200, json: { ended_sessions: 2 } })
    expect(await standing(three)).toBe(401)
  })

  test('all but the browser in which the password was changed, whose old one no longer signs in', async () => {
    const person = await newcomer()
    const [one, two] = [await signInAs(service, person), await signInAs(service, person)]
    const cookie = one.cookie
    const change = (password: string, new_password: string) => one.change('changePassword', { password, new_password })
    expect(await change('a wrong password', 'five words are enough too')).toMatchObject({
      status: 403,
      json: { code: 'wrong_password' },
    })
    expect((await change(PASSWORD, 'short')).status).toBe(400)
    expect(await standing(two)).toBe(200)
    expect(await change(PASSWORD, 'five words are enough too')).toMatchObject({
      status: 200,
      json: { ended_sessions: 1 },
    })
    expect([await standing(one), await standing(two)]).toEqual([200, 401])
    expect((await one.read('getSession', {}, { cookie })).status).toBe(401)
    const again = openBrowser(service)
    expect((await again.change('signIn', { email: person.email, password: PASSWORD })).status).toBe(401)
    const signed = await again.change('signIn', { email: person.email, password: 'five words are enough too' })
    expect(signed.status).toBe(200)
  })

  test('14 days after its last use, and 90 days after it began', async () => {
    const person = await newcomer()
    const [idle, used] = [await signInAs(service, person), await signInAs(service, person)]
    for (let day = 0; day < 13; day += 1) {
      service.clock.advance(DAY_MS)
      expect(await standing(used)).toBe(200)
    }
    service.clock.advance(DAY_MS)
    expect([await standing(idle), await standing(used)]).toEqual([401, 200])
    for (let day = 14; day < 89; day += 5) {
      service.clock.advance(5 * DAY_MS)
      expect(await standing(used)).toBe(200)
    }
    service.clock.advance(DAY_MS)
    expect(await standing(used)).toBe(401)
  })

  test('not with a suspended account, which refuses its people until an operator ends it', async () => {
    const person = await newcomer()
    const [browser, operator] = [await signInAs(service, person), await signInAs(service, owner)]
    await operator.change('account.suspend')
    expect(await browser.read('getSession')).toMatchObject({ status: 403, json: { code: 'forbidden' } })
    expect((await operator.change('account.activate')).status).toBe(200)
    expect(await standing(browser)).toBe(200)
  })

  test('with a changed password, and with the person', async () => {
    const [changed, removed] = [await newcomer(), await newcomer()]
    const browsers = [await signInAs(service, changed), await signInAs(service, removed)]
    const operator = await signInAs(service, owner)
    const { json } = await operator.change('user.reset_link', { user: changed.email })
    const token = String(json.link).split('#')[1]
    await openBrowser(service).change('choosePassword', { token, password: 'other words, also enough' })
    await removeUser(service.installation.operator, removed.email)
    for (const browser of browsers) expect(await standing(browser)).toBe(401)
  })
})

describe('only our own pages are listened to', () => {
  test.each<[string, Record<string, string | null>, number]>([
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['no origin, and the browser says another site', { origin: null, 'sec-fetch-site': 'cross-site' }, 403],
    ['no origin, and no word of the browser', { origin: null, 'sec-fetch-site': null }, 403],
    ['no origin, and the browser says our own page', { origin: null }, 200],
    ['another host, as after rebinding a name', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }, 400],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
  ])('a change: %s', async (_name, headers, status) => {
    const browser = await signInAs(service, owner)
    expect((await browser.change('signOutEverywhere', {}, headers)).status).toBe(status)
    expect(await standing(browser)).toBe(status === 200 ? 401 : 200)
  })

  test.each<[string, Record<string, string | null>, number]>([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site' }, 403],
    ['a typed address', { 'sec-fetch-site': 'none' }, 200],
    ['127.0.0.1', { host: '127.0.0.1:8080' }, 200],
    ['another port', { host: 'localhost:8081' }, 400],
  ])('a read: %s', async (_name, headers, status) => {
    const browser = await signInAs(service, owner)
    expect((await browser.read('getSession', {}, headers)).status).toBe(status)
  })

  test('a read changes nothing, and a change is never a GET', async () => {
    const browser = await signInAs(service, owner)
    expect(await browser.read('site.add', { domain: 'other.example' })).toMatchObject({
      status: 405,
      json: { code: 'method_not_allowed' },
    })
    expect((await browser.change('getSession')).status).toBe(405)
  })
})

describe('operations', () => {
  test('are those of the APIs, with path parameters beside the others', async () => {
    const { id: site } = await service.addSite('counted.example')
    const browser = await signInAs(service, owner)
    const query = { site, window: '7d', purpose: 'search,training' }
    expect((await browser.read('getPerformance', query)).json).toMatchObject({
      meta: { purpose_filter: ['search', 'training'] },
      observed_request_count: null,
    })
    expect(await browser.read('getAnalyticsOverview', { site, format: 'csv' })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    })
    expect(await browser.read('getPerformance', { site, window: '8d' })).toMatchObject({
      status: 400,
      json: { code: 'invalid_parameter', detail: expect.stringMatching(/window is "8d"/) },
    })
    expect(await browser.read('getAnalyticsFunnel', { site, slug: 'none' })).toMatchObject({ status: 400 })
    expect(await browser.read('getPerformance')).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', errors: [{ field: 'site' }] },
    })
    expect(await browser.change('runAccessCheck', { site, url: 'https://other.example/' })).toMatchObject({
      status: 400,
      json: { code: 'invalid_body' },
    })
  })

  test('allow what the person may do, and ask for the password again where the specification requires it', async () => {
    const browser = await signInAs(service, owner)
    const added = await browser.change('site.add', { domain: 'steered.example' })
    expect(added).toMatchObject({ status: 200, json: { root_domain: 'steered.example' } })
    const site = String(added.json.id)
    expect((await browser.read('gate.list', { site })).json).toHaveProperty('gates')
    expect(await browser.change('site.add', {})).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', errors: [{ field: 'domain', code: 'required' }] },
    })
    service.clock.advance(11 * MINUTE_MS)
    expect(await browser.change('site.remove', { site })).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', errors: [{ field: 'typed_name' }] },
    })
    const named = { site, typed_name: 'steered.example' }
    expect(await browser.change('site.remove', named)).toMatchObject({
      status: 403,
      json: { code: 'reauthentication_required' },
    })
    expect(await browser.change('confirmPassword', { password: 'wrong words' })).toMatchObject({
      status: 403,
      json: { code: 'wrong_password' },
    })
    expect((await browser.change('confirmPassword', { password: PASSWORD })).status).toBe(200)
    expect(await browser.change('site.remove', { site, typed_name: 'other.example' })).toMatchObject({
      status: 409,
      json: { code: 'conflict', detail: expect.stringMatching(/"other.example".*"steered.example"/) },
    })
    expect(await browser.read('getSiteContents', { site })).toMatchObject({
      status: 200,
      json: { root_domain: 'steered.example', members: 1, requests: 0 },
    })
    expect((await browser.change('site.remove', named)).status).toBe(200)
  })

  test('a viewer reads and changes nothing; a foreign site looks like a missing one', async () => {
    const site = await service.addSite('viewed.example')
    const foreign = await service.addSite('foreign.example')
    const viewer = await newcomer()
    await addMember(service, viewer, site, 'viewer')
    const browser = await signInAs(service, viewer)
    expect((await browser.read('listSites')).json).toMatchObject({ sites: [{ root_domain: 'viewed.example' }] })
    expect((await browser.read('getCrawlers', { site: site.id })).status).toBe(200)
    const missing = await browser.read('getCrawlers', { site: 'missing.example' })
    expect(await browser.read('getCrawlers', { site: foreign.id })).toMatchObject({ status: 404, json: missing.json })
    expect((await browser.change('gate.set', { site: site.id, gate: 'x', is_open: true })).status).toBe(404)
    expect((await browser.change('site.add', { domain: 'own.example' })).status).toBe(403)
  })

  test('brands are read without a quota, and faults are named by their fields', async () => {
    const browser = await signInAs(service, owner)
    const { json } = await browser.change('brand.add', { name: 'Example', aliases: [], domains: ['example.com'] })
    const brandId = String(json.id)
    const added = await browser.change('addQuestions', { brandId, questions: [{ text: 'Which crawlers came?' }] })
    expect(added).toMatchObject({ status: 200, json: { created: [{ text: 'Which crawlers came?' }] } })
    const listed = await browser.read('listQuestions', { brandId, limit: '5' })
    expect(listed).toMatchObject({ status: 200, json: { total_count: 1, limit: 5 } })
    expect(listed.headers).not.toHaveProperty('x-ratelimit-limit')
    expect(await browser.read('listQuestions', { brandId, limit: 'x' })).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', errors: [{ field: 'limit' }] },
    })
  })
})
