import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { history } from '#demo/history.ts'
import { run, runJson, serve, start, workFolder } from '../support/cli.ts'
import { createDatabase, startPostgres, type TestDatabase } from '../support/postgres.ts'
import { serveProcess } from '../support/processes.ts'
import type { Asking } from '../support/running.ts'

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
    serveProcess: () => serveProcess(data, CLOCK, { env, bare: true }),
    json: (...args: string[]) => runJson([...args, '--data', data], { env }),
    run: (...args: string[]) => run([...args, '--data', data], { env }),
    importing: ['import', '--site', 'example.com', file('a.log')],
  }
}

const counted = async (server: Asking, key: string) => {
  const { status, body } = await server.get('/v1/sites/example.com/crawlers?window=3d&purpose=training', key)
  expect(status).toBe(200)
  return body.crawlers
}

test('two processes share accounts, sites and keys at once; evidence belongs to the one that has it', async () => {
  const [one, other] = [openWork(), openWork()]
  const server = await one.serveProcess()
  await other.json('site', 'add', 'example.com')
  const twice = await one.run('site', 'add', 'example.com')
  expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('already has the site example.com') })
  const { secret, id } = await other.json('key', 'create', '--name', 'elsewhere')
  await one.json(...one.importing)
  expect(await counted(server, String(secret))).toMatchObject([{ observed_request_count: 5 }])
  for (const args of [other.importing, ['serve', '--port', '0']]) {
    const refused = await other.run(...args)
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/belongs to the evidence of another data folder.*--data/),
    })
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
  const server = await work.serveProcess()
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

/** All processes of a server. */
function processesOf(postgres_data: string): number[] {
  const [first = ''] = readFileSync(join(postgres_data, 'postmaster.pid'), 'utf8').split('\n')
  const others = execFileSync('ps', ['-o', 'pid=', '--ppid', first], { encoding: 'utf8' })
  return [first, ...others.trim().split(/\s+/)].map(Number)
}

test('a hanging PostgreSQL makes the service not ready; the launcher does not end it, and it recovers by itself', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.close())
  const { data } = workFolder()
  const own = { SPOOR_DATABASE_URL: postgres.url, SPOOR_WATCHDOG_SECONDS: '2' }
  const server = await serveProcess(data, CLOCK, { env: own })
  expect(await server.get('/readyz')).toMatchObject({ status: 200 })
  const halted = processesOf(postgres.data)
  const goOn = () => {
    for (const id of halted) process.kill(id, 'SIGCONT')
  }
  for (const id of halted) process.kill(id, 'SIGSTOP')
  try {
    // Each takes longer to answer than the launcher waits for a sign of life.
    for (let asked = 0; asked < 2; asked++) {
      expect(await server.get('/readyz')).toMatchObject({ status: 503 })
      expect(await server.get('/healthz')).toMatchObject({ status: 200 })
    }
  } finally {
    goOn()
  }
  while ((await server.get('/readyz')).status !== 200) await pause(20)
  expect(server.stderr()).toMatch(/the control store does not answer/)
  expect(server.stderr()).not.toMatch(/starts again/)
}, 120_000)
