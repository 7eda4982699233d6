import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NodeRow } from '#control/tables.ts'
import { checkNodes } from '#health/nodes.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
let clock: FakeClock
beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-10T12:00:00Z')
})
afterEach(() => store.remove())

const check = () => checkNodes({ control: store.control, clock })

async function addNode(name: string, number: number, row: Partial<NodeRow> = {}): Promise<void> {
  const at = clock.now()
  const node: NodeRow = {
    id: name,
    name,
    number,
    epoch: 1,
    collect_mode: 'local',
    state: 'up',
    version: '1',
    clock_ahead_ms: 20,
    registered_at: at,
    seen_at: at,
    readable_through: at,
    waiting_bytes: 0,
  }
  await store.control.db
    .insertInto('nodes')
    .values({ ...node, ...row })
    .execute()
}

test('one service on embedded stores has no nodes; nodes that report are well, and so are those that ended', async () => {
  expect(await check()).toEqual([])
  await addNode('a', 1)
  await addNode('b', 2, { state: 'stopped', seen_at: 0 })
  await addNode('c', 3, { state: 'lost', seen_at: 0 })
  expect(await check()).toEqual([{ code: 'nodes', level: 'ok', message: 'These nodes report: a.' }])
})

test('a node that stopped reporting without an end is silent, whatever the others have recorded', async () => {
  await addNode('a', 1)
  clock.advance(16_000)
  await addNode('b', 2)
  await addNode('c', 3, { state: 'away' })
  await addNode('d', 4, { state: 'draining', collect_mode: 'shared' })
  await addNode('e', 5, { state: 'gone', collect_mode: 'direct' })
  const since = 'gave its last sign of life at 2026-03-10T12:00:'
  expect(await check()).toEqual([
    silent(`The node a ${since}00.000Z; answers about visitors end at 2026-03-10T12:00:00.000Z.`),
    silent(`The node c ${since}16.000Z; answers about visitors end at 2026-03-10T12:00:16.000Z.`),
    silent(`The node d ${since}16.000Z; another node stores the events that it left.`),
    silent(`The node e ${since}16.000Z; nothing waits on it.`),
  ])
  clock.advance(86_400_001)
  const later = (await check()).map(({ message }) => message.slice(0, 10))
  expect(later).toEqual(['The node a', 'The node b', 'The node c', 'The node d'])
})

test('the clock of the machine that is asked makes no node silent', async () => {
  await addNode('a', 1)
  const ahead = { ...clock, now: () => clock.now() + 60_000 }
  const findings = await checkNodes({ control: store.control, clock: ahead })
  expect(findings.map(({ code }) => code)).toEqual(['nodes'])
})

const silent = (message: string) => ({ code: 'node_silent', level: 'warn', message })

test('clocks of nodes that are up and differ from the database’s by more than 250 ms', async () => {
  await addNode('a', 1, { clock_ahead_ms: 250 })
  await addNode('b', 2, { clock_ahead_ms: 251 })
  await addNode('c', 3, { clock_ahead_ms: -3_000 })
  await addNode('d', 4, { clock_ahead_ms: 9_000, state: 'stopped' })
  expect(await check()).toEqual([
    { code: 'node_clock', level: 'warn', message: "The clock of the node b is 251 ms ahead of the database's." },
    { code: 'node_clock', level: 'warn', message: "The clock of the node c is 3000 ms behind the database's." },
  ])
})
