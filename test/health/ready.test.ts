/** `/readyz` on real small disks: `mount` is needed, and where it is not permitted the reason is in the test's name. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { isReady } from '#health/ready.ts'
import { fact } from '../evidence/facts.ts'
import { memoryDisk, no_mounts, type SmallDisk } from '../support/disk.ts'
import { openTestService, type TestService } from '../support/service.ts'

const because = no_mounts === null ? '' : ` (cannot be tested: ${no_mounts})`

describe.skipIf(no_mounts !== null)(`readiness${because}`, () => {
  let disk: ReturnType<typeof memoryDisk>
  let service: TestService
  beforeAll(async () => {
    disk = memoryDisk(96)
    const folder = join(disk.folder, 'data')
    mkdirSync(folder)
    service = await openTestService('2026-03-10T12:00:00Z', folder)
  })
  afterAll(async () => {
    await service?.close()
    ;(disk as SmallDisk | undefined)?.remove()
  })
  const ready = async () => {
    const { status, text } = await service.ask('/readyz')
    return [status, text]
  }

  test('is refused exactly while the evidence store refuses inserts for want of space', async () => {
    const { evidence } = service.crawlers
    expect(await ready()).toEqual([200, 'ok'])
    disk.fill(3 << 20)
    expect(await ready()).toEqual([503, 'not ok'])
    const insert = () => evidence.insert('requests', jsonRows([fact({})]), 1)
    await expect(insert()).rejects.toMatchObject({ kind: 'disk_full' })
    disk.empty()
    expect(await ready()).toEqual([200, 'ok'])
    await insert()
  })

  test('is refused on a read-only disk', async () => {
    const other = memoryDisk(4)
    try {
      const { control } = service.installation
      const ask = () => isReady({ control, evidence: service.crawlers.evidence, folder: other.folder })
      expect(await ask()).toBe(true)
      other.remount('ro')
      await expect(ask()).rejects.toThrow(/EROFS/)
    } finally {
      other.remove()
    }
  })
})
