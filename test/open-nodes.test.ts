import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#clock.ts'
import { openNodes } from '../src/open-nodes.ts'
import { serviceOfFile } from './support/fresh.ts'

const shared = serviceOfFile()

test('a collector that is opened again has a node of its own, and the one before takes nobody for its rival', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00Z')
  const { config, control, secrets } = service.installation
  const clock = systemClock()
  const log = pino({ level: 'silent' })
  let fenced = 0
  const servers = { clickhouse: { urls: ['http://127.0.0.1:1'], cluster: null } }
  const collect = { mode: 'direct', folder: null } as const
  const nodes = await openNodes(
    {
      ...{ config: { ...config, ...servers, collect }, control, clock, log, is_clock_simulated: true },
      onFenced: () => fenced++,
    },
    service.folder,
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
