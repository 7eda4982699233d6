import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import pino from 'pino'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeBackup } from '#backup/backup-file.ts'
import { CHECKSUMS, CONTROL, MANIFEST } from '#backup/manifest.ts'
import { readTar } from '#backup/tar.ts'
import { DAY_MS } from '#clock.ts'
import { readConfig } from '#config.ts'
import { utcDay } from '#days/utc-day.ts'
import { history } from '#demo/history.ts'
import { count, rows } from '#evidence/sql.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { restoreInstallation } from '#installation/restore-installation.ts'
import { importLog } from '#intake/import/import-log.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import type { Site } from '#sites/site.ts'
import { buildHttpSurfaces } from '../src/main.ts'
import { fakeClock } from './support/clock.ts'
import { makeTestFolder, removeTestFolder } from './support/control.ts'
import { openTestService, type TestService } from './support/service.ts'

const NOW = '2026-03-10T12:00:00Z'
const log = pino({ level: 'silent' })

let service: TestService
let site: Site
let key: { secret: string }
let folder: string
let file: string
beforeEach(async () => {
  service = await openTestService(NOW)
  site = await service.addSite('example.com')
  key = await service.createKey()
  folder = makeTestFolder()
  file = join(folder, 'spoor.tar')
})
afterEach(async () => {
  await service.close()
  removeTestFolder(folder)
})

const twoMonths = () => {
  const all = history()
  for (const day of ['2026-02-10', '2026-02-11', '2026-03-07', '2026-03-09']) {
    all
      .on(day)
      .humans()
      .crawler('gptbot')
      .requests(30, { path: `/p/${day}` })
      .crawler('oai-searchbot')
      .requests(7)
  }
  return all
}

const READS = ['performance', 'crawlers', 'top-pages'].map((name) => `/v1/sites/example.com/${name}?window=90d`)
const ALL_READS = [...READS, '/v1/sites/example.com/sources', '/v1/sites']

function write(force = false): Promise<{ bytes: number }> {
  const options = { force, signal: new AbortController().signal, onWritten() {} }
  return service.installation.backup((archive) => writeBackup(file, archive, options))
}

const restoring = (data: string, replace = false) =>
  restoreInstallation(
    { config: { ...readConfig({}), data }, clock: fakeClock(NOW), log, wait_ms: 0 },
    { file, replace },
    () => {},
  )

/** Every answer of a data folder, as its API gives it at the service's time. */
async function answersOf(data: string): Promise<unknown[]> {
  const clock = fakeClock(service.clock.now())
  const installation = await openInstallation({ config: { ...readConfig({}), data }, clock, log, wait_ms: 0 })
  try {
    const http = buildHttpSurfaces(installation, await installation.crawlers(), { log, support_email: null })
    return await Promise.all(
      ALL_READS.map(async (url) => {
        const answer = await http.inject({ url, headers: { authorization: `Bearer ${key.secret}` } })
        return [answer.statusCode, answer.json()]
      }),
    )
  } finally {
    await installation.close()
  }
}

/** Imports the same days again, into a data folder that no process has open. */
async function importAgain(data: string): Promise<ImportReceipt> {
  const config = { ...readConfig({}), data }
  const installation = await openInstallation({ config, clock: fakeClock(NOW), log, wait_ms: 0 })
  const chunks = Readable.from([Buffer.from(twoMonths().text(), 'latin1')])
  return importLog(await installation.crawlers(), { site, host: null, label: 'again.log' }, chunks).finally(() =>
    installation.close(),
  )
}

async function answersNow(): Promise<unknown[]> {
  return Promise.all(
    ALL_READS.map(async (url) => {
      const { status, json } = await service.ask(url)
      return [status, json]
    }),
  )
}

async function namesOf(archive: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name, bytes } of readTar(createReadStream(archive))) {
    names.push(name)
    for await (const _ of bytes);
  }
  return names
}

describe('a backup (decisions 1, rules 7)', () => {
  test('after a restore every answer is what it was, keys work, and a repeated import doubles nothing', async () => {
    await service.importText(site, twoMonths())
    await service.rebuild()
    await service.importText(site, history().on('2026-03-08').humans().crawler('gptbot').requests(9))
    const before = await answersNow()
    expect(before[0]).toMatchObject([200, { observed_request_count: 4 * 7 }])
    await write()
    // What comes after the backup is not part of it.
    await service.importText(site, history().on('2026-03-06').humans().crawler('oai-searchbot').requests(5))
    await service.installation.close()
    const data = join(folder, 'data')
    expect(await restoring(data)).toMatchObject({ created_at: '2026-03-10T12:00:00.000Z', sites: 1, moved_aside: null })
    expect(readdirSync(data).sort()).toEqual(['control.sqlite', 'evidence', 'lock'])
    expect(await answersOf(data)).toEqual(before)
    expect(await importAgain(data)).toMatchObject({ stored: 0, duplicates: 4 * 37 })
    const [performance] = (await answersOf(data)) as [number, unknown][]
    expect(performance).toMatchObject([200, { observed_request_count: 4 * 7 }])
  })

  test('the last 48 h and the days of facts received in them are dirty after a restore, older days keep their roll-ups', async () => {
    const days = () =>
      history()
        .on('2026-02-10')
        .humans()
        .crawler('gptbot')
        .requests(3)
        .on('2026-03-09')
        .humans()
        .crawler('gptbot')
        .requests(3)
    await service.importText(site, days())
    service.clock.advance(4 * DAY_MS)
    const today = utcDay(service.clock.now() - DAY_MS)
    await service.importText(site, history().on(today).humans().crawler('gptbot').requests(2))
    await service.rebuild()
    await write()
    await service.installation.close()
    const data = join(folder, 'data')
    await restoring(data)
    const sqlite = new DatabaseSync(join(data, 'control.sqlite'), { readOnly: true })
    expect(sqlite.prepare("SELECT day, state FROM dirty_days WHERE kind = 'crawlers'").all()).toEqual([
      { day: today, state: 'written' },
    ])
    expect(sqlite.prepare("SELECT count(*) AS n FROM builds WHERE kind = 'crawlers'").get()).toEqual({ n: 3 })
    sqlite.close()
  })

  test('an import that was being written is broken in the restored folder, and a repeat completes it', async () => {
    await service.importText(site, twoMonths())
    const { control } = service.installation
    await control.db.updateTable('deliveries').set({ state: 'writing', finished_at: null }).execute()
    await write()
    await service.installation.close()
    const data = join(folder, 'data')
    await restoring(data)
    const sqlite = new DatabaseSync(join(data, 'control.sqlite'), { readOnly: true })
    expect(sqlite.prepare('SELECT state FROM deliveries').all()).toEqual([{ state: 'broken' }])
    expect(sqlite.prepare('SELECT connection_status FROM sources').all()).toEqual([{ connection_status: 'error' }])
    sqlite.close()
    expect(await importAgain(data)).toMatchObject({ stored: 0, duplicates: 4 * 37 })
    const again = new DatabaseSync(join(data, 'control.sqlite'), { readOnly: true })
    expect(again.prepare('SELECT connection_status FROM sources').all()).toEqual([{ connection_status: 'live' }])
    again.close()
  })

  test('holds the two stores and their checksums, no key file, and only its owner may read it', async () => {
    await service.importText(site, twoMonths())
    writeFileSync(join(service.folder, 'secret.key'), 'a secret')
    const { bytes } = await write()
    expect(statSync(file)).toMatchObject({ size: bytes, mode: 0o100600 })
    const names = await namesOf(file)
    expect(names.at(0)).toBe(MANIFEST)
    expect(names.at(1)).toBe(CONTROL)
    expect(names.at(-1)).toBe(CHECKSUMS)
    expect(names.slice(2, -1).every((name) => name.startsWith('evidence/'))).toBe(true)
    expect(new Set(names.slice(2, -1).map((name) => name.split('/')[1]))).toEqual(
      new Set(['agent_labels', 'agents', 'identity', 'pages', 'requests']),
    )
    expect(readFileSync(file).includes('a secret')).toBe(false)
    expect(readdirSync(folder)).toEqual(['spoor.tar'])
    expect(existsSync(join(service.folder, 'backup.partial'))).toBe(false)
    expect(existsSync(join(service.folder, 'evidence', 'shadow'))).toBe(false)
  })

  test('holds sealed secrets and not their key: a restored folder says what to do', async () => {
    const { secrets } = service.installation
    const sealed = secrets.seal('a-token', 'here')
    const name = 'secret.key'
    const made = readFileSync(join(service.folder, name), 'utf8').trim()
    await write()
    const archive = readFileSync(file)
    for (const form of [Buffer.from(made), Buffer.from(made, 'base64'), Buffer.from(name)]) {
      expect(archive.includes(form)).toBe(false)
    }
    await service.installation.close()
    const data = join(folder, 'data')
    await restoring(data)
    expect(() => openSecretBox(data, { secret_key: null }).open(sealed, 'here')).toThrow(
      /put back the file secret\.key/,
    )
    copyFileSync(join(service.folder, name), join(data, name))
    expect(openSecretBox(data, { secret_key: null }).open(sealed, 'here')).toBe('a-token')
    await restoring(data, true)
    expect(openSecretBox(data, { secret_key: null }).open(sealed, 'here')).toBe('a-token')
  })

  test('taken during imports and roll-ups, it is of one instant: every answer adds up', async () => {
    await service.importText(site, twoMonths())
    let done = false
    const busy = (async () => {
      for (let at = 0; !done; at++) {
        await service.importText(
          site,
          history()
            .on('2026-03-05')
            .humans()
            .crawler('oai-searchbot')
            .requests(50, { path: `/n/${at}` }),
        )
        await service.rebuild()
      }
    })()
    for (let at = 0; at < 2; at++) await write(true)
    done = true
    await busy
    await service.installation.close()
    const data = join(folder, 'data')
    await restoring(data)
    const installation = await openInstallation({
      config: { ...readConfig({}), data },
      clock: fakeClock(NOW),
      log,
      wait_ms: 0,
    })
    const { evidence, control } = await installation.crawlers()
    const builds = await control.db.selectFrom('builds').selectAll().where('kind', '=', 'crawlers').execute()
    const dirty = await control.db.selectFrom('dirty_days').select('day').where('kind', '=', 'crawlers').execute()
    const clean = builds.filter(({ day }) => !dirty.some((row) => row.day === day))
    const Sum = Type.Object({ day: Type.String(), build: count(), n: count() })
    const facts = await evidence.all(rows(Sum)`
      SELECT toString(day) AS day, toUInt64(0) AS build, sum(requests) AS n FROM spoor.requests FINAL GROUP BY day`)
    const rolled = await evidence.all(rows(Sum)`
      SELECT toString(day) AS day, build, sum(requests) AS n FROM spoor.crawler_daily GROUP BY day, build`)
    await installation.close()
    for (const { day, build } of clean) {
      expect(rolled.find((row) => row.day === day && row.build === build)?.n).toBe(
        facts.find((row) => row.day === day)?.n,
      )
    }
  })

  test('a second backup at the same time is refused, and an existing file is replaced only with --force', async () => {
    const first = write()
    await expect(write()).rejects.toThrow(/A backup is being made already/)
    await first
    await expect(write()).rejects.toThrow(/spoor.tar exists: name another file, or give --force/)
    const { ino } = statSync(file)
    await write(true)
    expect(statSync(file).ino).not.toBe(ino)
  })
})

describe('a restore refuses, and changes nothing', () => {
  test('a folder that holds evidence, unless it may move it aside', async () => {
    await service.importText(site, twoMonths())
    const before = await answersNow()
    await write()
    await service.importText(site, history().on('2026-03-05').humans().crawler('oai-searchbot').requests(50))
    await service.installation.close()
    writeFileSync(join(service.folder, 'secret.key'), 'kept')
    writeFileSync(join(service.folder, 'quotas.sqlite'), 'counts')
    await expect(restoring(service.folder)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/--replace/),
    })
    const restored = await restoring(service.folder, true)
    expect(existsSync(join(service.folder, 'quotas.sqlite'))).toBe(false)
    expect(await answersOf(service.folder)).toEqual(before)
    expect(readdirSync(String(restored.moved_aside)).sort()).toEqual(['control.sqlite', 'evidence', 'quotas.sqlite'])
    expect(readFileSync(join(service.folder, 'secret.key'), 'utf8')).toBe('kept')
    expect(await answersOf(String(restored.moved_aside))).not.toEqual(before)
  })

  test('a folder that another process uses', async () => {
    await write()
    await expect(restoring(service.folder, true)).rejects.toMatchObject({ kind: 'store_busy' })
  })

  test('a file that is cut off, damaged anywhere, missing, or no backup', async () => {
    await service.importText(site, twoMonths())
    const { bytes } = await write()
    await service.installation.close()
    const whole = readFileSync(file)
    const data = join(folder, 'data')
    const refused = async (words: RegExp) => {
      await expect(restoring(data)).rejects.toMatchObject({
        kind: 'not_readable',
        message: expect.stringMatching(words),
      })
      expect(existsSync(data)).toBe(false)
    }
    for (const length of [300, 5_000, bytes >> 1, bytes - 1_200]) {
      writeFileSync(file, whole)
      truncateSync(file, length)
      await refused(length === 300 ? /is not a backup/ : /is damaged .*nothing was changed/)
    }
    // The zeros that fill an entry's last block belong to no file.
    const firstOfFile = (from: number) => whole.findIndex((byte, at) => at >= from && byte !== 0)
    for (const at of [firstOfFile(2_000), firstOfFile(bytes >> 1), whole.findLastIndex((byte) => byte !== 0)]) {
      const damaged = Buffer.from(whole)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x20, at)
      writeFileSync(file, damaged)
      await refused(/is damaged .*nothing was changed/)
    }
    writeFileSync(file, randomBytes(10_000))
    await refused(/is not a backup made by Spoor: name a file that/)
    writeFileSync(file, gzipSync(whole))
    await refused(/is compressed \(gzip\): unpack it \(gunzip --keep /)
    writeFileSync(file, zstdCompressSync(whole))
    await refused(/is compressed \(zstd\): unpack it \(unzstd /)
    writeFileSync(file, '')
    await refused(/is not a backup/)
    file = join(folder, 'missing.tar')
    await refused(/does not exist/)
  })

  test.each([
    ['control', { control_layout: ['0001-first-tables', '9999-later'] }],
    ['evidence', { evidence_layout: 9_999 }],
    ['file format', { format: 2 }],
  ])('a backup of a newer layout: %s', async (_, newer) => {
    await write()
    await service.installation.close()
    const archive = readFileSync(file)
    const manifest = { ...JSON.parse(archive.subarray(512, archive.indexOf('\0', 512)).toString()), ...newer }
    const { pack } = await import('#backup/pack.ts')
    const text = Buffer.from(JSON.stringify(manifest))
    const parts: Buffer[] = []
    for await (const part of pack([{ name: MANIFEST, size: text.length, from: text }], 0)) parts.push(part)
    writeFileSync(file, Buffer.concat(parts))
    await expect(restoring(join(folder, 'data'))).rejects.toThrow(
      /was made by a newer Spoor .*Restore it with that version/,
    )
  })
})

describe('a restore that is killed', () => {
  test('before its end leaves the folder as it was, in the middle of its last step it is finished by the next start', async () => {
    await service.importText(site, twoMonths())
    const before = await answersNow()
    await write()
    await service.installation.close()
    const data = join(folder, 'data')
    // Killed while it prepared: the leftovers go, and the folder is still empty.
    mkdirSync(join(data, 'restore.partial'), { recursive: true })
    writeFileSync(join(data, 'restore.partial', 'control.sqlite'), 'half')
    await restoring(data)
    expect(await answersOf(data)).toEqual(before)
    // Killed after the evidence's place was taken, with the control store still to move.
    const partial = join(data, 'restore.partial')
    mkdirSync(partial)
    writeFileSync(join(partial, 'ready'), JSON.stringify({ aside: join(data, 'aside') }))
    renameSync(join(data, 'evidence'), join(partial, 'evidence'))
    expect(await answersOf(data)).toEqual(before)
    expect(readdirSync(data).sort()).toEqual(['control.sqlite', 'evidence', 'lock'])
  })
})
