/** The page behind a one-time link and what it talks to, over real HTTP. */
import { request } from 'node:http'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyPassword } from '#accounts/password.ts'
import { addUser, resetLink } from '#accounts/users.ts'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { readConfig } from '#config.ts'
import type { Installation } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { buildHttpSurfaces } from '../../../src/main.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const WORDS = 'four words are enough'
const RANDOM = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-AbCdE'

let folder: string
let clock: FakeClock
let installation: Installation
let url: string
let host: string
let server: ReturnType<typeof buildHttpSurfaces>
const log: string[] = []

beforeAll(async () => {
  folder = makeTestFolder()
  clock = fakeClock('2026-03-01T12:00:00Z')
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
  const logger = pino({ level: 'trace' }, sink)
  installation = await openInstallation({ config: { ...readConfig({}), data: folder }, clock, log: logger, wait_ms: 0 })
  // No dashboard is built there, so the pages that stand in for it answer.
  const dashboard_folder = pathToFileURL(`${folder}/`)
  server = buildHttpSurfaces(installation, await installation.crawlers(), {
    log: logger,
    support_email: null,
    dashboard_folder,
  })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
  host = url.slice('http://'.length)
})
afterAll(async () => {
  await server.close()
  await installation.close()
  removeTestFolder(folder)
})
// Each test has attempts of its own.
beforeEach(() => clock.advance(15 * MINUTE_MS))

const operator = () => installation.operator
let people = 0
async function addPerson() {
  people += 1
  const email = `person${people}@example.com`
  const { user, link } = await addUser(operator(), { ...operator(), email, is_operator: false })
  return { email, user_id: user.id, token: link.token }
}

interface Reported {
  status: number
  headers: Record<string, string | string[] | undefined>
  json: Record<string, unknown>
  text: string
}

/** A POST as a browser's page of this service sends it by default; null leaves a header out. */
function post(path: string, body: unknown, headers: Record<string, string | null> = {}): Promise<Reported> {
  const sent = { origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers }
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as Record<string, string>
  const { promise, resolve, reject } = Promise.withResolvers<Reported>()
  const asked = request(`${url}/dashboard-api/${path}`, { method: 'POST', headers: given, agent: false }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (part) => (text += part))
    answer.on('end', () =>
      resolve({ status: answer.statusCode as number, headers: answer.headers, text, json: JSON.parse(text) }),
    )
  })
  asked.on('error', reject)
  asked.end(typeof body === 'string' ? body : JSON.stringify(body))
  return promise
}

describe('the welcome page', () => {
  test('is static, and its policy allows nothing from other origins', async () => {
    const page = await fetch(`${url}/welcome`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = String(page.headers.get('content-security-policy'))
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/)
    expect(policy).toMatch(/form-action 'none'; frame-ancestors 'none'$/)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    const headers = ['referrer-policy', 'x-frame-options', 'x-content-type-options'].map((name) =>
      page.headers.get(name),
    )
    expect(headers).toEqual(['no-referrer', 'DENY', 'nosniff'])
    const html = await page.text()
    expect(html).not.toMatch(/https?:|<style|style=|\son\w+=|<script(?![^>]* src=)/i)
    const used = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to)
    expect(used).toEqual(['data:,', '/welcome/welcome.css', '/welcome/welcome.js', '/'])
    for (const path of ['/welcome/welcome.css', '/welcome/welcome.js']) {
      const file = await fetch(url + path)
      expect(file.status).toBe(200)
      expect(await file.text()).not.toMatch(/https?:\/\//)
    }
  })

  test('can be used without seeing it: every field has its label, messages are announced', async () => {
    const html = await (await fetch(`${url}/welcome`)).text()
    expect(html).toMatch(/<html lang="en">/)
    for (const id of ['email', 'password']) expect(html).toContain(`<label for="${id}">`)
    expect(html).toMatch(/role="status"/)
    expect(html).toMatch(/role="alert"/)
    expect(html).toMatch(/autocomplete="new-password"/)
    expect(html).toMatch(/aria-describedby="rule"/)
  })

  test('another method is 405 with Allow', async () => {
    const page = await fetch(`${url}/welcome`, { method: 'POST' })
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const api = await fetch(`${url}/dashboard-api/choosePassword`)
    expect([api.status, api.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await api.json()).toMatchObject({ code: 'method_not_allowed' })
  })
})

describe('choosing a password', () => {
  test('the link shows whom it is for and until when, and the password is valid from then on', async () => {
    const { email, user_id, token } = await addPerson()
    const expires_at = new Date(clock.now() + 24 * HOUR_MS).toISOString()
    expect(await post('findLink', { token })).toMatchObject({ status: 200, json: { email, expires_at } })
    const saved = await post('choosePassword', { token, password: WORDS })
    expect(saved).toMatchObject({
      status: 200,
      json: { email, is_signed_in: true },
      headers: { 'cache-control': 'no-store' },
    })
    const { db } = installation.control
    const { hash } = await db
      .selectFrom('passwords')
      .select('hash')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    expect(await verifyPassword(hash, WORDS)).toBe(true)
  })

  test('used, expired, replaced, unknown and misshapen links are one answer', async () => {
    const [used, expired, replaced] = [await addPerson(), await addPerson(), await addPerson()]
    await post('choosePassword', { token: used.token, password: WORDS })
    clock.advance(24 * HOUR_MS)
    const newest = await resetLink(operator(), replaced.email)
    const tokens = [used.token, expired.token, replaced.token, RANDOM, 'x', '']
    const answers = await Promise.all(
      tokens.flatMap((token) => [post('findLink', { token }), post('choosePassword', { token, password: WORDS })]),
    )
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      expect(answer.json).toEqual(answers[0]?.json)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
    expect(answers[0]?.json).toMatchObject({
      code: 'not_found',
      detail: expect.stringMatching(/not in force.*spoor user reset-link/),
    })
    expect((await post('findLink', { token: newest.link.token })).status).toBe(200)
  })

  test('sent twice at once: one is saved, the other gets the error that the link is used', async () => {
    const { token } = await addPerson()
    const both = await Promise.all(
      [WORDS, 'other words, also enough'].map((password) => post('choosePassword', { token, password })),
    )
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 404])
  })

  test.each<[string, unknown, number, RegExp]>([
    ['a short password', { password: 'short' }, 400, /has 5 characters; choose one of 12 to 200/],
    ['no password', {}, 400, /password: 12 to 200 characters/],
    ['a number for a password', { password: 123_456_789_012 }, 400, /password must be a string/],
    ['another address', { password: WORDS, email: 'eve@example.com' }, 400, /leave the e-mail address out/],
    ['no JSON', 'token=x', 400, /not JSON/],
    ['an array', [], 400, /must be/],
    ['70,000 characters', { password: 'a'.repeat(70_000) }, 400, /longer than 65536 bytes/],
  ])('%s is a problem that says what to do, and leaves the link in force', async (_name, body, status, detail) => {
    const { token } = await addPerson()
    const sent = typeof body === 'string' || Array.isArray(body) ? body : { token, ...(body as object) }
    const answer = await post('choosePassword', sent)
    expect(answer).toMatchObject({ status, json: { detail: expect.stringMatching(detail) } })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect((await post('findLink', { token })).status).toBe(200)
  })

  test('an address that another person has is a conflict', async () => {
    const { email } = await addPerson()
    const { link } = await resetLink(operator(), operator().user_id)
    const asked = { token: link.token, password: WORDS }
    expect((await post('findLink', { token: link.token })).json).toMatchObject({ email: null })
    expect(await post('choosePassword', asked)).toMatchObject({
      status: 400,
      json: { detail: expect.stringMatching(/e-mail/) },
    })
    expect((await post('choosePassword', { ...asked, email })).status).toBe(409)
    const saved = await post('choosePassword', { ...asked, email: 'Root@Example.com' })
    expect(saved).toMatchObject({ status: 200, json: { email: 'root@example.com' } })
  })

  test('another content type is 400', async () => {
    const { token } = await addPerson()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post('choosePassword', { token, password: WORDS }, form)).status).toBe(400)
  })
})

describe('only a page of this service is listened to', () => {
  test.each<[string, () => Record<string, string | null>, number]>([
    ['its own page', () => ({}), 200],
    ['a browser that does not say where a request comes from', () => ({ 'sec-fetch-site': null }), 200],
    ['another site', () => ({ origin: 'https://evil.example' }), 403],
    [
      'another site, by a browser that does not say so',
      () => ({ origin: 'https://evil.example', 'sec-fetch-site': null }),
      403,
    ],
    ['another port of this machine', () => ({ origin: 'http://127.0.0.1:1' }), 403],
    ['a subdomain', () => ({ 'sec-fetch-site': 'same-site' }), 403],
    ['a page of another site, reported by the browser', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['an address that was typed in', () => ({ 'sec-fetch-site': 'none' }), 403],
    ['a sandboxed page', () => ({ origin: 'null' }), 403],
    ['no origin, by a browser that says it is our own page', () => ({ origin: null }), 200],
    ['no origin at all', () => ({ origin: null, 'sec-fetch-site': null }), 403],
    ['another host', () => ({ host: 'spoor.example.com' }), 400],
    ['an origin that is no URL', () => ({ origin: host }), 403],
  ])('%s', async (_name, headers, status) => {
    const { token } = await addPerson()
    const answer = await post('findLink', { token }, headers())
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.json).toMatchObject({ code: 'foreign_origin' })
  })

  test('with a public URL, that origin alone', async () => {
    const config = { ...installation.config, public_url: 'https://spoor.example.com' }
    const app = buildHttpSurfaces({ ...installation, config }, await installation.crawlers(), {
      log: pino({ level: 'silent' }),
      support_email: null,
    })
    const { token } = await addPerson()
    const ask = async (origin: string) => {
      const headers = { origin, host: 'spoor.example.com', 'content-type': 'application/json' }
      const answer = await app.inject({ method: 'POST', url: '/dashboard-api/findLink', headers, payload: { token } })
      return answer.statusCode
    }
    expect(await ask('https://spoor.example.com')).toBe(200)
    for (const origin of [
      'http://spoor.example.com',
      'https://evil.example',
      'http://localhost',
      'http://localhost:80',
    ]) {
      expect([origin, await ask(origin)]).toEqual([origin, 403])
    }
    await app.close()
  })
})

describe('attempts are limited per client', () => {
  test('20 in 15 minutes, then 429 with Retry-After; another client behind the same proxy is not affected', async () => {
    const from = (client: string) => post('findLink', { token: RANDOM }, { 'x-forwarded-for': client })
    const statuses = []
    for (let attempt = 0; attempt < 20; attempt += 1) statuses.push((await from('203.0.113.9')).status)
    expect(new Set(statuses)).toEqual(new Set([404]))
    clock.advance(5 * MINUTE_MS)
    const refused = await from('203.0.113.9')
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
    expect(refused.headers['retry-after']).toBe('600')
    // What the client itself wrote before the proxy's entry changes nothing.
    expect((await from('198.51.100.7, 203.0.113.9')).status).toBe(429)
    expect((await from('203.0.113.10')).status).toBe(404)
    clock.advance(10 * MINUTE_MS)
    expect((await from('203.0.113.9')).status).toBe(404)
  })

  test('a valid link is refused too while its sender has to wait, and stays in force', async () => {
    const { token } = await addPerson()
    const from = { 'x-forwarded-for': '2001:db8::1' }
    for (let attempt = 0; attempt < 20; attempt += 1) await post('findLink', { token: RANDOM }, from)
    const neighbour = { 'x-forwarded-for': '2001:db8::ffff' }
    expect((await post('choosePassword', { token, password: WORDS }, neighbour)).status).toBe(429)
    expect((await post('choosePassword', { token, password: WORDS })).status).toBe(200)
  })
})

test('the log holds no link, no password, no e-mail address and no client address', async () => {
  const before = log.length
  const { email, token } = await addPerson()
  const from = { 'x-forwarded-for': '203.0.113.77' }
  await post('findLink', { token }, from)
  await post('choosePassword', { token, password: WORDS }, from)
  await post('choosePassword', { token, password: WORDS }, from)
  const logged = log.slice(before).join('')
  expect(logged).toContain('"status":404')
  for (const secret of [token, WORDS, email, '203.0.113.77', '127.0.0.1']) expect(logged).not.toContain(secret)
})
