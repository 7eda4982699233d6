import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { run, runJson, type Serving, serve, workFolder } from '../../support/cli.ts'
import { createDatabase, startPostgres, type TestDatabase } from '../../support/postgres.ts'

const CLOCK = ['--clock', '2026-03-08T12:00:00Z']
const LOG = history().on('2026-03-06').humans().crawler('gptbot').requests(5).on('2026-03-07').humans().text()

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
    serve: () => serve(data, CLOCK, { env }),
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

test('the control store is only in PostgreSQL, and imported logs survive a restart; the password is stored nowhere', async () => {
  const work = openWork()
  const server = await work.serve()
  await work.json('site', 'add', 'example.com')
  const { secret } = await work.json('key', 'create', '--name', 'reading')
  expect(await work.json(...work.importing)).toMatchObject({ stored: 5, duplicates: 0 })
  const before = await counted(server, String(secret))
  expect(before).toMatchObject([{ crawler_id: 'gptbot', observed_request_count: 5 }])
  expect(await server.stop()).toMatchObject({ code: 0 })
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

test('commands that need no evidence work in a folder of another machine; those that do are refused', async () => {
  const work = openWork()
  const server = await work.serve()
  await work.json('site', 'add', 'example.com')
  await work.json(...work.importing)
  expect(await server.stop()).toMatchObject({ code: 0 })
  const elsewhere = openWork()
  await elsewhere.json('site', 'add', 'example.org')
  expect(await elsewhere.json('site', 'list')).toMatchObject({
    sites: [{ root_domain: 'example.com' }, { root_domain: 'example.org' }],
  })
  expect(await elsewhere.json('key', 'list')).toEqual({ keys: [] })
  expect(await elsewhere.run('report', 'example.com')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/belongs to the evidence of another data folder, and .* holds none/),
  })
  expect(existsSync(join(elsewhere.data, 'evidence'))).toBe(false)
})

test('with the database of another data folder, no folder and no evidence is made', async () => {
  const work = openWork()
  const server = await work.serve()
  await work.json('site', 'add', 'example.com')
  expect(await server.stop()).toMatchObject({ code: 0 })
  const elsewhere = openWork()
  const refused = { code: 1, stderr: expect.stringMatching(/belongs to the evidence of another data folder/) }
  expect(await elsewhere.run('serve', '--port', '0')).toMatchObject(refused)
  expect(existsSync(elsewhere.data)).toBe(false)
  expect(await elsewhere.run(...elsewhere.importing)).toMatchObject(refused)
  expect(existsSync(join(elsewhere.data, 'evidence'))).toBe(false)
})

test('a database without an installation gets no tables beside evidence', async () => {
  const work = openWork()
  const server = await work.serve()
  await work.json('site', 'add', 'example.com')
  await work.json(...work.importing)
  expect(await server.stop()).toMatchObject({ code: 0 })
  const empty = await createDatabase()
  try {
    env = { SPOOR_DATABASE_URL: empty.url }
    const refused = {
      code: 1,
      stderr: expect.stringMatching(/check SPOOR_DATABASE_URL if it names the wrong database/),
    }
    expect(await work.run('serve', '--port', '0')).toMatchObject(refused)
    expect(await work.run(...work.importing)).toMatchObject(refused)
    expect(await empty.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([])
  } finally {
    await empty.drop()
  }
})

test('a database that cannot be reached leaves no folder, with evidence on servers too', async () => {
  env = { SPOOR_DATABASE_URL: 'postgres://spoor@127.0.0.1:1/spoor', SPOOR_CLICKHOUSE_URL: 'http://127.0.0.1:2' }
  const work = openWork()
  expect(await work.run('serve', '--port', '0')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/control store postgres:.* ECONNREFUSED/),
  })
  expect(existsSync(work.data)).toBe(false)
})

test('while PostgreSQL restarts, requests fail, nothing is lost, and the service needs no restart', async () => {
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
    const { host, password } = new URL(postgres.url)
    const found = await work.run('doctor')
    expect(found.stdout).toMatch(
      new RegExp(
        `fail  control_store_failed: The control store postgres://.*${host}/.* does not answer \\(.*ECONNREFUSED`,
      ),
    )
    expect(found.stdout).not.toContain(password)
    expect(found.stdout).toContain('the service reconnects by itself')
    const failed = await work.run(...work.importing)
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('control store does not answer') })
    await postgres.start()
    expect(await server.get('/readyz')).toMatchObject({ status: 200 })
    expect(await counted(server, String(secret))).toMatchObject([{ observed_request_count: 5 }])
    expect(await work.json(...work.importing)).toMatchObject({ stored: 0, duplicates: 5 })
    await postgres.stop()
    expect(await server.stop()).toMatchObject({ code: 0 })
  } finally {
    await postgres.close()
  }
})
