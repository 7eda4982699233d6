/** What a move refuses, what it gives way to, and moves of one store alone. */
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPostgresControl } from '#control/postgres.ts'
import { EVIDENCE_ID, writeSetting } from '#control/settings.ts'
import { history } from '#demo/history.ts'
import { connectClickHouse } from '#evidence/clickhouse/open.ts'
import { evidenceLayout, migrateEvidence, readMigrations } from '#evidence/migrate.ts'
import { sql } from '#evidence/sql.ts'
import type { Installation } from '#installation/installation.ts'
import { giveUpMove } from '#move/give-up.ts'
import type { MoveRun } from '#move/move-source.ts'
import { readMoveState } from '#move/move-state.ts'
import type { TargetSettings } from '#move/target.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { fakeClock } from '../support/clock.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'
import { configOf, makeTarget, openAt, type TestTarget } from '../support/moving.ts'
import { copyStore } from '../support/shared.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')

let folder: string
let target: TestTarget
let server: ReturnType<typeof connectClickHouse>['store']
beforeAll(async () => {
  folder = makeTestFolder()
  await Promise.all([
    copyStore('evidence', join(folder, 'evidence')),
    copyStore('control.sqlite', join(folder, 'control.sqlite')),
  ])
  target = await makeTarget(join(folder, 'server'))
  server = connectClickHouse(target.settings.clickhouse?.urls[0] as string, null).store
  const installation = await openAt(configOf(folder), NOW)
  await runOperation(installation.operator, 'site.add', { domain: 'example.com' })
  await importOn(installation, '2026-03-06', 50)
  await installation.close()
})
afterAll(async () => {
  await server.close()
  await target.remove()
  removeTestFolder(folder)
})

function importOn(installation: Installation, day: string, requests: number) {
  const text = history().on(day).humans().crawler('gptbot').requests(requests).text()
  const asked = { site: 'example.com', host: null, label: `${day}.log` }
  return installation.importLog(asked, Readable.from([Buffer.from(text, 'latin1')]), () => {})
}

async function openOld(): Promise<Installation> {
  const installation = await openAt(configOf(folder), NOW)
  onTestFinished(() => installation.close())
  return installation
}

const move = (installation: Installation, settings: Partial<TargetSettings> = {}, run: Partial<MoveRun> = {}) =>
  installation.moveTo(
    { ...target.settings, ...settings },
    { signal: new AbortController().signal, onProgress() {}, ...run },
  )

test('targets that lack something, or hold another installation, are refused before anything is copied', async () => {
  const installation = await openOld()
  await expect(move(installation, { database_url: null, clickhouse: null })).rejects.toThrow('no target is named')
  await expect(move(installation, { database_url: null })).rejects.toThrow('set SPOOR_DATABASE_URL as well')
  await expect(move(installation, { database_url: 'postgres://spoor@127.0.0.1:1/spoor' })).rejects.toThrow('127.0.0.1')
  await expect(move(installation, { clickhouse: { urls: ['http://127.0.0.1:1'], cluster: null } })).rejects.toThrow(
    'No answer',
  )
  await expect(move(installation, { secret_key_name: 'another' })).rejects.toThrow('SPOOR_SECRET_KEY is another key')
  await expect(move(installation, { secret_key_name: null })).rejects.toThrow('set it to the same as for the service')

  const control = await openPostgresControl(target.settings.database_url as string)
  await control.db.insertInto('settings').values({ name: 'evidence_id', value: 'other' }).execute()
  await expect(move(installation)).rejects.toThrow('control store of an installation already')
  await control.db.deleteFrom('settings').execute()
  await control.db.insertInto('settings').values({ name: 'moving_from', value: 'other' }).execute()
  await expect(move(installation)).rejects.toThrow('control store of an installation already')
  await control.db.deleteFrom('settings').execute()
  await control.close()

  await server.run(sql`INSERT INTO spoor.agents (agent_key, user_agent) SELECT 1, 'other'`)
  await expect(move(installation)).rejects.toThrow('hold other evidence already')
  await server.run(sql`TRUNCATE TABLE spoor.agents`)
  expect(readMoveState(folder)).toBeNull()
  expect(await target.execute('SELECT name FROM settings'), 'a service may start on it').toEqual([])
})

test('stores of another installation keep their layout, which may be of an earlier release', async () => {
  const installation = await openOld()
  const other = await makeTarget(join(folder, 'other'))
  onTestFinished(() => other.remove())
  const elsewhere = connectClickHouse(other.settings.clickhouse?.urls[0] as string, null).store
  onTestFinished(() => elsewhere.close())
  const first = (await readMigrations()).slice(0, 1)
  await migrateEvidence(elsewhere, 'other', first)
  await elsewhere.run(sql`INSERT INTO spoor.identity (id) SELECT generateUUIDv4()`)
  await elsewhere.run(sql`INSERT INTO spoor.agents (agent_key, user_agent) SELECT 1, 'other'`)
  await expect(move(installation, { clickhouse: other.settings.clickhouse })).rejects.toThrow(
    'hold other evidence already',
  )
  expect(await evidenceLayout(elsewhere)).toBe(1)

  const { database_url } = other.settings
  const control = await openPostgresControl(database_url as string)
  await control.transaction(async (tx) => {
    await writeSetting(tx, 'installation_id', 'other')
    await writeSetting(tx, EVIDENCE_ID, 'other')
  })
  await control.close()
  const layout = () => other.execute('SELECT name FROM kysely_migration')
  await other.execute("DELETE FROM kysely_migration WHERE name = '0057-sender-records'")
  await other.execute('DROP TABLE sender_records')
  const before = await layout()
  await expect(move(installation, { database_url })).rejects.toThrow('control store of an installation already')
  expect(await layout()).toEqual(before)
})

test('a last piece that takes too long is stopped for the service, and the copy is kept', async () => {
  const installation = await openOld()
  const seen: string[] = []
  installation.stopForMoves({
    stopJobs: async () => void seen.push('rest'),
    refuseWrites: async () => void seen.push('refuse'),
    resume: () => seen.push('go on'),
  })
  await expect(move(installation, {}, { max_read_only_ms: 1 })).rejects.toThrow('three times in a row')
  expect(seen).toEqual(Array.from({ length: 3 }, () => ['rest', 'refuse', 'go on']).flat())
  expect(await importOn(installation, '2026-03-07', 5)).toMatchObject({ stored: 5 })
  expect(await installation.control.db.selectFrom('sites').select('id').execute()).toHaveLength(1)
})

test('a last piece does not wait for a write that lasts longer, and the service goes on', async () => {
  const installation = await openOld()
  const seen: string[] = []
  installation.stopForMoves({
    stopJobs: async () => {},
    refuseWrites: async () => {},
    resume: () => seen.push('go on'),
  })
  await installation.crawlers()
  const { promise: written, resolve: end } = Promise.withResolvers<void>()
  onTestFinished(() => end())
  const writing = installation.control.transaction(() => written)
  await expect(move(installation, {}, { max_read_only_ms: 50 })).rejects.toThrow('three times in a row')
  expect(seen).toEqual(['go on', 'go on', 'go on'])
  end()
  await writing
  // The command that shows the move knows the clock of the machine only.
  const { updated_at } = readMoveState(folder) ?? { updated_at: '' }
  expect(Math.abs(Date.now() - Date.parse(updated_at))).toBeLessThan(600_000)
})

test('a database that loses rows is detected, and the copied rows are removed', async () => {
  const installation = await openOld()
  await target.execute(`CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.root_domain := upper(NEW.root_domain); RETURN NEW; END $$`)
  await target.execute('CREATE TRIGGER shout BEFORE INSERT ON sites FOR EACH ROW EXECUTE FUNCTION shout()')
  await expect(move(installation)).rejects.toThrow('rows of sites that differ')
  expect(await target.execute('SELECT 1 FROM accounts')).toEqual([])
  await target.execute('DROP FUNCTION shout CASCADE')
  expect(await importOn(installation, '2026-03-08', 5)).toMatchObject({ stored: 5 })
})

test('a move that is given up empties the servers on request, and nothing that is not of the control store', async () => {
  await target.execute('CREATE VIEW activity AS SELECT pid FROM pg_stat_activity')
  await target.execute('CREATE SCHEMA of_others')
  await target.execute('CREATE TABLE of_others.things AS SELECT 1 AS thing')
  await giveUpMove(folder, fakeClock('2026-03-10T12:00:00Z'), target.settings)
  expect(readMoveState(folder)).toBeNull()
  expect(await target.execute('SELECT 1 FROM settings')).toEqual([])
  expect(await target.execute('SELECT thing FROM of_others.things')).toEqual([{ thing: 1 }])
  await expect(openOld()).resolves.toBeDefined()
})

test('the control store moves alone, and the evidence after it; rows that servers lose in the meantime are copied again', async () => {
  const first = await openOld()
  const only_control = { clickhouse: null }
  expect(await move(first, only_control)).toMatchObject({ evidence: null, control: { rows: expect.any(Number) } })
  await first.close()
  await expect(openAt(configOf(folder), NOW)).rejects.toThrow('Set SPOOR_DATABASE_URL to start')
  const config = { ...configOf(folder, target), clickhouse: null }
  const second = await openAt(config, NOW)
  onTestFinished(() => second.close())
  expect(await importOn(second, '2026-03-09', 6)).toMatchObject({ stored: 6 })
  expect(await move(second, only_control)).toMatchObject({ evidence: null })
  const elsewhere = await makeTarget(join(folder, 'elsewhere'))
  await expect(move(second, { database_url: elsewhere.settings.database_url })).rejects.toThrow('another database')
  await elsewhere.remove()

  let lost: Promise<void> | null = null
  const report = await move(
    second,
    {},
    {
      onProgress({ phase, table }) {
        if (phase === 'copying' && table === 'search_rows') lost ??= server.run(sql`TRUNCATE TABLE spoor.requests`)
      },
    },
  )
  expect(lost).not.toBeNull()
  expect(report.control).toBeNull()
  expect(report.evidence?.tables.find(({ table }) => table === 'requests')).toMatchObject({ rows: 66, sum: '66' })
  await second.close()
  await expect(openAt(config, NOW)).rejects.toThrow('Set SPOOR_CLICKHOUSE_URL to start')
  const other_key = { ...configOf(folder, target), secret_key: '8'.repeat(64) }
  await expect(openAt(other_key, NOW)).rejects.toThrow('another one than that of the installation')
  const third = await openAt(configOf(folder, target), NOW)
  onTestFinished(() => third.close())
  expect(await importOn(third, '2026-03-09', 6)).toMatchObject({ stored: 0 })
})
