import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, list, sql, uuid } from '#evidence/sql.ts'
import { changedPartitions, readParts } from '#move/changed-parts.ts'
import { MOVED_TABLES, type MovedTable } from '#move/moved-tables.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'

const SITE = '00000000-0000-4000-8000-000000000001'
const ROLL_UPS = MOVED_TABLES.find(({ name }) => name === 'crawler_daily') as MovedTable

let evidence: TestEvidence
beforeAll(async () => {
  evidence = await openTestEvidence()
})
afterAll(() => evidence.remove())

const add = (days: readonly string[]) =>
  evidence.store.run(
    sql`INSERT INTO spoor.crawler_daily (site_id, day, build) SELECT ${uuid(SITE)}, arrayJoin(${list('Date', days)}), 7`,
  )

test('additions are known by day, deletions by month, and the rest is not read', async () => {
  const { store } = evidence
  await store.run(sql`SYSTEM STOP MERGES spoor.crawler_daily`)
  await add(['2026-01-05', '2026-01-06'])
  const first = await readParts(store)
  expect(await changedPartitions(store, ROLL_UPS, new Map(), first)).toEqual([{ partition: '202601', pieces: 'any' }])
  expect(await changedPartitions(store, ROLL_UPS, first, first)).toEqual([])

  await add(['2026-01-09'])
  await add(['2026-02-01'])
  const second = await readParts(store)
  expect(await changedPartitions(store, ROLL_UPS, first, second)).toEqual([
    { partition: '202601', pieces: [[SITE, '2026-01-09', '7']] },
    { partition: '202602', pieces: 'any' },
  ])

  await store.run(sql`SYSTEM START MERGES spoor.crawler_daily`)
  await store.run(sql`DELETE FROM spoor.crawler_daily WHERE day = ${day('2026-01-05')}`)
  const third = await readParts(store)
  expect(await changedPartitions(store, ROLL_UPS, second, third)).toContainEqual({ partition: '202601', pieces: 'any' })

  // Files that are gone again before their rows are read: nothing is missed.
  await add(['2026-01-20'])
  const fourth = await readParts(store)
  await store.run(sql`OPTIMIZE TABLE spoor.crawler_daily FINAL`)
  expect(await changedPartitions(store, ROLL_UPS, third, fourth)).toContainEqual({ partition: '202601', pieces: 'any' })

  await store.run(sql`ALTER TABLE spoor.crawler_daily DROP PARTITION ID '202602'`)
  const fifth = await readParts(store)
  expect(await changedPartitions(store, ROLL_UPS, fourth, fifth)).toContainEqual({ partition: '202602', pieces: 'any' })
})
