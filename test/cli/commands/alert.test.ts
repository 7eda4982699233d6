import { readFileSync, statSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { webhookStandIn } from '../../support/alerts.ts'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'
import { type ReceivedMail, readMail, smtpStandIn } from '../../support/smtp.ts'

describe('receivers of alerts on the command line (rules 7, 8.6)', () => {
  test('are added, tried, given a new secret, listed with their deliveries and removed through a running server', async () => {
    const { data, file } = await preparedFolder()
    const standIn = await webhookStandIn()
    const { origin, port } = new URL(standIn.url)
    const env = { SPOOR_ALLOW_NETWORKS: '127.0.0.0/8', SPOOR_ALLOW_PORTS: port }
    const server = await serve(data, [], { env })
    const spoor = (...args: string[]) => run(['alert', ...args, '--data', data])
    await runJson(['site', 'add', 'example.com', '--data', data])

    expect((await spoor('list', 'example.com')).stdout).toBe(
      'No receivers yet. Add one: npx spoor alert add SITE --webhook URL\n',
    )
    expect(await spoor('add', 'example.com')).toMatchObject({ code: 2, stderr: /a webhook or an e-mail/ })
    expect(await spoor('add', 'example.com', '--webhook', 'http://10.0.0.1/')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not public'),
    })
    expect(await spoor('add', 'example.com', '--webhook', standIn.url, '--event', 'issue.closed')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('issue.opened'),
    })
    expect(await spoor('add', 'example.com', '--webhook', standIn.url, '--event', 'issue.digest')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('add one, such as issue.opened'),
    })
    expect(await spoor('add', 'example.com', '--email', 'ada@example.org')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SPOOR_SMTP_URL'),
    })
    const added = await spoor('add', 'example.com', '--webhook', standIn.url)
    const secret = added.stdout.trim()
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(added.stderr).toContain('shown only now')

    expect(await spoor('test', 'example.com', origin)).toMatchObject({
      code: 0,
      stdout: `${origin} accepted the test alert (204).\n`,
    })
    const [trial] = standIn.received
    expect(new Webhook(secret).verify(String(trial?.body), trial?.headers as Record<string, string>)).toMatchObject({
      type: 'alert.test',
      data: { root_domain: 'example.com' },
    })
    standIn.answer = (response) => response.writeHead(410).end()
    expect(await spoor('test', 'example.com', origin)).toMatchObject({ code: 1, stderr: /http_410/ })
    expect((await spoor('list', 'example.com')).stdout).toMatch(
      /webhook {2}http:\/\/127\.0\.0\.1:\d+ +off since \S+ \(gone\)/,
    )
    standIn.answer = (response) => response.writeHead(200).end()
    expect((await spoor('test', 'example.com', origin)).code).toBe(0)
    expect((await spoor('list', 'example.com')).stdout).toMatch(/ active /)

    const rotated = await spoor('rotate', 'example.com', origin, '--secret-file', file('secret'))
    expect(rotated.stdout).toMatch(/^The new signing secret of http.* the previous one also signs until \d{4}-/)
    const next = readFileSync(file('secret'), 'utf8').trim()
    expect(statSync(file('secret')).mode & 0o777).toBe(0o600)
    await spoor('test', 'example.com', origin)
    const last = standIn.received.at(-1)
    for (const known of [secret, next])
      new Webhook(known).verify(String(last?.body), last?.headers as Record<string, string>)

    const log = await spoor('delivery', 'list', 'example.com', '--limit', '2')
    expect(log.stdout.split('\n')).toHaveLength(4)
    expect(log.stdout).toMatch(/alert\.test +http:\S+ +delivered +1 +200/)
    expect(await spoor('remove', 'example.com', origin)).toMatchObject({ code: 0, stdout: `Removed ${origin}\n` })
    expect(await spoor('test', 'example.com', origin)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npx spoor alert list SITE'),
    })
    for (const hidden of [secret, next, 'secret-part']) expect(server.stderr() + server.stdout()).not.toContain(hidden)
  })

  test('e-mail is sent once the holder of the address agreed on the page of its link', async () => {
    const { data } = await preparedFolder()
    const mails: ReceivedMail[] = []
    const { url } = await smtpStandIn(mails)
    const env = { SPOOR_SMTP_URL: url, SPOOR_SMTP_FROM: 'spoor@example.net' }
    const server = await serve(data, [], { env })
    const spoor = (...args: string[]) => run(['alert', ...args, '--data', data])
    await runJson(['site', 'add', 'example.com', '--data', data])

    const added = await spoor('add', 'example.com', '--email', 'ada@example.org', '--event', 'source.silent')
    expect(added.stdout).toMatch(
      /^Sent a confirmation e-mail to ada@example\.org \(\S+\); alerts are sent once the recipient confirms\.\n$/,
    )
    expect(await spoor('test', 'example.com', 'ada@example.org')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has not agreed'),
    })
    const [, path = ''] = /(\/alerts\/confirm\/[\w-]{43})/.exec(readMail(mails[0] ?? expect.fail()).plain) ?? []
    expect((await fetch(server.url + path, { method: 'POST' })).status).toBe(200)
    expect((await spoor('test', 'example.com', 'ada@example.org')).stdout).toBe(
      'ada@example.org accepted the test alert (250).\n',
    )
    expect(readMail(mails[1] ?? expect.fail()).header('subject')).toBe('example.com: test alert')
    expect(await spoor('rotate', 'example.com', 'ada@example.org')).toMatchObject({ code: 1, stderr: /only webhooks/ })
    expect((await spoor('list', 'example.com')).stdout).toMatch(/ada@example\.org +active .* source\.silent /)
  })
})
