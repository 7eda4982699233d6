import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Config } from '#config.ts'
import { history } from '#demo/history.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { fakeClock } from '../support/clock.ts'
import { makeTestFolder } from '../support/control.ts'
import { createDatabase } from '../support/postgres.ts'
import { openTestService } from '../support/service.ts'

const NOW = '2026-03-08T12:00:00Z'
const is_postgres = inject('control_store') === 'postgres'
const log = pino({ level: 'silent' })

let config: Config
const left: (() => Promise<void> | void)[] = []
beforeEach(async () => {
  const service = await openTestService(NOW)
  config = service.installation.config
  const site = await service.addSite('example.com')
  await service.importText(site, history().on('2026-03-07').humans().crawler('gptbot').requests(2))
  await service.installation.close()
  left.push(() => service.close())
})
afterEach(async () => {
  for (const end of left.splice(0)) await end()
})

/** The same folder beside a control store that holds nothing. */
async function withEmptyControl(): Promise<Config> {
  if (!is_postgres) {
    truncateSync(join(config.data, 'control.sqlite'))
    return config
  }
  const empty = await createDatabase()
  left.push(() => empty.drop())
  return { ...config, database_url: empty.url }
}

const open = (asked: Config) => openInstallation({ config: asked, clock: fakeClock(NOW), log, wait_ms: 0 })
const advice = /control store.* is lost.*evidence is there.*Restore a backup.*move it away/s

describe('a control store that is missing or empty beside evidence', () => {
  test('an empty one is refused at the start, and says what to do', async () => {
    const empty = await withEmptyControl()
    await expect(open(empty)).rejects.toMatchObject({ kind: 'conflict', message: expect.stringMatching(advice) })
    // Refusing has not made it look like an installation.
    await expect(open(empty)).rejects.toMatchObject({ kind: 'conflict' })
  })

  test.skipIf(is_postgres)('a missing file is refused and not made again', async () => {
    rmSync(join(config.data, 'control.sqlite'))
    await expect(open(config)).rejects.toMatchObject({ kind: 'conflict', message: expect.stringMatching(advice) })
    expect(existsSync(join(config.data, 'control.sqlite'))).toBe(false)
  })

  test('the same evidence opens beside its own control store, and an empty control store opens where the evidence was moved away', async () => {
    const own = await open(config)
    await own.crawlers()
    await own.close()
    const empty = await withEmptyControl()
    rmSync(join(config.data, 'evidence'), { recursive: true })
    const fresh = await open(empty)
    await fresh.crawlers()
    await fresh.close()
  })

  test('events that wait in the spool are evidence too', async () => {
    const empty = await withEmptyControl()
    rmSync(join(config.data, 'evidence'), { recursive: true })
    mkdirSync(join(config.data, 'spool'), { recursive: true })
    writeFileSync(join(config.data, 'spool', '2026-03-07-1.ndjson'), '{}\n')
    await expect(open(empty)).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('a first start that broke off before anything was stored is completed', async () => {
    const folder = makeTestFolder()
    const first = await openTestService(NOW, folder)
    left.push(() => first.close())
    const asked = first.installation.config
    await first.installation.close()
    config = asked
    const empty = await withEmptyControl()
    const again = await open(empty)
    const { account_id, control } = again.operator
    expect(await control.db.selectFrom('accounts').select('id').execute()).toEqual([{ id: account_id }])
    await again.close()
  })
})
