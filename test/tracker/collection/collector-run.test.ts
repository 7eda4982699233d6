import { afterEach, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import { openRun } from '#tracker/collection/collector-run.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'

let opened: TestControl
let clock: FakeClock
let restored: number
beforeEach(async () => {
  opened = await openTestControl()
  clock = fakeClock('2026-03-10T12:00:00Z')
  restored = 0
})
afterEach(() => opened.remove())

const open = () => openRun({ control: opened.control, clock }, async () => true, { onRestored: () => restored++ })
const runs = () => opened.control.db.selectFrom('collector_runs').selectAll().orderBy('from_at').execute()

test('marks, outages and clocks that are set back are not taken for a restored control store', async () => {
  const run = await open()
  clock.advance(MINUTE_MS)
  await run.mark()
  expect(await runs()).toHaveLength(1)
  run.noteOutage()
  await run.mark()
  clock.advance(5 * MINUTE_MS)
  await run.mark()
  clock.advance(-2 * MINUTE_MS)
  await run.mark()
  expect([restored, (await runs()).length]).toEqual([0, 4])
})

test.each([
  ['its last mark is older', 1_000],
  ['its run is gone', null],
])('a control store that was restored to an earlier state is noticed, even after an outage: %s', async (_, through) => {
  const run = await open()
  clock.advance(MINUTE_MS)
  await run.mark()
  const { db } = opened.control
  if (through === null) await db.deleteFrom('collector_runs').execute()
  else
    await db
      .updateTable('collector_runs')
      .set({ through_at: clock.now() - MINUTE_MS - through })
      .execute()
  clock.advance(5 * MINUTE_MS)
  run.noteOutage()
  await run.mark()
  expect(restored).toBe(1)
  await run.mark()
  expect(restored).toBe(1)
})
