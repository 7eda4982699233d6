/** A backup holds a site's events and no visitor's salt; after a restore their days are derived anew (rules 7). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { writeBackup } from '#backup/backup-file.ts'
import { readConfig } from '#config.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { restoreInstallation } from '#installation/restore-installation.ts'
import { fakeClock } from '../support/clock.ts'
import { openCollecting } from '../support/collect.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

const NOW = '2026-03-10T12:00:00Z'
const log = pino({ level: 'silent' })
const folder = makeTestFolder()
afterAll(() => removeTestFolder(folder))

test('salts are not in backups, and restored days are dirty', async () => {
  const a = await openCollecting(NOW)
  await a.browser(a.event())
  await a.stored()
  const { db } = a.service.installation.control
  await db.deleteFrom('dirty_days').execute()
  const [salt] = await db.selectFrom('visitor_salts').selectAll().execute()
  const file = join(folder, 'a.tar')
  const options = { force: false, signal: new AbortController().signal, onWritten() {} }
  await a.service.installation.backup((archive) => writeBackup(file, archive, options))
  await a.close()
  expect(salt?.sealed_salt).toMatch(/^v1\./)
  expect(readFileSync(file).includes(salt?.sealed_salt as string)).toBe(false)

  const config = { ...readConfig({}), data: join(folder, 'restored') }
  const clock = fakeClock(NOW)
  await restoreInstallation({ config, clock, log, wait_ms: 0 }, { file, replace: false }, () => {})
  const restored = await openInstallation({ config, clock, log, wait_ms: 0 })
  try {
    const { db: copy } = restored.control
    expect(await copy.selectFrom('visitor_salts').selectAll().execute()).toEqual([])
    expect(await copy.selectFrom('dirty_days').select('day').where('kind', '=', 'sessions').execute()).toEqual([
      { day: '2026-03-10' },
    ])
  } finally {
    await restored.close()
  }
})
