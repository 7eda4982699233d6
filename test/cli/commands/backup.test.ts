import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { openChdb } from '#evidence/chdb/store.ts'
import { readMigrations } from '#evidence/migrate.ts'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'

const NOW = ['--clock', '2026-03-10T12:00:00Z']

async function prepared() {
  const work = await preparedFolder()
  writeFileSync(work.file('a.log'), history().on('2026-03-07').humans().crawler('oai-searchbot').requests(20).text())
  const command = (...args: string[]) => run([...args, '--data', work.data])
  const addSite = async () => {
    await command('site', 'add', 'example.com')
    const key = await runJson<{ secret: string }>(['key', 'create', '--name', 'a', '--data', work.data])
    expect(await command('import', work.file('a.log'), '--site', 'example.com')).toMatchObject({ code: 0 })
    return key.secret
  }
  return { ...work, command, addSite, archive: join(work.folder, 'spoor.tar') }
}

describe('spoor backup and restore (decisions 1)', () => {
  test('while serving and without a server; a restored folder answers the same and its keys work', async () => {
    const { data, folder, command, addSite, archive } = await prepared()
    const server = await serve(data, NOW)
    const key = await addSite()
    const read = (from: typeof server) => from.get('/v1/sites/example.com/performance?window=7d', key)
    const before = await read(server)
    expect(before).toMatchObject({ status: 200, body: { observed_request_count: 20 } })
    const made = await command('backup', archive, '--json')
    expect(JSON.parse(made.stdout)).toEqual({ file: archive, bytes: statSync(archive).size })
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    expect((await command('backup', archive)).stderr).toMatch(/^spoor: .* exists: name another file, or give --force/)
    expect((await command('restore', archive)).stderr).toMatch(
      /^spoor: Another Spoor process uses the data folder .*\n$/,
    )
    for (const flags of [[], ['--force']]) {
      expect((await command('backup', folder, ...flags)).stderr).toBe(
        `spoor: ${folder} is a folder: name a file in it, such as ${join(folder, 'spoor.tar')}\n`,
      )
    }
    // As root nothing else than the kind of file keeps a device from being replaced.
    expect((await command('backup', '/dev/null', '--force')).stderr).toMatch(
      /^spoor: \/dev\/null is not a regular file, and only such a file is replaced: name another file/,
    )
    symlinkSync('loop', join(folder, 'loop'))
    expect((await command('backup', join(folder, 'loop', 'spoor.tar'))).stderr).toMatch(
      /^spoor: .*loop\/spoor\.tar cannot be written \(ELOOP.*: name a file in a folder this user may write/,
    )
    await server.stop()
    expect(await command('backup', archive, '--force')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Wrote .*, [\d.,]+ [KM]iB\n$/),
    })
    expect((await command('restore', archive)).stderr).toMatch(/^spoor: the data folder .*--replace.*\n$/)
    const other = join(folder, 'other')
    const restored = await run(['restore', archive, '--data', other, '--json'])
    expect(JSON.parse(restored.stdout)).toMatchObject({ sites: 1, moved_aside: null })
    const again = await serve(other, NOW)
    const after = await read(again)
    const reported = (answer: typeof after) => ({
      ...answer.body,
      meta: { ...(answer.body.meta as object), as_of: '' },
    })
    expect(reported(after)).toEqual(reported(before))
  })

  test('files that a killed backup left in the data folder are removed by the next command', async () => {
    const { data, command, addSite, archive } = await prepared()
    await addSite()
    mkdirSync(join(data, 'backup.partial'))
    mkdirSync(join(data, 'evidence', 'shadow', 'backup', 'store'), { recursive: true })
    writeFileSync(join(data, 'backup.partial', 'control.sqlite'), 'half')
    writeFileSync(`${archive}.partial`, 'half')
    expect(await command('backup', archive)).toMatchObject({ code: 0 })
    for (const left of [`${archive}.partial`, join(data, 'backup.partial'), join(data, 'evidence', 'shadow')]) {
      expect(existsSync(left)).toBe(false)
    }
  })
})

describe('unusual names of files', () => {
  test('are refused in one line that says what to do', async () => {
    const { command, folder, file } = await prepared()
    const missing = join(folder, 'missing')
    for (const name of [join(missing, 'b.tar'), `${missing}/`]) {
      expect((await command('backup', name)).stderr).toBe(
        `spoor: the folder ${missing} does not exist: create it, or name a file in a folder that exists\n`,
      )
    }
    expect((await command('backup', file('a.log/b.tar'))).stderr).toBe(
      `spoor: ${file('a.log')} is not a folder, so it cannot hold ${file('a.log/b.tar')}: name a file in a folder\n`,
    )
    expect((await command('backup', '')).stderr).toMatch(/^spoor: the name of the backup file is empty: .*\n$/)
    expect(existsSync(missing)).toBe(false)
    const restore = (name: string) => run(['restore', name, '--data', join(folder, 'restored')])
    expect((await restore(file('a.log/b.tar'))).stderr).toMatch(/^spoor: .* does not exist: check its name\n$/)
    symlinkSync('loop', join(folder, 'loop'))
    expect((await restore(join(folder, 'loop'))).stderr).toMatch(/^spoor: .* cannot be read \(ELOOP.*and repeat\n$/)
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const name of [pipe, '/dev/null']) {
      expect((await restore(name)).stderr).toBe(
        `spoor: ${name} is not a regular file, and a restore reads it twice: write the backup to a disk, and restore that file\n`,
      )
    }
    expect(existsSync(join(folder, 'restored'))).toBe(false)
    const secret = await command('key', 'create', '--name', 'a', '--secret-file', join(missing, 'key'))
    expect(secret.stderr).toMatch(/cannot be made \(its folder does not exist\), so no key was created/)
  })
})

describe('spoor site retention (decisions 8)', () => {
  test('shows and sets the days; nonsense is bad usage', async () => {
    const { command } = await prepared()
    await command('site', 'add', 'example.com')
    expect(await command('site', 'retention', 'example.com')).toMatchObject({
      stdout: 'example.com keeps evidence for 400 days\n',
    })
    const set = await command('site', 'retention', 'example.com', '90', '--json')
    expect(JSON.parse(set.stdout)).toMatchObject({ root_domain: 'example.com', retention_days: 90 })
    expect(await command('site', 'retention', 'example.com', '0')).toMatchObject({ code: 2 })
    expect(await command('site', 'retention', 'example.com', '40000')).toMatchObject({ code: 2 })
    expect((await command('site', 'retention', 'example.org')).stderr).toMatch(/^spoor: No site/)
  })
})

describe('a data folder of a newer Spoor', () => {
  test('is refused in one line by every command that opens it, for either store, and does not change', async () => {
    const { data, command, addSite, file } = await prepared()
    await addSite()
    const steps = await readMigrations()
    const evidence = join(data, 'evidence')
    const later = [
      ...steps,
      {
        version: steps.length + 1,
        text: 'CREATE TABLE spoor.later (a UInt8) ENGINE = {{engine MergeTree}} ORDER BY a;',
      },
    ]
    await (await openChdb({ folder: evidence, migrations: later })).close()
    for (const args of [
      ['serve', '--port', '0'],
      ['import', file('a.log'), '--site', 'example.com'],
    ]) {
      const refused = await command(...args)
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/^spoor: The evidence in .* has layout .*Run the newer Spoor.*\n$/)
    }
    const checked = await command('doctor')
    expect(checked).toMatchObject({ code: 1 })
    expect(checked.stdout).toMatch(/^fail {2}stores_not_opened: The evidence in .* has layout .*Run the newer Spoor/m)
    expect(checked.stdout).not.toContain('evidence_store_failed')
    const sqlite = new DatabaseSync(join(data, 'control.sqlite'))
    sqlite.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')")
    sqlite.close()
    for (const args of [
      ['serve', '--port', '0'],
      ['site', 'list'],
    ]) {
      expect((await command(...args)).stderr).toMatch(
        /^spoor: A newer Spoor has written .*9999-later.* restore a backup made before the update\.\n$/,
      )
    }
  })
})
