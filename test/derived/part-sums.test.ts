/** Sums by the parts of a table: what is summed of a part is not read again, and each row counts once. */
import { beforeEach, expect, test } from 'vitest'
import { type PartSum, sumParts } from '#derived/part-sums.ts'
import { ValueCache } from '#derived/value-cache.ts'
import { sql } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Site } from '#sites/site.ts'
import { eventsBefore } from '#tracker/sessions/settled-sessions.sql.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { storeEvents } from '../support/tracker.ts'

const DAY = '2026-03-10'
const END = Date.parse(`${DAY}T23:59:59Z`)

let service: TestService
let site: Site
let answers: ValueCache
/** Called before each statement. */
let beforeRead: () => Promise<void>
/** The parts whose rows each statement returned. */
let returned: string[][]
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(`${DAY}T12:00:00.000Z`)
  site = await service.addSite('example.com')
  answers = new ValueCache(1_000_000)
  beforeRead = async () => {}
  returned = []
  await service.crawlers.evidence.run(sql`SYSTEM STOP MERGES spoor.events`)
})

const storeAt = (...times: string[]) =>
  storeEvents(
    service,
    site,
    times.map((time, visitor) => ({ at: `${DAY}T${time}Z`, visitor })),
  )

const merge = async () => {
  const { evidence } = service.crawlers
  await evidence.run(sql`SYSTEM START MERGES spoor.events`)
  await evidence.run(sql`OPTIMIZE TABLE spoor.events FINAL`)
  await evidence.run(sql`SYSTEM STOP MERGES spoor.events`)
}

async function countEvents(has_own_parts = true): Promise<number> {
  const store = service.crawlers.evidence
  const evidence: Pick<EvidenceStore, 'all' | 'has_own_parts'> = {
    has_own_parts,
    all: async (statement) => {
      await beforeRead()
      const rows = await store.all(statement)
      returned.push((rows as PartSum[]).filter(({ rows: summed }) => summed > 0).map(({ part }) => part))
      return rows
    },
  }
  const read = (known: readonly string[] | null) => eventsBefore(site.id, DAY, END, known)
  const parts = await sumParts({ evidence, derived: { answers } }, { key: 'events', read })
  return parts.reduce((sum, { rows }) => sum + rows, 0)
}

test('a part is read once, and later additions are read alone', async () => {
  await storeAt('09:00:00', '09:01:00')
  expect(await countEvents()).toBe(2)
  await storeAt('09:02:00')
  expect(await countEvents()).toBe(3)
  expect(await countEvents()).toBe(3)
  expect(returned.map((parts) => parts.length)).toEqual([1, 1, 0])
  expect(new Set(returned.flat()).size).toBe(2)
})

test('parts that were merged in the meantime are read as one', async () => {
  await storeAt('09:00:00')
  await storeAt('09:01:00')
  expect(await countEvents()).toBe(2)
  await merge()
  await storeAt('09:02:00')
  expect(await countEvents()).toBe(3)
  expect(await countEvents()).toBe(3)
})

test('rows count once where parts are merged while others are summed', async () => {
  await storeAt('09:00:00')
  expect(await countEvents()).toBe(1)
  await storeAt('09:01:00')
  await merge()
  // What is read again for that is merged once more.
  let reads = 0
  beforeRead = async () => {
    if (++reads !== 2) return
    await storeAt('09:02:00')
    await merge()
  }
  expect(await countEvents()).toBe(3)
  expect(reads).toBe(3)
  expect(await countEvents()).toBe(3)
})

test('if parts have no names, everything is read at once', async () => {
  await storeAt('09:00:00')
  expect(await countEvents(false)).toBe(1)
  await storeAt('09:01:00')
  expect(await countEvents(false)).toBe(2)
  expect(returned).toEqual([[''], ['']])
})
