/** The pages behind the links of e-mails, over the real HTTP stack. */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertReceiver, newEmailReceiver } from '#alerts/receivers.ts'
import { HOUR_MS } from '#clock.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'

const CONFIRM = 'c'.repeat(43)
const UNSUBSCRIBE = 'u'.repeat(43)
const id = '00000000-0000-4000-8000-000000000001'
const hash = (token: string) => createHash('sha256').update(token).digest('hex')
let service: TestService
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  const site = await service.addSite('example.com')
  const { installation, clock } = service
  const receiver = newEmailReceiver(
    installation,
    { id, site_id: site.id, email: "o'hara@example.org" },
    {
      confirm_sha256: hash(CONFIRM),
      confirm_until: clock.now() + HOUR_MS,
      unsubscribe: UNSUBSCRIBE,
      unsubscribe_sha256: hash(UNSUBSCRIBE),
    },
  )
  await installation.control.transaction((trx) => insertReceiver(trx, receiver))
})

const state = async () => {
  const row = await service.installation.control.db
    .selectFrom('alert_receivers')
    .select(['state', 'off_reason'])
    .executeTakeFirstOrThrow()
  return row.off_reason ?? row.state
}
const ask = (path: string, method: 'GET' | 'POST' | 'HEAD' | 'PUT' = 'GET', body?: string, headers = {}) =>
  service.ask(`/alerts/${path}`, { method, key: null, headers, ...(body === undefined ? {} : { body }) })

describe('the links of e-mails (rules 8.6)', () => {
  test('ask first and change nothing, then act on their button', async () => {
    const page = await ask(`confirm/${CONFIRM}`)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    expect(page.text).toContain('Send alerts about example.com to o&#39;hara@example.org?')
    expect(page.text).toContain('<form method="post"><button>Agree</button></form>')
    expect(await state()).toBe('unconfirmed')
    expect((await ask(`confirm/${CONFIRM}`, 'POST')).text).toContain('Alerts are sent to your address from now on.')
    expect(await state()).toBe('active')
    expect((await ask(`unsubscribe/${UNSUBSCRIBE}`)).text).toContain('End these e-mails')
    expect(await state()).toBe('active')
  })

  test('end the e-mails with the one request of a mail program (RFC 8058)', async () => {
    await ask(`confirm/${CONFIRM}`, 'POST')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const ended = await ask(`unsubscribe/${UNSUBSCRIBE}`, 'POST', 'List-Unsubscribe=One-Click', form)
    expect(ended.status).toBe(200)
    expect(await state()).toBe('unsubscribed')
    expect((await ask(`unsubscribe/${UNSUBSCRIBE}`, 'POST')).status).toBe(200)
    expect((await ask(`confirm/${CONFIRM}`, 'POST')).status).toBe(404)
  })

  test('that are expired, of the other kind, unknown or misshapen are one answer', async () => {
    service.clock.advance(HOUR_MS)
    const wrong = [
      `confirm/${CONFIRM}`,
      `confirm/${UNSUBSCRIBE}`,
      `unsubscribe/${CONFIRM}`,
      `unsubscribe/${'x'.repeat(43)}`,
    ]
    const answers = await Promise.all(
      [...wrong, 'confirm/x', 'unsubscribe/%00'].flatMap((path) => [ask(path), ask(path, 'POST')]),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await state()).toBe('unconfirmed')
  })

  test('have no other method', async () => {
    const answer = await ask(`confirm/${CONFIRM}`, 'PUT')
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})
