/** Nodes on one control store: who is there, who fell silent, and what that means (decisions 8.2, ADR 43). */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { readConfig } from '#config.ts'
import { checkSecretKey } from '#nodes/check-secret-key.ts'
import { deleteOldNodes } from '#nodes/delete-nodes.ts'
import { openLeasedLocks } from '#nodes/leased-locks.ts'
import { manageNodes } from '#nodes/manage-nodes.ts'
import { joinNodes, type NodeContext, type NodeOptions, type NodeReport, type ServiceNode } from '#nodes/node.ts'
import { sharedClock } from '#nodes/shared-clock.ts'
import { addSite } from '#sites/sites.ts'
import { NodeFenced } from '#tracker/collection/collecting-node.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const NOW = '2026-03-10T12:00:00Z'
let store: TestControl
let clock: FakeClock
const nodes: ServiceNode[] = []
beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock(NOW)
})
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
  await store.remove()
})

interface Joined {
  node: ServiceNode
  report: NodeReport
  fenced: number
  drained: string[]
}

const id = (letter: string) =>
  `${letter.repeat(8)}-${letter.repeat(4)}-4${letter.repeat(3)}-8${letter.repeat(3)}-${letter.repeat(12)}`

/** A node that reports only when a test asks it to. */
async function joinAs(
  letter: string,
  options: Partial<NodeOptions> = {},
  context: Partial<NodeContext> = {},
): Promise<Joined> {
  const joined = { fenced: 0, drained: [] as string[], report: { readable_through: clock.now(), waiting_bytes: 0 } }
  const control = await store.open()
  const node = await joinNodes(
    {
      control,
      clock: sharedClock(clock),
      locks: openLeasedLocks({ control, clock }),
      log: pino({ level: 'silent' }),
      is_clock_simulated: true,
      beat_every_ms: 3_600_000,
      onFenced: () => joined.fenced++,
      drain: async ({ name }) => void joined.drained.push(name),
      ...context,
    },
    {
      id: id(letter),
      name: letter,
      collect_mode: 'direct',
      spool_folder: join(store.folder, letter),
      shared_folder: null,
      ...options,
    },
  )
  await node.start(() => joined.report)
  nodes.push(node)
  return Object.assign(joined, { node })
}

const rowOf = (letter: string) =>
  store.control.db.selectFrom('nodes').selectAll().where('id', '=', id(letter)).executeTakeFirstOrThrow()

/** All of these report once a second, for so many seconds. */
async function live(seconds: number, ...alive: Joined[]): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1_000)
    for (const joined of alive) {
      joined.report = { ...joined.report, readable_through: clock.now() }
      await joined.node.report()
    }
  }
}

/** A day that the nodes a and b are writing facts of. */
async function markWriting(): Promise<void> {
  const installed = await ensureInstallation(store.control, clock)
  const site = await addSite({ control: store.control, clock }, { ...installed, domain: 'example.com' })
  const day = { site_id: site.id, day: '2026-03-10', kind: 'crawlers', marked: 1 } as const
  for (const cause of [`live:${id('a')}:x`, `live:${id('b')}:y`]) {
    await store.control.db
      .insertInto('dirty_days')
      .values({ ...day, cause, state: 'writing' })
      .execute()
  }
}

/** The states of both marks, that of the node a first. */
async function markStates(): Promise<string[]> {
  const marks = await store.control.db.selectFrom('dirty_days').select('state').orderBy('cause').execute()
  return marks.map(({ state }) => state)
}

const operator = { kind: 'operator', account_id: 'a', user_id: 'u' } as never
const lost = (node: string) =>
  manageNodes['node.lost']({ control: store.control, clock, caller: operator } as never, { node })

describe('a node', () => {
  test('has the lowest number that is free, and keeps it over a start, under a new epoch', async () => {
    const [a, b] = [await joinAs('a'), await joinAs('b')]
    expect([a.node.number, b.node.number]).toEqual([1, 2])
    await nodes.shift()?.stop()
    expect(await rowOf('a')).toMatchObject({ state: 'stopped', epoch: 1 })
    const again = await joinAs('a')
    expect(again.node.number).toBe(1)
    expect(await rowOf('a')).toMatchObject({ state: 'up', epoch: 2 })
    expect((await joinAs('c')).node.number).toBe(3)
  })

  test('ends when the control store was restored to a state before its last report, or before its start', async () => {
    for (const [letter, restore] of [
      [
        'a',
        () =>
          store.control.db
            .updateTable('nodes')
            .set({ seen_at: clock.now() - 61_000 })
            .execute(),
      ],
      ['b', () => store.control.db.updateTable('nodes').set({ epoch: 1 }).execute()],
      ['c', () => store.control.db.deleteFrom('nodes').execute()],
    ] as const) {
      await (await joinAs(letter)).node.stop()
      const joined = await joinAs(letter)
      await live(2, joined)
      expect(joined.fenced).toBe(0)
      await restore()
      await expect(joined.node.report()).rejects.toThrow('restored to an earlier state')
      await expect(joined.node.checkEpoch(store.control.db)).rejects.toBeInstanceOf(NodeFenced)
      expect([joined.fenced, joined.node.isReady()]).toEqual([1, false])
    }
  })

  test('whose clock is too far from the database’s is not ready, unless the answer was too slow to know', async () => {
    const at = (ahead: number, took_ms: number) => ({
      ...store.control,
      async server() {
        clock.advance(took_ms)
        return { version: '18', now: clock.now() - took_ms / 2 - ahead }
      },
    })
    for (const [ahead, took_ms, is_ready] of [
      [0, 2, true],
      [240, 2, true],
      [260, 2, false],
      [-260, 2, false],
      [400, 400, true],
    ] as const) {
      const control = at(ahead, took_ms)
      const { node } = await joinAs('a', {}, { control, is_clock_simulated: false })
      expect([ahead, took_ms, node.isReady()]).toEqual([ahead, took_ms, is_ready])
    }
  })

  test('that stops breaks off what it was writing: it may never start again', async () => {
    await joinAs('a')
    await joinAs('b')
    await markWriting()
    await nodes.shift()?.stop()
    expect(await rowOf('a')).toMatchObject({ state: 'stopped' })
    expect(await markStates()).toEqual(['written', 'writing'])
  })

  test('that cannot report for ten seconds is not ready', async () => {
    const { node } = await joinAs('a')
    clock.advance(10_500)
    expect(node.isReady()).toBe(false)
    await node.report()
    expect(node.isReady()).toBe(true)
  })

  test('knows up to when the events of the others can be read, and claims nothing after its last report', async () => {
    const [a, b] = [await joinAs('a'), await joinAs('b', { collect_mode: 'local' })]
    b.report = { readable_through: clock.now() - 5_000, waiting_bytes: 10 }
    await b.node.report()
    await a.node.report()
    expect(a.node.othersReadableThrough()).toBe(clock.now() - 5_000)
    await live(1, b, a)
    const reported_at = clock.now()
    clock.advance(700)
    expect(a.node.othersReadableThrough()).toBe(reported_at)
  })
})

describe('a node that falls silent', () => {
  test.each([
    ['direct', 'gone'],
    ['local', 'away'],
  ] as const)('in the mode %s is %s after 15 seconds, and may do nothing any more', async (collect_mode, state) => {
    const [a, b] = [await joinAs('a'), await joinAs('b', { collect_mode })]
    const silent_since = clock.now()
    await live(15, a)
    expect(await rowOf('b')).toMatchObject({ state: 'up' })
    await live(2, a)
    expect(await rowOf('b')).toMatchObject({ state, epoch: 2 })
    // Only what waits on its own disk holds the answers back.
    expect(a.node.othersReadableThrough()).toBe(state === 'away' ? silent_since : clock.now())
    await expect(b.node.checkEpoch(store.control.db)).rejects.toBeInstanceOf(NodeFenced)
    await expect(b.node.report()).rejects.toBeInstanceOf(NodeFenced)
    expect(b.fenced).toBe(1)
    expect(b.node.isReady()).toBe(false)
  })

  test('is not given up by a node that could not report itself', async () => {
    const [a] = [await joinAs('a'), await joinAs('b')]
    clock.advance(60_000)
    await live(10, a)
    expect(await rowOf('b')).toMatchObject({ state: 'up', epoch: 1 })
  })

  test('breaks off its writes', async () => {
    const a = await joinAs('a')
    await joinAs('b')
    await markWriting()
    await live(17, a)
    expect(await markStates()).toEqual(['writing', 'written'])
  })

  test('in a shared folder leaves its spools to the others, and is then removed', async () => {
    const shared_folder = join(store.folder, 'shared')
    const options = { collect_mode: 'shared', shared_folder } as const
    const [a, b] = [await joinAs('a', options), await joinAs('b', options)]
    expect(b.node.spool_folder).toBe(join(shared_folder, `${id('b')}-1`))
    mkdirSync(b.node.spool_folder)
    mkdirSync(a.node.spool_folder)
    await live(17, a)
    await expect.poll(async () => (await rowOf('b')).state).toBe('gone')
    expect(a.drained).toEqual([`${id('b')}-1`])
    expect(readdirSync(shared_folder)).toHaveLength(2)
  })

  test('in a shared folder starts in no other mode before its events are stored', async () => {
    const options = { collect_mode: 'shared', shared_folder: join(store.folder, 'shared') } as const
    const [a, b] = [await joinAs('a', options), await joinAs('b', options)]
    mkdirSync(b.node.spool_folder)
    await expect(joinAs('b', { collect_mode: 'local' })).rejects.toMatchObject({ kind: 'conflict' })
    await live(17, a)
    await expect.poll(async () => (await rowOf('b')).state).toBe('gone')
    expect(a.drained).toEqual([`${id('b')}-1`])
    await joinAs('b', { collect_mode: 'local' })
    expect(await rowOf('b')).toMatchObject({ state: 'up', collect_mode: 'local' })
  })

  test('logs once that the spool of a silent node cannot be read, and once that it can again', async () => {
    const said: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void said.push(JSON.parse(line).msg) })
    let tries = 0
    let is_broken = true
    const drain = async () => {
      tries += 1
      if (is_broken) throw new Error('EACCES: permission denied')
    }
    const options = { collect_mode: 'shared', shared_folder: join(store.folder, 'shared') } as const
    const [a, b] = [await joinAs('a', options, { log, drain }), await joinAs('b', options)]
    mkdirSync(b.node.spool_folder)
    await live(17, a)
    const tryAgain = async () => {
      await live(1, a)
      return tries
    }
    await expect.poll(tryAgain).toBeGreaterThan(3)
    is_broken = false
    const ofSpools = async () => {
      await live(1, a)
      return said.filter((text) => text.includes('spool'))
    }
    await expect
      .poll(ofSpools)
      .toEqual([
        'events of a silent node still wait in its spool; it is read again each second',
        'the spools of silent nodes are read again',
      ])
  })

  test('finds its own earlier spools at the next start, and delays answers until they are stored', async () => {
    const shared_folder = join(store.folder, 'shared')
    const options = { collect_mode: 'shared', shared_folder } as const
    const first = await joinAs('a', options)
    mkdirSync(first.node.spool_folder)
    const readable = clock.now()
    clock.advance(5_000)
    const again = await joinAs('a', options)
    expect((await rowOf('a')).readable_through).toBe(readable)
    await expect.poll(() => again.drained).toEqual([`${id('a')}-1`])
    // Drained a moment before the control store knows.
    const isReadableNow = async () => {
      await live(1, again)
      return (await rowOf('a')).readable_through === clock.now()
    }
    await expect.poll(isReadableNow).toBe(true)
  })
})

describe('a node whose clock is 20 seconds off', () => {
  test.each([20_000, -20_000])('(%i ms) is not ready, but neither ends others nor is ended by them', async (ahead) => {
    const others = await joinAs('a')
    const off = { ...clock, now: () => clock.now() + ahead }
    const control = { ...store.control, server: async () => ({ version: '18', now: clock.now() }) }
    const apart = await joinAs('b', {}, { control, clock: sharedClock(off), is_clock_simulated: false })
    await live(20, others, apart)
    expect(apart.node.isReady()).toBe(false)
    expect([others.node.isClockWrong(), apart.node.isClockWrong()]).toEqual([false, true])
    expect([others.fenced, apart.fenced]).toEqual([0, 0])
    for (const letter of ['a', 'b']) expect(await rowOf(letter)).toMatchObject({ state: 'up', epoch: 1 })
    expect(await rowOf('b')).toMatchObject({ clock_ahead_ms: ahead, seen_at: clock.now() })
    await live(16, others)
    expect(await rowOf('b')).toMatchObject({ state: 'gone', epoch: 2 })
  })
})

describe('a node that is given up', () => {
  test('must be silent, is found by name, and makes its days partial', async () => {
    const [a, b] = [await joinAs('a'), await joinAs('b', { collect_mode: 'local' })]
    await expect(lost('b')).rejects.toMatchObject({ kind: 'conflict' })
    await expect(lost('x')).rejects.toMatchObject({ kind: 'not_found' })
    b.report = { readable_through: Date.parse('2026-03-09T23:00:00Z'), waiting_bytes: 10 }
    await b.node.report()
    await live(17, a)
    expect(await lost('b')).toMatchObject({ state: 'lost', epoch: 3, partial_days: ['2026-03-09', '2026-03-10'] })
    await live(1, a)
    expect(a.node.othersReadableThrough()).toBe(clock.now())
    expect(await lost('b')).toMatchObject({ partial_days: [] })
  })

  test.each([60_000, -60_000])('is silent by the clock of the database, not by one that is %i ms off', async (off) => {
    const ctx = { control: store.control, clock: { ...clock, now: () => clock.now() + off }, caller: operator } as never
    const state = async () => {
      const { nodes: listed } = await manageNodes['node.list'](ctx, {} as never)
      return listed.map((node) => node.state)
    }
    await joinAs('a')
    expect(await state()).toEqual(['up'])
    await expect(manageNodes['node.lost'](ctx, { node: 'a' })).rejects.toMatchObject({ kind: 'conflict' })
    clock.advance(16_000)
    expect(await state()).toEqual(['silent'])
    expect(await manageNodes['node.lost'](ctx, { node: 'a' })).toMatchObject({ partial_days: ['2026-03-10'] })
  })

  test('is deleted after a week, and its number is free again', async () => {
    const a = await joinAs('a')
    await joinAs('b')
    await live(17, a)
    clock.advance(8 * 86_400_000)
    await a.node.report()
    await deleteOldNodes({ control: store.control, clock })
    const { nodes: left } = await manageNodes['node.list'](
      { control: store.control, clock, caller: operator } as never,
      {} as never,
    )
    expect(left.map(({ name }) => name)).toEqual(['a'])
    expect((await joinAs('c')).node.number).toBe(2)
  })
})

describe('the secret key', () => {
  const configWith = (secret_key: string | null) => ({ ...readConfig({}), data: store.folder, secret_key })

  test('of the first process is that of the installation; another one, or none, is refused', async () => {
    await expect(checkSecretKey(store.control, configWith(null))).rejects.toMatchObject({ kind: 'invalid_input' })
    await checkSecretKey(store.control, configWith('a'.repeat(64)))
    await checkSecretKey(store.control, configWith('a'.repeat(64)))
    const refusal = await checkSecretKey(store.control, configWith('b'.repeat(64))).catch((error) => error)
    expect(refusal).toMatchObject({ kind: 'conflict' })
    expect(refusal.message).not.toContain('b'.repeat(64))
    expect(await store.contents()).not.toContain('a'.repeat(64))
  })
})
