import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readMigrations } from '#evidence/migrate.ts'
import { count, rows, sql } from '#evidence/sql.ts'
import { type Pulse, startPulse } from '#health/pulse.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'

let evidence: TestEvidence
let pulse: Pulse
let beats = 0
beforeEach(async () => {
  evidence = await openTestEvidence()
  beats = 0
  pulse = startPulse({ every_ms: 20, beat: () => (beats += 1) })
})
afterEach(async () => {
  pulse.stop()
  await evidence.remove()
})

const Slept = Type.Object({ slept: count() })
const sleepOnce = rows(
  Slept,
)`SELECT count() AS slept FROM (SELECT sleepEachRow(1) FROM numbers(2) SETTINGS max_block_size = 1)`

test('busy readers and a busy writer, as in long imports and rebuilds, are no hang', async () => {
  const { store } = evidence
  pulse.also(() => store.ping())
  // More reads than there are readers, so that the next reader is free only seconds later.
  const reads = Array.from({ length: 8 }, () => store.all(sleepOnce))
  const write = store.run(sql`SELECT sleepEachRow(1) FROM numbers(2) SETTINGS max_block_size = 1`)
  let over = false
  const work = Promise.all([...reads, write]).then(() => (over = true))
  await pause(100)
  const before = beats
  await vi.waitUntil(() => beats > before || over, { timeout: 60_000 })
  expect(over).toBe(false)
  const layout = (await readMigrations()).length
  expect(await store.state()).toMatchObject({ layout, memory_bytes: expect.any(Number) })
  await work
})

test('a probe that does not answer ends the signs of life, one that fails does not', async () => {
  pulse.also(async () => {
    throw new Error('the disk is full')
  })
  await vi.waitUntil(() => beats > 1, { timeout: 60_000 })
  const asked = Promise.withResolvers<void>()
  pulse.also(() => {
    asked.resolve()
    return new Promise(() => {})
  })
  await asked.promise
  const before = beats
  await pause(200)
  expect(beats).toBe(before)
})
