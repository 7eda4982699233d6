/** Over https the session is in a cookie that no other host and no plain page can set (decisions 2). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameUser, openBrowser, PASSWORD } from '../../../support/person.ts'
import { openTestService, type TestService } from '../../../support/service.ts'

const PUBLIC_URL = 'https://spoor.example'
const OURS = { host: 'spoor.example', origin: PUBLIC_URL }

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z', undefined, { public_url: PUBLIC_URL })
  await nameUser(service, service.installation.operator.user_id, 'owner@example.com')
})
afterAll(() => service.close())

const signIn = (browser: ReturnType<typeof openBrowser>) =>
  browser.change('signIn', { email: 'owner@example.com', password: PASSWORD }, OURS)

test('the cookie is secure, of this host alone, and not for scripts', async () => {
  const browser = openBrowser(service)
  const { status, headers } = await signIn(browser)
  expect(status).toBe(200)
  expect(headers['set-cookie']).toMatch(
    /^__Host-spoor_session=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect((await browser.read('getSession', {}, OURS)).status).toBe(200)
})

test('the same secret under the plain name, which any page of the host may set, opens nothing', async () => {
  const browser = openBrowser(service)
  await signIn(browser)
  const secret = String(browser.cookie).split('=')[1]
  expect(await browser.read('getSession', {}, { ...OURS, cookie: `spoor_session=${secret}` })).toMatchObject({
    status: 401,
    json: { code: 'signed_out' },
  })
})

test('signing out makes the browser delete it, with the same attributes', async () => {
  const browser = openBrowser(service)
  await signIn(browser)
  const { headers } = await browser.change('signOut', {}, OURS)
  expect(headers['set-cookie']).toBe('__Host-spoor_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure')
})

test('another address is not known, and the loopback names are not ours', async () => {
  const browser = openBrowser(service)
  expect((await browser.read('getSession')).json.code).toBe('foreign_host')
  expect((await browser.read('getSession', {}, { host: 'other.example' })).json.code).toBe('foreign_host')
})
