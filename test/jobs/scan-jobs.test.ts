import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '#clock.ts'
import { scanJobs } from '#jobs/scan-jobs.ts'
import { type Schedule, startSchedule } from '#jobs/schedule.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
let clock: FakeClock
const schedules: Schedule[] = []
beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-10T12:00:00Z')
})
afterEach(async () => {
  for (const schedule of schedules.splice(0)) await schedule.stop()
  await store.remove()
})

test('each node deletes the raw responses of removed questions that are in its own data folder', async () => {
  const log = pino({ level: 'silent' })
  const files: string[] = []
  for (const node of ['a', 'b']) {
    const payload_folder = join(store.folder, node)
    const file = join(payload_folder, crypto.randomUUID(), crypto.randomUUID(), 'answer.1')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'sealed')
    files.push(file)
    const context = { control: store.control, clock, log, payload_folder }
    const jobs = scanJobs(context as never).filter(({ name }) => name === 'delete_payloads')
    schedules.push(
      startSchedule({ ...context, is_clock_simulated: false, is_node: true, look_every_ms: HOUR_MS }, jobs),
    )
  }
  await expect.poll(() => files.map((file) => existsSync(file)), { timeout: 5_000 }).toEqual([false, false])
})
