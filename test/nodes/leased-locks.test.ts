/** Locks of several processes on one control store (decisions 8.1, ADR 44). */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { openLeasedLocks } from '#nodes/leased-locks.ts'
import { sharedClock } from '#nodes/shared-clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
beforeEach(async () => {
  store = await openTestControl()
})
afterEach(() => store.remove())

/** The locks of another process, which has a store of its own. */
const locksOf = async (lease_ms?: number) =>
  openLeasedLocks({
    control: await store.open(),
    clock: systemClock(),
    ...(lease_ms === undefined ? {} : { lease_ms }),
  })

describe('a leased lock', () => {
  test('is held by one process at a time, and its epoch rises', async () => {
    const processes = [await locksOf(), await locksOf(), await locksOf()]
    let running = 0
    const epochs: number[] = []
    const work = async ({ epoch }: { epoch: number }) => {
      expect(++running).toBe(1)
      await pause(5)
      running--
      epochs.push(epoch)
    }
    await Promise.all(processes.flatMap((locks) => [locks.run('table events', work), locks.run('table events', work)]))
    expect(epochs).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('of another name is held at the same time', async () => {
    const [one, other] = [await locksOf(), await locksOf()]
    await one.run('table events', () => other.run('table pages', async () => {}))
  })

  test('does not make tryRun wait', async () => {
    const [one, other] = [await locksOf(), await locksOf()]
    const tried = await one.run('spool a', () => other.tryRun('spool a', async () => {}))
    expect(tried).toBe(false)
    expect(await other.tryRun('spool a', async () => {})).toBe(true)
  })

  test('is released when its work fails', async () => {
    const [one, other] = [await locksOf(), await locksOf()]
    await expect(one.run('facts', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await other.tryRun('facts', async () => {})).toBe(true)
  })

  test('is renewed while its work lasts longer than the lease', async () => {
    const [one, other] = [await locksOf(200), await locksOf(200)]
    await one.run('imports', async (lock) => {
      const end = Date.now() + 600
      while (Date.now() < end) {
        expect(await other.tryRun('imports', async () => {})).toBe(false)
        await pause(20)
      }
      lock.check()
    })
  })

  test('of a silent process is free after its lease, and that process is notified before it writes', async () => {
    const clock = systemClock()
    const control = await store.open()
    let is_away = false
    // Its statements no longer reach the store.
    const db = {
      insertInto: control.db.insertInto.bind(control.db),
      updateTable(table: 'turns') {
        if (is_away) throw new Error('away')
        return control.db.updateTable(table)
      },
    } as unknown as ControlStore['db']
    const silent = openLeasedLocks({ control: { ...control, db }, clock, lease_ms: 200 })
    const other = await locksOf(200)
    await silent.run('facts', async (lock) => {
      lock.check()
      is_away = true
      await other.run('facts', async (taken) => expect(taken.epoch).toBe(lock.epoch + 1))
      expect(() => lock.check()).toThrow('lost')
    })
  })

  test.each([6_000, -6_000, 660_000])('is not given to a machine whose clock is %i ms ahead', async (ahead) => {
    const time = systemClock()
    const open = async (machine: Clock) => {
      const clock = sharedClock(machine)
      await clock.compare({ server: async () => ({ version: '18', now: time.now() }) })
      return openLeasedLocks({ control: await store.open(), clock })
    }
    const right = await open(time)
    const off = await open({ ...time, now: () => time.now() + ahead })
    for (const [holder, other] of [
      [right, off],
      [off, right],
    ] as const) {
      await holder.run('table requests', async (lock) => {
        expect(await other.tryRun('table requests', async () => {})).toBe(false)
        lock.check()
      })
      expect(await other.tryRun('table requests', async () => {})).toBe(true)
    }
  })

  test('counts how often pages were deleted under it', async () => {
    const [one, other] = [await locksOf(), await locksOf()]
    await one.run('facts', async (lock) => {
      expect(lock.deletions).toBe(0)
      await lock.noteDeletion()
      expect(lock.deletions).toBe(1)
    })
    await other.run('facts', async (lock) => expect(lock.deletions).toBe(1))
  })
})
