import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { managementOperations } from '#contract/management-api/index.ts'
import { history } from '#demo/history.ts'
import { preparedFolder, run, runJson, type Serving, serve, workFolder } from '../support/cli.ts'

const version = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

const COMMANDS = [
  'serve',
  'site',
  'site add',
  'site list',
  'site remove',
  'key',
  'key create',
  'key list',
  'key revoke',
  'user',
  'user add',
  'user list',
  'user reset-link',
  'user remove',
  'member',
  'member add',
  'member list',
  'member set-role',
  'member remove',
  'account',
  'account show',
  'account suspend',
  'account activate',
  'import',
  'report',
  'doctor',
]
const NOUNS = COMMANDS.filter((command) => COMMANDS.some((other) => other.startsWith(`${command} `)))

describe('usage (decisions 1)', () => {
  test('every command explains itself on standard output with --help', async () => {
    const answers = [await run(['--help'])]
    for (const command of COMMANDS) answers.push(await run([...command.split(' '), '--help']))
    for (const [index, answer] of answers.entries()) {
      expect(answer, COMMANDS[index - 1]).toMatchObject({ code: 0, stderr: '' })
      expect(answer.stdout).toMatch(/^Usage: npx spoor/m)
      expect(answer.stdout).toMatch(/^ {2}npx spoor [a-z]/m)
    }
    const leaves = answers.filter((answer) => answer.stdout.includes('--json'))
    expect(leaves).toHaveLength(COMMANDS.length - NOUNS.length)
    for (const { stdout } of leaves) expect(stdout).toContain('--data <dir>')
  })

  test.each(['', 'brand'])('%s --help describes its help command in the same words', async (group) => {
    const { stdout } = await run([...group.split(' ').filter(Boolean), '--help'])
    expect(stdout).toMatch(/help \[command\] +show the help of a command/)
  })

  test('--help says which options must be given', async () => {
    const { stdout } = await run(['token', 'create', '--help'])
    expect(stdout.match(/--\w+(?=[^-]*\(required\))/g)).toEqual(['--name', '--scope'])
  })

  test('every management operation has a command, which its id names', async () => {
    const elsewhere: Record<string, string> = { 'page.unseen': 'funnel show', 'registry.fetch': 'registry update' }
    for (const { id } of managementOperations) {
      if (id.startsWith('report.')) elsewhere[id] = 'report'
      const dotted = id.replaceAll('.', ' ')
      const names = [elsewhere[id] ?? dotted, dotted.replaceAll('_', ' '), dotted.replaceAll('_', '-')]
      const answers = await Promise.all(names.map((name) => run([...name.split(' '), '--help'])))
      const usages = answers.map(({ stdout }) => /^Usage: npx spoor (.*) \[options\]/.exec(stdout)?.[1])
      expect(
        names.some((name, index) => usages[index] === name),
        id,
      ).toBe(true)
    }
  })

  test.each(['--version', '-v'])('%s prints the version of the package', async (option) => {
    expect(await run([option])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([
    [[], /Usage: npx spoor/],
    [['site'], /Usage: npx spoor site/],
    [['frobnicate'], /unknown command 'frobnicate'/],
    [['site', 'frobnicate'], /unknown command 'frobnicate'/],
    [['site', 'list', '--frobnicate'], /unknown option '--frobnicate'/],
    [['import', 'example.com', 'a.log', '--timezone', '--data', 'd'], /'--timezone <zone>' .*: '--data' is an option/],
    [['import', 'a.log', '--site', '--data=d'], /'--site <site>' .*: '--data=d' is an option/],
    [['site', 'list', '--data', '--json'], /'--data <dir>' argument missing: '--json' is an option/],
    [['site', 'list', '--data', '--help'], /'--data <dir>' argument missing: '--help' is an option/],
    [['site', 'list', 'surplus'], /too many arguments/],
    [['site', 'add'], /missing required argument 'domain'/],
    [['import', 'access.log'], /missing required argument 'file'/],
    [['import', '--site', 'example.com'], /missing required argument 'file'/],
    [['key', 'create'], /'--name <name>' not specified/],
    [['key', 'create', '--nam', 'reports'], /unknown option '--nam'\n\(Did you mean --name\?\)/],
    [['user', 'add'], /missing required argument 'email'/],
    [
      ['member', 'add', '--site', 'a.example', '--user', 'a@a.example', '--role', 'king'],
      /choices are owner, editor, viewer/,
    ],
    [['member', 'set-role', '--site', 'a.example', '--user', 'a@a.example'], /'--role <role>' not specified/],
    [['frob\u001b[31m\u009bnicate'], /unknown command 'frob\ufffd\[31m\ufffdnicate'\n/],
    [['site', 'retention', 'a.example', '9999999'], /Give a whole number, 1 to 36500\./],
    [['site', 'privacy-floor', 'a.example', '12345678'], /Give a whole number, 0 to 1000000\./],
    [['brand', 'retention', 'b', '36500'], /Give a whole number, 1 to 3650\./],
    [['serve', '--port', '65536'], /Give a port, 0 to 65535/],
    [['serve', '--port', '8e3'], /Give a port, 0 to 65535/],
    [['serve', '--clock', '2015-05-20'], /Give an instant that exists, with its zone/],
    [['serve', '--clock', '2015-13-20T00:00:00Z'], /Give an instant that exists, with its zone/],
  ])('spoor %j is bad usage: exit 2, the reason on standard error', async (args, reason) => {
    const ended = await run(args)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(reason)
    expect(ended.stderr).not.toMatch(/\n {4}at /)
  })

  test.each([
    [['site', 'list', '--frobnicate', '--json'], "unknown option '--frobnicate'"],
    [['site', 'add', '--json'], "missing required argument 'domain'"],
    [['site', '--json'], expect.stringMatching(/./)],
  ])('spoor %j says so as JSON', async (args, message) => {
    const ended = await run(args)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(JSON.parse(ended.stderr)).toEqual({ error: { kind: 'bad_usage', message } })
  })

  test('with --json every failure is one line of JSON; of several files each is named', async () => {
    const { data, file } = await preparedFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    writeFileSync(file('good.log'), history().on('2026-03-07').humans().text())
    writeFileSync(file('bad.log'), 'nothing of a log\n')
    writeFileSync(file('none.log'), '')
    const files = [file('bad.log'), file('good.log'), file('none.log')]
    const ended = await run(['import', ...files, '--site', 'example.com', '--data', data, '--json'])
    expect(ended.code).toBe(1)
    expect(JSON.parse(ended.stdout)).toMatchObject({ files: 1 })
    const reported = ended.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(reported).toEqual([
      { error: { kind: 'not_readable', message: expect.any(String), file: file('bad.log') } },
      { notice: { kind: 'empty_log', message: expect.stringMatching(/is empty/), file: file('none.log') } },
      {
        error: {
          kind: 'not_readable',
          message: expect.stringMatching(/^1 of 3 files was not imported/),
          data_folder: data,
        },
      },
    ])
    const refused = await run(['key', 'revoke', 'none', '--data', data, '--json'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(refused.stderr)).toEqual({
      error: { kind: 'not_found', message: expect.any(String), data_folder: data },
    })
    writeFileSync(join(data, 'control.sqlite'), 'no database'.repeat(1_000))
    const broken = await run(['site', 'list', '--data', data, '--json'])
    expect(broken).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(broken.stderr)).toEqual({
      error: { kind: expect.any(String), message: expect.any(String), data_folder: data },
    })
  })

  test('a bad environment variable is named and changes nothing', async () => {
    const { data } = workFolder()
    const ended = await run(['site', 'list', '--data', data], { env: { SPOOR_PORT: 'eighty' } })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^spoor: .*SPOOR_PORT.*"eighty".*0 to 65535\n$/)
    expect(existsSync(data)).toBe(false)
  })
})

/** Every command, once as text and once as JSON; the same whether a server runs on the folder or not. */
async function walkAllCommands(data: string, log: string, server: Serving | null): Promise<void> {
  const here = ['--data', data]
  const text = async (...args: string[]) => {
    const ended = await run([...args, ...here])
    expect(ended.code, ended.stderr).toBe(0)
    return ended
  }
  const refused = async (...args: string[]) => {
    const ended = await run([...args, ...here])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^spoor: [^\n]+\n$/)
    return ended.stderr
  }
  const status = async (key: string) => server && (await server.get('/v1/sites', key)).status

  expect((await text('site', 'list')).stdout).toBe('No sites yet. Add one: npx spoor site add example.com\n')
  expect((await text('key', 'list')).stdout).toMatch(/^No keys yet\./)
  expect(await refused('key', 'create', '--name', 'too early')).toMatch(/add a site first/)
  expect((await text('site', 'add', 'example.com')).stdout).toMatch(/^Added example\.com, id [0-9a-f-]{36}\n$/)
  const added = await runJson(['site', 'add', 'https://www.Example.ORG/', ...here])
  expect(added).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), root_domain: 'example.org' })
  expect(await refused('site', 'add', 'example.com')).toMatch(/already has the site example\.com/)
  expect(await run(['site', 'add', '203.0.113.7', ...here])).toMatchObject({ code: 2, stdout: '' })
  expect((await text('site', 'list')).stdout).toMatch(/^DOMAIN +ID +ADDED\nexample\.com .*\nexample\.org .*\n$/)
  expect(await runJson(['site', 'list', ...here])).toMatchObject({
    sites: [{ root_domain: 'example.com' }, { id: added.id, root_domain: 'example.org' }],
  })

  const first = await text('key', 'create', '--name', 'first')
  expect(first.stdout).toMatch(/^spoor_site_\S+\n$/)
  expect(first.stderr).toMatch(/shown only now/)
  const secret = first.stdout.trim()
  const second = await runJson<{ id: string; secret: string; prefix: string }>([
    ...['key', 'create', '--name', 'second', '--site', 'example.org', '--site', 'example.com'],
    ...here,
  ])
  expect(second.secret.startsWith(second.prefix)).toBe(true)
  expect(await refused('key', 'create', '--name', 'third', '--site', 'example.net')).toMatch(/No site/)
  const keys = await run(['key', 'list', ...here])
  expect(keys.stdout).toContain(`example.org (${added.id})`)
  expect(keys.stdout).toMatch(/^NAME +PREFIX +ID +SEES +LAST USED +REVOKED\n/)
  expect(keys.stdout).not.toContain(secret)
  expect(await runJson(['key', 'list', ...here])).toMatchObject({
    keys: [
      { name: 'first', sites: null, revoked_at: null },
      {
        name: 'second',
        sites: expect.arrayContaining([{ id: added.id, root_domain: 'example.org' }]),
        revoked_at: null,
      },
    ],
  })
  if (server) expect([await status(secret), await status(second.secret)]).toEqual([200, 200])
  expect((await text('key', 'revoke', secret)).stdout).toMatch(/^Revoked first \(spoor_site_\S+\) at /)
  expect(await runJson(['key', 'revoke', second.id, ...here])).toMatchObject({ name: 'second' })
  expect(await refused('key', 'revoke', 'spoor_site_none')).toMatch(/key list shows both/)
  if (server) expect([await status(secret), await status(second.secret)]).toEqual([401, 401])

  expect((await text('import', log, '--site', 'example.com')).stdout).toMatch(/\n +4 {2}stored /)
  expect(await runJson(['import', log, '--site', 'EXAMPLE.com', ...here])).toMatchObject({ stored: 0, duplicates: 4 })
  expect(await refused('import', log, '--site', 'example.net')).toMatch(/No site/)
  expect(await refused('site', 'remove', 'example.com')).toMatch(/removes example\.com .*Nothing was changed.*--yes/)
  expect(await refused('site', 'remove', 'example.net')).toMatch(/No site/)
  expect(await runJson(['site', 'list', ...here])).toMatchObject({ sites: [{}, {}] })
  expect((await text('site', 'remove', 'example.com', '--yes')).stdout).toMatch(/^Removed example\.com, id /)
  const remove = ['site', 'remove', 'example.org', ...here]
  const unsure = await run([...remove, '--json'])
  expect(unsure).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(unsure.stderr)).toEqual({
    error: {
      kind: 'invalid_input',
      message: expect.stringMatching(/repeat the command with --yes$/),
      data_folder: data,
    },
  })
  expect(await runJson([...remove, '--yes'])).toMatchObject({ root_domain: 'example.org' })
  expect(await refused('site', 'remove', 'example.org', '--yes')).toMatch(/No site/)
}

describe('every command, as text and with --json', () => {
  test('works without a server', async () => {
    const { data, file } = await preparedFolder()
    writeFileSync(file('access.log'), history().on('2026-03-07').humans().crawler('gptbot').requests(4).text())
    await walkAllCommands(data, file('access.log'), null)
  })

  test('works through the running server, where keys live and die with the very next request', async () => {
    const { data, file } = await preparedFolder()
    writeFileSync(file('access.log'), history().on('2026-03-07').humans().crawler('gptbot').requests(4).text())
    const server = await serve(data)
    await walkAllCommands(data, file('access.log'), server)
    expect(server.hasEnded()).toBe(false)
  })
})

describe('spoor key create --secret-file', () => {
  test('keeps the secret in a new file of mode 0600 and prints it nowhere', async () => {
    const { data, file } = await preparedFolder()
    await run(['site', 'add', 'example.com', '--data', data])
    const made = await run(['key', 'create', '--name', 'a', '--secret-file', file('secret'), '--data', data])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const secret = readFileSync(file('secret'), 'utf8').trim()
    expect(secret).toMatch(/^spoor_site_/)
    expect(made.stdout).not.toContain(secret)
    expect(statSync(file('secret')).mode & 0o777).toBe(0o600)
    const reported = await runJson(['key', 'create', '--name', 'b', '--secret-file', file('other'), '--data', data])
    expect(Object.keys(reported)).toEqual(['id', 'prefix', 'secret_file'])
  })

  test('refuses a file that exists, does not change it, and makes no key', async () => {
    const { data, file } = await preparedFolder()
    await run(['site', 'add', 'example.com', '--data', data])
    writeFileSync(file('secret'), 'mine')
    const ended = await run(['key', 'create', '--name', 'a', '--secret-file', file('secret'), '--data', data])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/no key was created: name a new file/)
    expect(readFileSync(file('secret'), 'utf8')).toBe('mine')
    expect(await runJson(['key', 'list', '--data', data])).toEqual({ keys: [] })
  })

  test('leaves no file behind when the key is refused', async () => {
    const { data, file } = await preparedFolder()
    const ended = await run(['key', 'create', '--name', 'a', '--secret-file', file('secret'), '--data', data])
    expect(ended.code).toBe(1)
    expect(existsSync(file('secret'))).toBe(false)
  })
})

describe('the data folder', () => {
  test('is made with mode 0700', async () => {
    const { data } = workFolder()
    await run(['site', 'add', 'example.com', '--data', data])
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect(statSync(join(data, 'control.sqlite')).mode & 0o777).toBe(0o600)
  })

  test('that is there keeps being private; one with other things in it keeps its mode', async () => {
    const { folder, data } = workFolder()
    mkdirSync(data, { mode: 0o755 })
    await run(['site', 'add', 'example.com', '--data', data])
    expect(statSync(data).mode & 0o777).toBe(0o700)
    chmodSync(data, 0o755)
    await run(['site', 'add', 'example.com', '--data', data])
    expect(statSync(data).mode & 0o777).toBe(0o700)
    const shared = join(folder, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o755)
    writeFileSync(join(shared, 'other'), '')
    await (await serve(shared)).stop()
    expect(statSync(shared).mode & 0o777).toBe(0o755)
    expect(statSync(join(shared, 'control.sqlite')).mode & 0o777).toBe(0o600)
  })

  test('below others that are missing makes those too', async () => {
    const { folder } = workFolder()
    const data = join(folder, 'a', 'b', 'c')
    expect(await run(['site', 'add', 'example.com', '--data', data])).toMatchObject({ code: 0 })
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
  })

  test.skipIf(!existsSync('/proc/self'))('that cannot be made is refused at once', async () => {
    for (const data of ['/proc/spoor', '/proc/spoor/data']) {
      const ended = await run(['site', 'add', 'example.com', '--data', data])
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toMatch(/^spoor: The data folder .* cannot be used .*--data\.\n$/)
    }
  })

  test('that is a file is refused with what to do', async () => {
    const { file } = workFolder()
    writeFileSync(file('data'), '')
    const ended = await run(['site', 'list', '--data', file('data')])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(
      /^spoor: .* is a file, and the data folder must be a folder\. Name a folder with --data/,
    )
  })

  test('whose path is too long for a socket is refused before anything is made', async () => {
    const { folder } = workFolder()
    const parent = join(folder, 'd'.repeat(120))
    mkdirSync(parent)
    const data = join(parent, 'data')
    for (const args of [['site', 'list'], ['serve']]) {
      const ended = await run([...args, '--data', data])
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toMatch(/^spoor: .*too long for a Unix socket.*shorter --data/)
    }
    expect(existsSync(data)).toBe(false)
  })
})
