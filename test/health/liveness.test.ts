import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readMigrations } from '#evidence/migrate.ts'
import { count, rows, sql } from '#evidence/sql.ts'
import { type Liveness, startLiveness } from '#health/liveness.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'

let evidence: TestEvidence
let liveness: Liveness
let beats = 0
beforeEach(async () => {
  evidence = await openTestEvidence()
  beats = 0
  liveness = startLiveness({ every_ms: 20, beat: () => (beats += 1) })
})
afterEach(async () => {
  liveness.stop()
  await evidence.remove()
})

const Slept = Type.Object({ slept: count() })
const sleepOnce = rows(
  Slept,
)`SELECT count() AS slept FROM (SELECT sleepEachRow(1) FROM numbers(2) SETTINGS max_block_size = 1)`

test('busy readers and a busy writer, as in long imports and rebuilds, are not a hang', async () => {
  const { store } = evidence
  liveness.also(() => store.ping())
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
  liveness.also(async () => {
    throw new Error('the disk is full')
  })
  await vi.waitUntil(() => beats > 1, { timeout: 60_000 })
  const asked = Promise.withResolvers<void>()
  liveness.also(() => {
    asked.resolve()
    return new Promise(() => {})
  })
  await asked.promise
  const before = beats
  await pause(200)
  expect(beats).toBe(before)
})
