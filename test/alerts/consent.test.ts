/** E-mail over a real SMTP server on loopback, and the pages behind its links. */
import { randomUUID } from 'node:crypto'
import type { SMTPServerOptions } from 'smtp-server'
import { beforeEach, describe, expect, test } from 'vitest'
import { addEmail, confirmAddress, findByLink, unsubscribeAddress } from '#alerts/consent.ts'
import { openMailer } from '#alerts/mailer.ts'
import { findReceiver, removeReceiver } from '#alerts/receivers.ts'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { readSmtpUrl } from '#config/smtp-url.ts'
import { type AlertWorld, alertWorldOfFile, issueChange } from '../support/alerts.ts'
import { type ReceivedMail, readMail, smtpStandIn } from '../support/smtp.ts'

const freshWorld = alertWorldOfFile()

const ADDRESS = 'ada@example.org'
let world: AlertWorld
let mails: ReceivedMail[]
beforeEach(async () => {
  world = await freshWorld('2026-03-10T12:00:00Z')
  mails = []
  await useSmtp()
})

/** A server that keeps what it takes, and becomes the one that mails go through. */
async function useSmtp(options: SMTPServerOptions = {}, credentials = '', timeouts = {}): Promise<void> {
  const { url } = await smtpStandIn(mails, options, credentials)
  world.ctx.mailer = openMailer({ ...(readSmtpUrl(url) ?? expect.fail()), from: 'spoor@example.net' }, timeouts)
}

const add = (email = ADDRESS) => addEmail(world.ctx, { site: world.site, email })
const receiver = () => findReceiver(world.store.control.db, world.site.id, ADDRESS)

const mailOf = (at: number) => readMail(mails[at] ?? expect.fail())
const linkOf = (at: number, what: 'confirm' | 'unsubscribe') =>
  new RegExp(`https://spoor\\.example\\.com/alerts/${what}/([\\w-]{43})`).exec(mailOf(at).plain)?.[1] ?? expect.fail()

async function confirmed() {
  await add()
  expect(await confirmAddress(world.ctx, linkOf(0, 'confirm'))).toBe(true)
}

async function alertOf(number = 1) {
  await world.enqueue(issueChange(world.clock, 'opened', number))
  world.clock.advance(MINUTE_MS)
  await world.deliver()
}

describe('an e-mail address (rules 8.6)', () => {
  test('is used only once its holder agreed', async () => {
    expect(await add('  Ada@Example.ORG ')).toMatchObject({ kind: 'email', target: ADDRESS, state: 'unconfirmed' })
    expect(mails).toMatchObject([{ from: 'spoor@example.net', to: [ADDRESS] }])
    expect(mailOf(0).header('subject')).toBe('example.com: confirm 1 address for alerts')
    await alertOf(1)
    expect(mails).toHaveLength(1)
    const token = linkOf(0, 'confirm')
    expect(await findByLink(world.ctx, 'confirm', token)).toMatchObject({ target: ADDRESS, root_domain: 'example.com' })
    expect((await receiver()).state).toBe('unconfirmed')
    expect(await confirmAddress(world.ctx, token)).toBe(true)
    expect(await confirmAddress(world.ctx, token)).toBe(true)
    await alertOf(2)
    expect(mails[1]?.to).toEqual([ADDRESS])
    expect(await world.store.contents()).not.toContain(token)
  })

  test('is not confirmed by a link that is expired or was never issued', async () => {
    await add()
    world.clock.advance(48 * HOUR_MS)
    expect(await confirmAddress(world.ctx, linkOf(0, 'confirm'))).toBe(false)
    expect(await confirmAddress(world.ctx, 'x'.repeat(43))).toBe(false)
    expect((await receiver()).state).toBe('unconfirmed')
  })

  test('is asked again at the earliest after an hour, and then only the newest link counts', async () => {
    await add()
    await expect(add()).rejects.toMatchObject({ kind: 'conflict', message: /less than an hour/ })
    world.clock.advance(HOUR_MS)
    await add()
    expect(mails).toHaveLength(2)
    expect(await confirmAddress(world.ctx, linkOf(0, 'confirm'))).toBe(false)
    expect(await confirmAddress(world.ctx, linkOf(1, 'confirm'))).toBe(true)
    await expect(add()).rejects.toMatchObject({ kind: 'conflict', message: /already/ })
    expect(await world.store.control.db.selectFrom('alert_receivers').select('id').execute()).toHaveLength(1)
  })

  test('is not asked again within the hour because it was removed in between', async () => {
    await add()
    await removeReceiver(world.ctx, await receiver())
    world.clock.advance(HOUR_MS - 1)
    await expect(add()).rejects.toMatchObject({ kind: 'conflict', message: /less than an hour ago.* in 1 seconds/ })
    expect(mails).toHaveLength(1)
    world.clock.advance(1)
    await add()
    expect(mails).toHaveLength(2)
  })

  test('that cannot be sent a confirmation is not stored', async () => {
    await useSmtp({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
    })
    await expect(add()).rejects.toMatchObject({ kind: 'unreachable', message: /smtp_550/ })
    world.ctx.mailer = null
    await expect(add()).rejects.toMatchObject({ kind: 'unreachable', message: /SPOOR_SMTP_URL/ })
    await expect(add('no address')).rejects.toMatchObject({ kind: 'invalid_input' })
    expect(await world.store.control.db.selectFrom('alert_receivers').select('id').execute()).toEqual([])
  })

  test('that would exceed the 20 receivers of its site is not asked', async () => {
    const { db } = world.store.control
    await add()
    const first = await receiver()
    const others = Array.from({ length: 19 }, (_, index) => ({
      ...first,
      id: randomUUID(),
      target: `${index}@example.org`,
      confirm_sha256: null,
      unsubscribe_sha256: null,
    }))
    await db.insertInto('alert_receivers').values(others).execute()
    await expect(add('one.more@example.org')).rejects.toMatchObject({ kind: 'conflict', message: /20 receivers/ })
    expect(mails).toHaveLength(1)
    world.clock.advance(HOUR_MS)
    await add()
    expect(mails).toHaveLength(2)
  })

  test('gets no more after its holder unsubscribed, until they confirm again', async () => {
    await confirmed()
    await alertOf(1)
    const token = linkOf(1, 'unsubscribe')
    await world.enqueue(issueChange(world.clock, 'opened', 2))
    expect(await unsubscribeAddress(world.ctx, token)).toBe(true)
    expect(await unsubscribeAddress(world.ctx, token)).toBe(true)
    expect(await receiver()).toMatchObject({ state: 'off', off_reason: 'unsubscribed' })
    expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'failed'])
    expect(await confirmAddress(world.ctx, linkOf(0, 'confirm'))).toBe(false)
    await alertOf(3)
    expect(mails).toHaveLength(2)
    world.clock.advance(HOUR_MS)
    await add()
    expect(await confirmAddress(world.ctx, linkOf(2, 'confirm'))).toBe(true)
    await alertOf(4)
    expect(mails).toHaveLength(4)
  })
})

describe('an e-mail about an alert', () => {
  test('has text and HTML, a subject of numbers and the domain, and can be ended with one click', async () => {
    await confirmed()
    const path = '/<script>alert(1)</script>'
    await world.enqueue(issueChange(world.clock, 'opened', 1, { issue: { path, title: `503 on ${path}` } }))
    world.clock.advance(MINUTE_MS)
    await world.deliver()
    const { plain, header } = mailOf(1)
    expect(header('subject')).toBe('example.com: 1 issue opened')
    const token = linkOf(1, 'unsubscribe')
    expect(header('list-unsubscribe')).toBe(`<https://spoor.example.com/alerts/unsubscribe/${token}>`)
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(header('auto-submitted')).toBe('auto-generated')
    const [{ id } = expect.fail()] = await world.store.control.db.selectFrom('alerts').select('id').execute()
    expect(header('message-id')).toBe(`<${id}@spoor.example.com>`)
    expect(plain).toMatch(/content-type: text\/plain/i)
    expect(plain).toContain(`Path: ${path}`)
    const html = plain.slice(plain.search(/content-type: text\/html/i))
    expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
    expect(html).not.toMatch(/<script|<img|src=/i)
  })

  test('of many issues is one, with their number in the subject', async () => {
    await confirmed()
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1)
    await world.enqueue(...numbers.map((number) => issueChange(world.clock, 'opened', number)))
    world.clock.advance(MINUTE_MS)
    await world.deliver()
    expect(mails).toHaveLength(2)
    expect(mailOf(1).header('subject')).toBe('example.com: 12 issues opened')
    expect(mailOf(1).plain).toContain('/directory-12/page')
  })

  test('that the server refuses for good is given up, one that it puts off is repeated with the same id', async () => {
    await confirmed()
    let code = 550
    await useSmtp({
      onRcptTo: (_address, _session, done) =>
        code === 250 ? done() : done(Object.assign(new Error('no'), { responseCode: code })),
    })
    await alertOf(1)
    code = 451
    await alertOf(2)
    expect(await world.deliveries()).toMatchObject([
      { state: 'failed', attempts: 1, error_code: 'smtp_550', status: 550 },
      { state: 'waiting', attempts: 1, error_code: 'smtp_451', status: 451 },
    ])
    expect((await receiver()).failing_since).not.toBeNull()
    code = 250
    await world.deliverNext()
    expect(await world.deliveries()).toMatchObject([{}, { state: 'delivered', attempts: 2 }])
    expect((await receiver()).failing_since).toBeNull()
  })

  test('waits while the SMTP server is down, hangs or refuses the sign-in, which does not count against the address', async () => {
    await confirmed()
    world.ctx.mailer = openMailer({ host: '127.0.0.1', port: 1, secure: false, auth: null, from: 'spoor@example.net' })
    await alertOf(1)
    await useSmtp({ onConnect: () => {} }, '', { greetingTimeout: 500 })
    await world.deliverNext()
    const denying: SMTPServerOptions = {
      onAuth: (_auth, _session, done) => done(new Error('no')),
      authMethods: ['PLAIN'],
    }
    await useSmtp({ ...denying, allowInsecureAuth: true }, 'me:wrong@')
    await world.deliverNext()
    expect(await world.deliveries()).toMatchObject([{ state: 'waiting', error_code: 'smtp_auth', status: 535 }])
    world.ctx.mailer = null
    await world.deliverNext()
    expect(await world.deliveries()).toMatchObject([
      { state: 'waiting', attempts: 4, error_code: 'smtp_not_configured' },
    ])
    expect(await receiver()).toMatchObject({ failing_since: null, state: 'active' })
  })

  test('waits if the SMTP server refuses the sender, which does not count against the address', async () => {
    await confirmed()
    await useSmtp({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 553 })),
    })
    await alertOf(1)
    expect(await world.deliveries()).toMatchObject([{ state: 'waiting', error_code: 'smtp_sender', status: 553 }])
    expect(await receiver()).toMatchObject({ failing_since: null, state: 'active' })
  })

  test('is sent after a sign-in, with a percent-encoded password', async () => {
    await confirmed()
    await useSmtp(
      {
        allowInsecureAuth: true,
        onAuth: ({ username, password }, _session, done) =>
          password === 'p@ss/word' ? done(null, { user: username }) : done(new Error('no')),
      },
      'me:p%40ss%2Fword@',
    )
    await alertOf(1)
    expect(mails[1]).toMatchObject({ user: 'me' })
  })
})
