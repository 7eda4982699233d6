import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { history } from '#demo/history.ts'
import { openClient } from '../../../cli/folder/client.ts'
import { preparedFolder, run, runJson, serve, workFolder } from '../../support/cli.ts'

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/welcome#[\w-]{43}$/

describe('people on the command line', () => {
  test('through a running server, which obeys at once and logs no secret', async () => {
    const { data } = await preparedFolder()
    const server = await serve(data)
    const client = await openClient({ ...readConfig({}), data })
    const site = await client.run('site.add', { domain: 'example.com' })
    const added = await client.run('user.add', { email: 'Ada@Example.com', is_operator: false })
    expect(added).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      is_operator: false,
      account_role: 'member',
      created_at: expect.any(String),
      link: expect.stringMatching(LINK),
      link_expires_at: expect.any(String),
    })
    expect(added.link.startsWith(server.url)).toBe(true)
    const [operator] = (await client.run('user.list', {})).users
    expect(operator).toMatchObject({ email: null, is_operator: true, has_password: false, sites: 1 })
    const first = { site: site.id, user: String(operator?.id) }
    await expect(client.run('user.remove', first)).rejects.toThrow(/only operator/)

    const ada = { site: 'example.com', user: 'ada@example.com' }
    expect(await client.run('member.add', { ...ada, role: 'viewer' })).toEqual({
      site_id: site.id,
      root_domain: 'example.com',
      user_id: added.id,
      email: 'ada@example.com',
      role: 'viewer',
      created_at: expect.any(String),
    })
    const { secret } = await client.run('key.create', { name: 'reading', sites: [], user: 'ada@example.com' })
    const reads = async () => (await server.get('/v1/sites/example.com/performance', secret)).status
    expect(await reads()).toBe(200)
    expect(await client.run('member.set_role', { ...ada, role: 'owner' })).toMatchObject({ role: 'owner' })
    expect(await client.run('member.remove', first)).toMatchObject({ role: 'owner', revoked_key_ids: [] })
    await expect(client.run('member.remove', ada)).rejects.toThrow(/only owner of example\.com/)

    // The operator is a member no more, and steers the site all the same.
    expect(await client.run('account.suspend', {})).toMatchObject({ status: 'suspended' })
    expect(await reads()).toBe(401)
    const log = history().on('2026-03-07').humans().crawler('gptbot').requests(3).text()
    const imported = await run(['import', '-', '--site', 'example.com', '--json', '--data', data], { input: log })
    expect(JSON.parse(imported.stdout)).toMatchObject({ stored: 3 })
    expect(await client.run('account.activate', {})).toMatchObject({ status: 'active' })
    expect(await reads()).toBe(200)

    await client.run('member.add', { ...first, role: 'owner' })
    expect((await client.run('user.remove', { user: added.id })).revoked_key_ids).toHaveLength(1)
    expect(await reads()).toBe(401)
    expect(server.stderr()).not.toMatch(/welcome#|spoor_site_|ada@example/)
  })

  test('are added with their roles and keys without a server, on the data folder', async () => {
    const here = ['--data', (await preparedFolder()).data]
    await runJson(['site', 'add', 'example.com', ...here])
    const added = await run(['user', 'add', 'ada@example.com', '--operator', ...here])
    expect(added.stdout.trim()).toMatch(LINK)
    expect(added.stderr).toMatch(/^Added ada@example\.com\..*once, until .*\n.*shown only now/)
    const ada = ['--site', 'example.com', '--user', 'ada@example.com', '--role', 'editor']
    expect((await run(['member', 'add', ...ada, ...here])).stdout).toBe('ada@example.com is editor of example.com\n')
    const key = await run(['key', 'create', '--name', 'reading', '--user', 'ada@example.com', ...here])
    expect(key.stdout).toMatch(/^spoor_site_/)
    expect((await run(['member', 'list', '--site', 'example.com', ...here])).stdout).toMatch(
      /^E-MAIL +ID +ROLE +SINCE\n[\s\S]*\nada@example\.com .* editor /,
    )
    const { stdout } = await run(['account', 'show', ...here])
    expect(stdout).toMatch(/^status +active$[\s\S]*^users +2$/m)
    // In columns; the end of access is left out where it does not end.
    expect(stdout).not.toContain('null')
    const columns = stdout
      .trimEnd()
      .split('\n')
      .map((line) => /^\w+ +/.exec(line)?.[0].length)
    expect(new Set(columns).size).toBe(1)
  })

  test('the first start prints the link, a later one says how to get another until a password exists', async () => {
    const { data, file } = await preparedFolder()
    const first = await serve(data)
    const [, link = ''] = await first.says(/password, once and within 24 hours:\n(\S+)\n/)
    expect(link).toMatch(LINK)
    expect(link.startsWith(`${first.url}/welcome#`)).toBe(true)
    expect(first.stderr()).not.toContain(link.slice(-43))
    await first.stop()

    const second = await serve(data)
    await second.says(/No password is set yet\. .*: npx spoor user reset-link\n/)
    expect(second.stdout()).not.toContain('welcome#')
    const written = await run(['user', 'reset-link', '--secret-file', file('link'), '--data', data])
    expect(written).toMatchObject({ code: 0, stdout: expect.not.stringContaining('welcome#') })
    expect(statSync(file('link')).mode & 0o777).toBe(0o600)
    const token = readFileSync(file('link'), 'utf8').trim().slice(-43)
    const headers = { origin: second.url, 'content-type': 'application/json' }
    const choose = async (secret: string) => {
      const body = JSON.stringify({ token: secret, password: 'four words are enough', email: 'root@example.com' })
      return (await fetch(`${second.url}/dashboard-api/choosePassword`, { method: 'POST', headers, body })).status
    }
    expect(await choose(link.slice(-43))).toBe(404)
    expect(await choose(token)).toBe(200)
    await second.stop()

    const third = await serve(data)
    expect(third.stdout() + third.stderr()).not.toMatch(/password/)
  })

  test('a bad list of proxies is refused at the start by name', async () => {
    const { data } = workFolder()
    const ended = await run(['serve', '--data', data], {
      env: { SPOOR_TRUSTED_PROXIES: '10.0.0.0/8,proxy.example.com' },
    })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^spoor: .*SPOOR_TRUSTED_PROXIES.*"proxy\.example\.com" is not an address or network/)
  })
})
