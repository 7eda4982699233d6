import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#clock.ts'
import { foldersOf } from '#installation/folders.ts'
import { openNodes } from '#installation/open-nodes.ts'
import { sharedClock } from '#nodes/shared-clock.ts'
import { serviceOfFile } from '../support/fresh.ts'

const shared = serviceOfFile()
const SERVERS = {
  clickhouse: { urls: ['http://127.0.0.1:1'], cluster: null },
  collect: { mode: 'direct', folder: null },
} as const

test('a collector that is opened again has its own node, and the previous one does not report a rival', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00Z')
  const { config, control, secrets } = service.installation
  const clock = sharedClock(systemClock())
  const log = pino({ level: 'silent' })
  let fenced = 0
  const nodes = await openNodes(
    {
      config: { ...config, ...SERVERS },
      control,
      clock,
      log,
      is_clock_simulated: true,
      onFenced: () => fenced++,
    },
    foldersOf(service.folder),
  )
  onTestFinished(() => nodes.stop())
  const open = () => nodes.collect({ ...service.crawlers, clock, secrets, log })
  await (await open()).stop()
  const again = await open()
  onTestFinished(() => again.stop())
  const row = () => control.db.selectFrom('nodes').selectAll().executeTakeFirstOrThrow()
  expect(await row()).toMatchObject({ epoch: 2, state: 'up' })
  // Each node reports once a second: after two reports of this one the other would have reported, too.
  const reports = new Set<number>()
  await expect.poll(async () => reports.add((await row()).seen_at).size).toBeGreaterThan(2)
  expect(fenced).toBe(0)
})

test('a service alone ends where the control store is restored to an earlier state under its collector', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00Z')
  const { config, control, secrets } = service.installation
  const clock = sharedClock(service.clock)
  const log = pino({ level: 'silent' })
  let fenced = 0
  const nodes = await openNodes(
    { config, control, clock, log, is_clock_simulated: true, onFenced: () => fenced++ },
    foldersOf(service.folder),
  )
  const collector = await nodes.collect({ ...service.crawlers, clock, secrets, log })
  onTestFinished(() => collector.stop())
  await collector.mark()
  expect(fenced).toBe(0)
  await control.db.deleteFrom('collector_runs').execute()
  await collector.mark()
  expect(fenced).toBe(1)
})

test('a node uses the time of the database from the start, and reports if its own clock differs', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00Z')
  const { config, secrets } = service.installation
  const machine = systemClock()
  const clock = sharedClock(machine)
  const log = pino({ level: 'silent' })
  let ahead_ms = 600_000
  const server = async () => ({ version: '18', now: machine.now() - ahead_ms })
  const control = { ...service.installation.control, server }
  const nodes = await openNodes(
    { config: { ...config, ...SERVERS }, control, clock, log, is_clock_simulated: false },
    foldersOf(service.folder),
  )
  onTestFinished(() => nodes.stop())
  const isBehind = () => Math.abs(clock.now() - clock.shared() - ahead_ms) < 200
  expect(isBehind()).toBe(true)
  const collector = await nodes.collect({ ...service.crawlers, control, clock, secrets, log })
  onTestFinished(() => collector.stop())
  expect([nodes.isClockWrong(), nodes.isReady()]).toEqual([true, false])
  ahead_ms = 0
  await expect.poll(() => [nodes.isClockWrong(), nodes.isReady()]).toEqual([false, true])
  expect(isBehind()).toBe(true)
})

test('a node in the mode direct does not start while events of an earlier mode wait in its data folder', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00Z')
  const { config, control, secrets } = service.installation
  const clock = sharedClock(systemClock())
  const log = pino({ level: 'silent' })
  const folders = foldersOf(service.folder)
  const nodes = await openNodes(
    { config: { ...config, ...SERVERS }, control, clock, log, is_clock_simulated: true },
    folders,
  )
  onTestFinished(() => nodes.stop())
  const open = () => nodes.collect({ ...service.crawlers, clock, secrets, log })
  const left = join(folders.spool, '0000000000000001.2026-03-10.spool')
  mkdirSync(folders.spool, { recursive: true })
  writeFileSync(left, '')
  await expect(open()).rejects.toMatchObject({
    kind: 'store_busy',
    message: expect.stringContaining('the stores do not take them now'),
  })
  expect(await control.db.selectFrom('nodes').selectAll().execute()).toEqual([])
  rmSync(left)
  await (await open()).stop()
})
