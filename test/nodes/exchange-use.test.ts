/** Limits of events that nodes on one control store keep together (decisions 8.2, ADR 43). */
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteNode } from '#nodes/delete-nodes.ts'
import { openLeasedLocks } from '#nodes/leased-locks.ts'
import { joinNodes, type ServiceNode } from '#nodes/node.ts'
import { sharedClock } from '#nodes/shared-clock.ts'
import { type AdmittedRates, openAdmittedRates } from '#tracker/collection/admitted-rates.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const LIMITS = { address: { per_second: 20, burst: 100 }, site: { per_second: 200, burst: 1_000 } }
const log = pino({ level: 'silent' })
const ADDRESS = '198.51.100.7'

let store: TestControl
let clock: FakeClock
const members: Member[] = []
beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-10T12:00:00Z')
})
afterEach(async () => {
  for (const { rates, node } of members.splice(0)) await rates.stop().then(() => node.stop())
  await store.remove()
})

interface Member {
  node: ServiceNode
  rates: AdmittedRates
  id: string
}

/** A node that exchanges only when a test asks it to. */
async function openMember(letter: string): Promise<Member> {
  const id = `${letter.repeat(8)}-${letter.repeat(4)}-4${letter.repeat(3)}-8${letter.repeat(3)}-${letter.repeat(12)}`
  const control = await store.open()
  const node = await joinNodes(
    {
      control,
      clock: sharedClock(clock),
      log,
      locks: openLeasedLocks({ control, clock }),
      is_clock_simulated: true,
      beat_every_ms: 3_600_000,
      onFenced: () => {},
      drain: async () => {},
    },
    { id, name: letter, collect_mode: 'direct', spool_folder: join(store.folder, letter), shared_folder: null },
  )
  const rates = openAdmittedRates({
    clock,
    log,
    node,
    limits: LIMITS,
    exchange_every_ms: 3_600_000,
    visitors: { peek: (day) => `salt of ${day}` },
  })
  const member = { node, rates, id }
  members.push(member)
  return member
}

const openMembers = async (letters: string) => {
  const opened: Member[] = []
  for (const letter of letters) opened.push(await openMember(letter))
  await exchangeAll(opened)
  return opened
}

/** Twice, so that each has read what the last of them reported. */
async function exchangeAll(all: readonly Member[]): Promise<void> {
  for (let times = 0; times < 2; times++) for (const { rates } of all) await rates.exchange()
}

/** Each member is sent so many events a second, one by one; returns how many all of them took. */
async function send(all: readonly Member[], seconds: number, each: number): Promise<number> {
  let taken = 0
  for (let second = 0; second < seconds; second++) {
    for (let tenth = 0; tenth < 10; tenth++) {
      clock.advance(100)
      for (const { rates } of all)
        for (let event = 0; event < each / 10; event++) if (rates.takeOfAddress(ADDRESS, 1) === 0) taken++
    }
    for (const { rates } of all) await rates.exchange()
  }
  return taken
}

describe('an address that sends to three nodes in turn', () => {
  test('is admitted, over time, as often as one node would admit it', async () => {
    const all = await openMembers('abc')
    const first = await send(all, 20, 200)
    // In the first second each node has a full bucket; what they granted too much is waited for afterwards.
    expect(first).toBeGreaterThanOrEqual(20 * 20)
    const minute = await send(all, 60, 200)
    expect(minute).toBeGreaterThan(60 * 20 * 0.9)
    expect(minute).toBeLessThan(60 * 20 * 1.1)
    expect(first + minute).toBeLessThanOrEqual(LIMITS.address.burst + 80 * 20 + 2 * 20 * 3)
  })

  test('passes below the limit, however unevenly it is spread', async () => {
    const [a, b, c] = (await openMembers('abc')) as [Member, Member, Member]
    // 15 of 20 events a second in all, most of them at one node.
    for (let second = 0; second < 60; second++) {
      clock.advance(1_000)
      for (const [{ rates }, events] of [
        [a, 9],
        [b, 5],
        [c, 1],
      ] as const) {
        expect(rates.takeOfAddress(ADDRESS, events)).toBe(0)
        await rates.exchange()
      }
    }
  })

  test('waits for as long as the events of all nodes need', async () => {
    const [a, b] = (await openMembers('ab')) as [Member, Member]
    expect(a.rates.takeOfAddress(ADDRESS, 100)).toBe(0)
    expect(b.rates.takeOfAddress(ADDRESS, 100)).toBe(0)
    await exchangeAll([a, b])
    // 100 too many were granted, at 20 a second, and one more.
    expect(b.rates.takeOfAddress(ADDRESS, 1)).toBe(6)
    expect(b.rates.takeOfAddress('203.0.113.1', 1)).toBe(0)
    clock.advance(6_000)
    expect(b.rates.takeOfAddress(ADDRESS, 1)).toBe(0)
  })
})

test('the limit of a site is shared, too, and another site has its own', async () => {
  const [a, b] = (await openMembers('ab')) as [Member, Member]
  expect(a.rates.takeOfSite('site', 1_000)).toBe(0)
  await exchangeAll([a, b])
  expect(b.rates.takeOfSite('site', 1)).toBe(1)
  expect(b.rates.takeOfSite('other', 1_000)).toBe(0)
})

test('many addresses that were in heavy use once do not keep the next one from being reported', async () => {
  const [a, b] = (await openMembers('ab')) as [Member, Member]
  for (const events of [10, 1]) {
    for (let host = 0; host < 200; host++) a.rates.takeOfAddress(`203.0.113.${host}`, events)
    await exchangeAll([a, b])
  }
  expect(a.rates.takeOfAddress(ADDRESS, 100)).toBe(0)
  await exchangeAll([a, b])
  expect(b.rates.takeOfAddress(ADDRESS, 1)).toBe(1)
})

test('only a hash of an address with the salt of its day is stored, and little use is not reported', async () => {
  const [a] = (await openMembers('a')) as [Member]
  a.rates.takeOfAddress('203.0.113.1', 1)
  await a.rates.exchange()
  expect(await store.control.db.selectFrom('node_use').selectAll().execute()).toEqual([])
  a.rates.takeOfAddress(ADDRESS, 50)
  await a.rates.exchange()
  const [reported] = await store.control.db.selectFrom('node_use').select('sums').execute()
  expect(reported?.sums).toMatch(/^\[\["a:[\da-f]{16}",50\]\]$/)
  await store.control.transaction((tx) => deleteNode(tx, a))
  expect(await store.control.db.selectFrom('node_use').selectAll().execute()).toEqual([])
})

describe('use that a node has not received in time does not count against any client', () => {
  test('by one that joins later', async () => {
    const [a] = (await openMembers('a')) as [Member]
    await send([a], 30, 10)
    const [b] = (await openMembers('b')) as [Member]
    expect(b.rates.takeOfAddress(ADDRESS, 100)).toBe(0)
  })

  test('by one that heard nothing for a minute', async () => {
    const [a, b] = (await openMembers('ab')) as [Member, Member]
    await send([a], 60, 20)
    await b.rates.exchange()
    expect(b.rates.takeOfAddress(ADDRESS, 100)).toBe(0)
  })

  test('the new sums of a restarted node count', async () => {
    const [a, b] = (await openMembers('ab')) as [Member, Member]
    a.rates.takeOfAddress(ADDRESS, 90)
    await exchangeAll([a, b])
    clock.advance(2_000)
    await exchangeAll([a, b])
    const again = await openMember('a')
    again.rates.takeOfAddress(ADDRESS, 50)
    await again.rates.exchange()
    await b.rates.exchange()
    // 100 - 90 + 2 s of 20 - 50.
    expect(b.rates.takeOfAddress(ADDRESS, 1)).toBe(1)
    clock.advance(100)
    expect(b.rates.takeOfAddress(ADDRESS, 2)).toBe(0)
  })
})

test('while the database is down, each node has its own limit', async () => {
  const [a] = (await openMembers('a')) as [Member]
  await store.control.db.schema.dropTable('node_use').execute()
  a.rates.takeOfAddress(ADDRESS, 50)
  await expect(a.rates.exchange()).rejects.toThrow('node_use')
  expect(a.rates.takeOfAddress(ADDRESS, 50)).toBe(0)
  expect(a.rates.takeOfAddress(ADDRESS, 1)).toBe(1)
})
