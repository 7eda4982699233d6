import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { history } from '#demo/history.ts'
import { run, runJson, type Serving, serve, start, workFolder } from '../../support/cli.ts'
import { createDatabase, startPostgres, type TestDatabase } from '../../support/postgres.ts'

// Each of these starts a service or two and a dozen commands.
vi.setConfig({ testTimeout: 90_000 })

const CLOCK = ['--clock', '2026-03-08T12:00:00Z']
const LOG = history().on('2026-03-06').people().crawler('gptbot').requests(5).on('2026-03-07').people().text()

let database: TestDatabase
let env: Record<string, string>
beforeEach(async () => {
  database = await createDatabase()
  env = { SPOOR_DATABASE_URL: database.url }
})
afterEach(() => database.drop())

/** A folder with the log, the commands on it, and a server when asked for. */
function openWork() {
  const { data, file } = workFolder()
  writeFileSync(file('a.log'), LOG)
  return {
    data,
    serve: (bare = false) => serve(data, CLOCK, { env, bare }),
    json: (...args: string[]) => runJson([...args, '--data', data], { env }),
    run: (...args: string[]) => run([...args, '--data', data], { env }),
    importing: ['import', '--site', 'example.com', file('a.log')],
  }
}

const counted = async (server: Serving, key: string) => {
  const { status, body } = await server.get('/v1/sites/example.com/crawlers?window=3d&purpose=training', key)
  expect(status).toBe(200)
  return body.crawlers
}

test('the control store is PostgreSQL alone, and what was imported outlives a restart; the password is nowhere', async () => {
  const work = openWork()
  const server = await work.serve()
  await work.json('site', 'add', 'example.com')
  const { secret } = await work.json('key', 'create', '--name', 'reading')
  expect(await work.json(...work.importing)).toMatchObject({ stored: 5, duplicates: 0 })
  const before = await counted(server, String(secret))
  expect(before).toMatchObject([{ crawler_id: 'gptbot', observed_request_count: 5 }])
  server.process.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
  const again = await work.serve()
  expect(await counted(again, String(secret))).toEqual(before)
  expect(await work.json(...work.importing)).toMatchObject({ stored: 0, duplicates: 5 })
  expect(existsSync(join(work.data, 'control.sqlite'))).toBe(false)
  expect(await database.execute('SELECT root_domain FROM sites')).toEqual([{ root_domain: 'example.com' }])
  const { password } = new URL(database.url)
  for (const said of [server, again].map((one) => one.stdout() + one.stderr())) {
    for (const word of [password, decodeURIComponent(password)]) expect(said).not.toContain(word)
  }
})

test('two processes share accounts, sites and keys at once; evidence stays with the one that has it', async () => {
  const [one, other] = [openWork(), openWork()]
  const server = await one.serve()
  await other.json('site', 'add', 'example.com')
  const twice = await one.run('site', 'add', 'example.com')
  expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('already has the site example.com') })
  const { secret, id } = await other.json('key', 'create', '--name', 'elsewhere')
  await one.json(...one.importing)
  expect(await counted(server, String(secret))).toMatchObject([{ observed_request_count: 5 }])
  for (const args of [other.importing, ['serve', '--port', '0']]) {
    const refused = await other.run(...args)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/belongs to the evidence store .*--data/) })
    expect(refused.stderr).not.toMatch(/\n {4}at /)
  }
  const [ill, well] = await Promise.all([other, one].map((each) => each.run('doctor', '--json')))
  expect(ill).toMatchObject({ code: 1, stdout: expect.stringMatching(/"stores_apart"/) })
  expect(well).toMatchObject({ code: 0, stdout: expect.stringMatching(/"control_server"/) })
  expect(await counted(server, String(secret))).toMatchObject([{ observed_request_count: 5 }])
  await other.json('key', 'revoke', String(id))
  expect(await server.get('/v1/sites', String(secret))).toMatchObject({ status: 401 })
})

test('kill -9 in the middle of a transaction leaves nothing of it, and repeating the import completes it', async () => {
  const work = openWork()
  const server = await work.serve(true)
  await work.json('site', 'add', 'example.com')
  const { secret } = await work.json('key', 'create', '--name', 'reading')
  const blocker = new Client({ connectionString: database.url })
  await blocker.connect()
  await blocker.query('BEGIN; LOCK TABLE dirty_days IN EXCLUSIVE MODE')
  const importing = start([...work.importing, '--data', work.data], { env, input: '' })
  const waits =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'insert into \"dirty_days\"%'"
  while ((await database.execute(waits)).length === 0) await pause(20)
  server.process.kill('SIGKILL')
  await server.ended
  expect(await importing.ended).toMatchObject({ code: 1 })
  await blocker.query('ROLLBACK')
  await blocker.end()
  // The server notices a vanished client when it next writes to it; until then its transaction only holds the turn.
  const again = await work.serve()
  expect(await database.execute('SELECT id FROM sources UNION SELECT id FROM deliveries')).toEqual([])
  expect(await work.json(...work.importing)).toMatchObject({ stored: 5, duplicates: 0 })
  expect(await counted(again, String(secret))).toMatchObject([{ observed_request_count: 5 }])
})

test('a PostgreSQL that restarts fails what is asked meanwhile, loses nothing, and the service needs no restart', async () => {
  const postgres = await startPostgres()
  try {
    env = { SPOOR_DATABASE_URL: postgres.url }
    const work = openWork()
    const server = await work.serve()
    await work.json('site', 'add', 'example.com')
    const { secret } = await work.json('key', 'create', '--name', 'reading')
    await work.json(...work.importing)
    await postgres.stop()
    expect(await server.get('/readyz')).toMatchObject({ status: 503 })
    expect(await server.get('/healthz')).toMatchObject({ status: 200 })
    const path = '/v1/sites/example.com/crawlers?window=3d'
    expect(await server.get(path, String(secret))).toMatchObject({ status: 500 })
    expect(server.stderr()).toContain('the control store does not answer')
    const failed = await work.run(...work.importing)
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('control store does not answer') })
    await postgres.start()
    expect(await server.get('/readyz')).toMatchObject({ status: 200 })
    expect(await counted(server, String(secret))).toMatchObject([{ observed_request_count: 5 }])
    expect(await work.json(...work.importing)).toMatchObject({ stored: 0, duplicates: 5 })
    await postgres.stop()
    server.process.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
  } finally {
    await postgres.close()
  }
})
