/**
 * Commands at the same moment: all through one server on SQLite, and from two data folders on one PostgreSQL. The
 * server is a process of its own; the commands run side by side in this one, which brings them closer together than
 * processes that start.
 */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { preparedFolder, run, runJson } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { type RunningProcess, serveProcess } from '../support/processes.ts'
import type { Asking, Ended } from '../support/running.ts'

const CLOCK = ['--clock', '2026-03-08T12:00:00Z']
const succeeded = (all: readonly Ended[]) => all.filter(({ code }) => code === 0)
const refused = (all: readonly Ended[], words: RegExp) =>
  all.filter(({ code, stderr }) => code === 1 && words.test(stderr) && stderr.split('\n').length === 2)

describe.each(['SQLite', 'PostgreSQL'])('commands at the same moment on %s', (store) => {
  let database: TestDatabase | null
  let server: RunningProcess & Asking
  let env: Record<string, string>
  let folders: [string, string]
  let log: string
  beforeEach(async () => {
    const [one, other] = [await preparedFolder(), await preparedFolder()]
    database = store === 'PostgreSQL' ? await createDatabase() : null
    env = database === null ? {} : { SPOOR_DATABASE_URL: database.url }
    folders = [one.data, database === null ? one.data : other.data]
    log = one.file('a.log')
    writeFileSync(log, history().on('2026-03-07').humans().crawler('oai-searchbot').requests(400).text())
    server = await serveProcess(one.data, CLOCK, { env })
  })
  afterEach(async () => {
    server.process.kill('SIGKILL')
    await server.ended
    await database?.drop()
  })

  /** Every command at once, in turns from either folder. */
  const together = (...commands: string[][]) =>
    Promise.all(commands.map((args, index) => run([...args, '--data', folders[index % 2] as string], { env })))
  const json = <T>(...args: string[]) => runJson<T>([...args, '--data', folders[0]], { env })

  test('one site, one owner left, and no key for a removed site', async () => {
    const adds = await together(...Array.from({ length: 4 }, () => ['site', 'add', 'example.com']))
    expect(succeeded(adds)).toHaveLength(1)
    expect(refused(adds, /already has the site example\.com/)).toHaveLength(3)

    const people = await together(['user', 'add', 'a@example.com'], ['user', 'add', 'A@example.com'])
    expect([succeeded(people).length, refused(people, /a@example\.com/i).length]).toEqual([1, 1])
    await json('member', 'add', '--site', 'example.com', '--user', 'a@example.com', '--role', 'owner')
    const { members } = await json<{ members: { user_id: string }[] }>('member', 'list', '--site', 'example.com')
    const leaving = await together(
      ...members.map(({ user_id }) => [
        'member',
        'set-role',
        '--site',
        'example.com',
        '--user',
        user_id,
        '--role',
        'viewer',
      ]),
    )
    expect([succeeded(leaving).length, refused(leaving, /owner/).length]).toEqual([1, 1])

    const names = ['k1', 'k2', 'k3', 'k4']
    await json('site', 'add', 'example.org')
    const removed = ['site', 'remove', 'example.org', '--yes']
    const creating = names.map((name) => ['key', 'create', '--name', name, '--site', 'example.org', '--json'])
    const [gone, ...made] = await together(removed, ...creating)
    expect(gone).toMatchObject({ code: 0 })
    const secrets = succeeded(made).map(({ stdout }) => (JSON.parse(stdout) as { secret: string }).secret)
    expect(
      secrets.length + made.filter(({ code, stderr }) => code === 1 && /site_not_found|No site/.test(stderr)).length,
    ).toBe(4)
    for (const secret of secrets) expect((await server.get('/v1/sites', secret)).body).toEqual({ sites: [] })
    const { keys } = await json<{ keys: { sites: unknown[] }[] }>('key', 'list')
    expect(keys.map((key) => key.sites)).toEqual(secrets.map(() => []))
  })

  test('an import twice at once, and one whose site is removed in the meantime', async () => {
    await json('site', 'add', 'example.com')
    const { secret } = await json<{ secret: string }>('key', 'create', '--name', 'reading')
    const importing = () => run(['import', log, '--site', 'example.com', '--json', '--data', folders[0]], { env })
    const twice = await Promise.all([importing(), importing()])
    const receipts = twice.map(({ stdout }) => JSON.parse(stdout) as { stored: number; duplicates: number })
    expect(receipts.map(({ stored }) => stored).sort()).toEqual([0, 400])
    const path = '/v1/sites/example.com/performance?window=7d'
    expect(await server.get(path, secret)).toMatchObject({ status: 200, body: { observed_request_count: 400 } })

    const remove = ['site', 'remove', 'example.com', '--yes', '--data', folders[1]]
    const [late, gone] = await Promise.all([importing(), run(remove, { env })])
    expect(gone).toMatchObject({ code: 0 })
    if (late.code !== 0) expect(JSON.parse(late.stderr)).toMatchObject({ error: { kind: 'site_not_found' } })
    // The same domain begins anew, without a request of the one that is gone.
    await json('site', 'add', 'example.com')
    const { secret: next } = await json<{ secret: string }>('key', 'create', '--name', 'again')
    expect(await server.get(path, next)).toMatchObject({
      status: 200,
      body: { observed_request_count: null, meta: { coverage_state: 'unknown' } },
    })
  })
})
