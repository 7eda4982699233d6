import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { history } from '#demo/history.ts'
import { openChdb } from '#evidence/chdb/store.ts'
import { readMigrations } from '#evidence/migrate.ts'
import { FINDINGS } from '#health/findings.ts'
import { preparedFolder, type RunOptions, run, runJson, serve, workFolder } from '../../support/cli.ts'
import { startClickHouseDouble } from '../../support/clickhouse.ts'
import { createDatabase } from '../../support/postgres.ts'

interface Diagnosis {
  code: number | null
  ok: boolean
  codes: string[]
  findings: { code: string; level: string; message: string; advice: string }[]
}

async function doctor(data: string, args: string[] = [], options: RunOptions = {}): Promise<Diagnosis> {
  const ended = await run(['doctor', '--json', '--data', data, ...args], options)
  const reported = JSON.parse(ended.stdout) as Diagnosis
  for (const { code, level } of reported.findings) expect(FINDINGS[code as keyof typeof FINDINGS].level).toBe(level)
  return { ...reported, code: ended.code, codes: reported.findings.map((each) => each.code) }
}

const NOW = ['--clock', '2026-03-08T12:00:00Z']

describe('spoor doctor', () => {
  test('reads from the running server, or opens the folder itself if none runs', async () => {
    const { data, file } = await preparedFolder()
    const env = { SPOOR_METRICS_LISTEN: '127.0.0.1:0' }
    const server = await serve(data, NOW, { env })
    await runJson(['site', 'add', 'example.com', '--data', data])
    await runJson(['site', 'add', 'empty.example', '--data', data])
    writeFileSync(file('a.log'), history().on('2026-03-07').humans().crawler('googlebot').requests(2).text())
    await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])
    const serving = await doctor(data)
    expect(serving).toMatchObject({ code: 0, ok: true })
    for (const code of [
      'configuration',
      'data_folder',
      'stores',
      'thread_pool',
      'registry',
      'deliveries',
      'dirty_days',
    ]) {
      expect(serving.codes).toContain(code)
    }
    for (const code of ['metrics', 'watchdog', 'jobs', 'clock_moved', 'source_missing'])
      expect(serving.codes).toContain(code)
    const missing = serving.findings.find(({ code }) => code === 'source_missing')
    expect(missing).toMatchObject({
      level: 'warn',
      message: 'empty.example.',
      advice: expect.stringMatching(/spoor import/),
    })
    await server.stop()
    const alone = await doctor(data, ['--clock', '2026-03-20T12:00:00Z'])
    expect(alone).toMatchObject({ code: 0 })
    const silent = alone.findings.find(({ code }) => code === 'source_silent')
    expect(silent?.message).toMatch(/^\S+ \(up to 2026-\S+Z\)\.$/)
    expect(alone.codes).not.toContain('watchdog')
    const text = await run(['doctor', '--data', data, ...NOW])
    expect(text.stdout).toMatch(/^ok {4}configuration: .*\n/)
    expect(text.stdout).toMatch(/^warn {2}source_missing: empty\.example\.\n {6}Import a log/m)
  })

  test('a refused setting, a misspelt one, and a folder that is not there', async () => {
    const { data } = workFolder()
    const refused = await doctor(data, [], { env: { SPOOR_PORT: 'http' } })
    expect(refused).toMatchObject({ code: 1, ok: false, codes: ['configuration_refused'] })
    const both = await doctor(data, [], { env: { SPOOR_PORT: 'http', SPOOR_PROT: '1' } })
    expect(both).toMatchObject({ code: 1, codes: ['configuration_unknown', 'configuration_refused'] })
    const misspelt = await doctor(data, [], { env: { SPOOR_PROT: '1' } })
    expect(misspelt).toMatchObject({ code: 0, codes: ['configuration_unknown', 'data_folder_missing'] })
  })

  test('another secret key than that of the nodes: the store is not lost, and nothing is to be restored', async () => {
    const { data, file } = workFolder()
    mkdirSync(file('servers'))
    const [database, double] = await Promise.all([createDatabase(), startClickHouseDouble(file('servers'))])
    onTestFinished(async () => {
      await double.close()
      await database.drop()
    })
    const servers = { SPOOR_DATABASE_URL: database.url, SPOOR_CLICKHOUSE_URL: double.url }
    const withKey = (digit: string) => ({ env: { ...servers, SPOOR_SECRET_KEY: digit.repeat(64) } })
    await runJson(['site', 'add', 'example.com', '--data', data], withKey('a'))
    writeFileSync(file('a.log'), history().on('2026-03-07').humans().crawler('gptbot').requests(2).text())
    await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data], withKey('a'))
    expect(await doctor(data, [], withKey('a'))).toMatchObject({ code: 0 })
    const { code, findings } = await doctor(data, [], withKey('b'))
    expect(code).toBe(1)
    expect(findings.filter(({ level }) => level === 'fail')).toMatchObject([
      { code: 'stores_not_opened', message: expect.stringMatching(/^SPOOR_SECRET_KEY is another one/) },
    ])
  })

  test('a folder that others can enter, a damaged store and a file instead of a folder', async () => {
    const { data, file } = workFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    chmodSync(data, 0o755)
    expect((await doctor(data)).codes).toContain('data_folder_not_private')
    writeFileSync(join(data, 'control.sqlite'), 'no database'.repeat(1_000))
    const damaged = await doctor(data)
    expect(damaged).toMatchObject({ code: 1, ok: false })
    expect(damaged.codes).toContain('stores_not_opened')
    writeFileSync(file('plain'), '')
    expect(await doctor(file('plain'))).toMatchObject({ code: 1, codes: ['configuration', 'data_folder_unusable'] })
  })

  test('a missing installation is reported, and not made', async () => {
    const { data } = workFolder()
    mkdirSync(data, { mode: 0o700 })
    const embedded = await doctor(data)
    expect(embedded).toMatchObject({ code: 0, ok: true })
    expect(embedded.codes).toEqual(['configuration', 'data_folder', 'free_space', 'installation_missing'])
    expect(embedded.findings.at(-1)).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/holds no Spoor data: no installation exists here yet\.$/),
    })
    expect(readdirSync(data)).toEqual([])
  })

  test('an empty database stays empty, even for commands that read, and is free for the real service', async () => {
    const database = await createDatabase()
    const options = { env: { SPOOR_DATABASE_URL: database.url } }
    const tables = () => database.execute("SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace")
    const [stray, real] = [workFolder(), workFolder()]
    try {
      mkdirSync(stray.data, { mode: 0o700 })
      const found = await doctor(stray.data, [], options)
      expect(found).toMatchObject({ code: 0, codes: expect.arrayContaining(['installation_missing']) })
      const listed = await run(['site', 'list', '--data', stray.data], options)
      expect(listed).toMatchObject({ code: 1, stdout: '' })
      expect(listed.stderr).toMatch(/^spoor: The control store postgres:.* is empty: no installation exists here yet/)
      expect(listed.stderr).not.toContain(new URL(database.url).password)
      expect(readdirSync(stray.data)).toEqual([])
      expect(await tables()).toEqual([])
      const server = await serve(real.data, NOW, options)
      await server.stop()
      expect((await doctor(real.data, NOW, options)).codes).toContain('stores')
      const other = await doctor(stray.data, [], options)
      expect(other.findings.at(-1)).toMatchObject({
        code: 'stores_apart',
        message: expect.stringMatching(/belongs to the evidence of another data folder/),
      })
      expect(readdirSync(stray.data)).toEqual([])
      const missing = workFolder()
      expect((await doctor(missing.data, [], options)).codes).toEqual([
        ...['configuration', 'data_folder_missing', 'stores_apart'],
      ])
      const [away, on_servers] = [new URL(database.url), { ...options.env, SPOOR_CLICKHOUSE_URL: 'http://127.0.0.1:9' }]
      expect((await doctor(missing.data, [], { env: on_servers })).findings.at(-1)).toMatchObject({
        code: 'control_store_found',
        message: expect.stringMatching(/^postgres:\S+ holds the control store of an installation\.$/),
      })
      away.pathname = '/none'
      expect(
        (await doctor(missing.data, [], { env: { SPOOR_DATABASE_URL: away.href } })).findings.at(-1),
      ).toMatchObject({
        code: 'stores_not_opened',
        message: expect.stringContaining('none'),
      })
      expect(existsSync(missing.data)).toBe(false)
    } finally {
      await database.drop()
    }
  })

  test('stores of an earlier release are left as they are', async () => {
    const { data } = await preparedFolder()
    await (await serve(data, NOW)).stop()
    const sqlite = new DatabaseSync(join(data, 'control.sqlite'))
    sqlite.exec("DELETE FROM kysely_migration WHERE name = '0057-sender-records'")
    const found = await doctor(data)
    expect(found.codes).toEqual(['configuration', 'data_folder', 'free_space', 'stores_outdated'])
    expect(sqlite.prepare("SELECT 1 FROM kysely_migration WHERE name = '0057-sender-records'").all()).toEqual([])
    sqlite.close()
  })

  test('evidence of an earlier release is left as it is, and empty evidence is reported as empty', async () => {
    const { data } = await preparedFolder()
    await (await serve(data, NOW)).stop()
    const folder = join(data, 'evidence')
    rmSync(folder, { recursive: true })
    await (await openChdb({ folder, migrations: (await readMigrations()).slice(0, -1) })).close()
    const found = await doctor(data)
    expect(found.codes).toContain('stores_outdated')
    expect(found.codes).not.toContain('evidence_store_failed')
    rmSync(folder, { recursive: true })
    expect((await doctor(data)).findings.at(-1)).toMatchObject({
      code: 'stores_apart',
      message: expect.stringMatching(
        /control\.sqlite is missing: there is no folder .*evidence\. Put it back, .*restore FILE/,
      ),
    })
    mkdirSync(folder)
    expect((await doctor(data)).findings).toContainEqual(
      expect.objectContaining({
        code: 'evidence_store_failed',
        message: expect.stringMatching(/has no tables: it is empty or damaged/),
      }),
    )
  })
})
