import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { describe, expect, inject, test } from 'vitest'
import { restoreInstallation } from '#installation/restore-installation.ts'
import { openTestService } from '../support/service.ts'

const is_postgres = inject('control_store') === 'postgres'

describe.skipIf(!is_postgres)(`a control store in PostgreSQL${is_postgres ? '' : ' (runs in that project)'}`, () => {
  test('is not backed up or restored here, and the refusal refers to pg_dump and pg_restore', async () => {
    const service = await openTestService('2026-03-10T12:00:00Z')
    const { installation, clock, folder } = service
    const never = () => Promise.reject(new Error('handed out'))
    await expect(installation.backup(never)).rejects.toMatchObject({
      kind: 'not_built',
      message: expect.stringMatching(/pg_dump/),
    })
    expect(existsSync(join(folder, 'backup.partial'))).toBe(false)
    const options = { config: installation.config, clock, log: pino({ level: 'silent' }), wait_ms: 0 }
    await expect(restoreInstallation(options, { file: 'a.tar', replace: false }, () => {})).rejects.toMatchObject({
      kind: 'not_built',
      message: expect.stringMatching(/pg_restore/),
    })
    await service.close()
  })
})
