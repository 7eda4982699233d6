/** Collectors of several nodes on the same stores (decisions 8.2); test/processes/nodes.test.ts has real nodes. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ControlStore } from '#control/store.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { rows } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { type CollectingNode, NodeFenced } from '#tracker/collection/collecting-node.ts'
import { type Collector, openCollector } from '#tracker/collection/collector.ts'
import { drainSpool } from '#tracker/collection/replay-spool.ts'
import { BROWSER } from '../../support/collect.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
const log = pino({ level: 'silent' })
let service: TestService
let public_key: string
let server_key: string
const collectors: Collector[] = []
beforeEach(async () => {
  service = await openTestService(NOW)
  const site = await service.addSite('example.com')
  ;({ public_key, server_key } = await enableTracker(service, site, { from: NOW, through: NOW }))
})
afterEach(async () => {
  for (const collector of collectors.splice(0)) await collector.stop()
  await service.close()
})

interface NodeOfTest {
  collector: Collector
  /** Others have given it up. */
  fence(): void
  spool_folder: string
}

async function openNode(
  number: number,
  collect_mode: CollectingNode['collect_mode'],
  evidence: EvidenceStore = service.crawlers.evidence,
  { control = service.crawlers.control, max_wait_ms = 60_000 }: { control?: ControlStore; max_wait_ms?: number } = {},
): Promise<NodeOfTest> {
  let is_fenced = false
  const origin = `node-${number}`
  const spool_folder = join(service.folder, 'spools', origin)
  mkdirSync(join(service.folder, 'spools'), { recursive: true })
  const node: CollectingNode = {
    number,
    collect_mode,
    origin,
    spool_folder,
    async checkEpoch() {
      if (is_fenced) throw new NodeFenced(origin)
    },
    othersReadableThrough: () => Number.POSITIVE_INFINITY,
    report: async () => {},
    exchangeUse: async () => new Map(),
  }
  const { secrets } = service.installation
  const collector = await openCollector(
    { ...service.crawlers, control, evidence, secrets, log, spool_folder, node },
    { insert_every_ms: 3_600_000, retry_pauses_ms: [1, 1], max_wait_ms },
  )
  collectors.push(collector)
  return {
    collector,
    spool_folder,
    fence() {
      is_fenced = true
    },
  }
}

const send = ({ collector }: NodeOfTest, path: string, id: string = crypto.randomUUID()) =>
  collector.collect({
    body: Buffer.from(
      JSON.stringify({ v: 1, site: public_key, type: 'pageview', url: `https://example.com${path}`, id }),
    ),
    page: { origin: 'https://example.com', referer: undefined },
    address: '198.51.100.1',
    network: '198.51.100.1',
    user_agent: BROWSER,
    opts_out: false,
  })

const Stored = Type.Object({ path: Type.String(), node: Type.String(), visitor: Type.String() })
const stored = () =>
  service.crawlers.evidence.all(rows(Stored)`
    SELECT path, toString(bitAnd(bitShiftRight(seq, 10), 1023)) AS node, toString(visitor) AS visitor
    FROM spoor.events FINAL ORDER BY path`)

const counted = async (outcome: 'accepted' | 'repeated' | 'refused') => {
  const found = await service.installation.control.db
    .selectFrom('collection_counts')
    .selectAll()
    .where('outcome', '=', outcome)
    .execute()
  return found.reduce((sum, { events }) => sum + events, 0)
}

/** The store, of which so many inserts of events fail, before or after they were made. */
function failing(failures: number, when: 'before' | 'after'): EvidenceStore {
  const { evidence } = service.crawlers
  let left = failures
  return new Proxy(evidence, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'insert') return typeof value === 'function' ? value.bind(target) : value
      return async (...given: Parameters<EvidenceStore['insert']>) => {
        const is_failing = given[0] === 'events' && left-- > 0
        if (!is_failing || when === 'after') await evidence.insert(...given)
        if (is_failing) throw new EvidenceError('unavailable', 'no answer')
      }
    },
  })
}

describe('in the mode direct', () => {
  test('an acknowledged event is in the evidence store, and nothing of it on the disk of the node', async () => {
    const node = await openNode(7, 'direct')
    await Promise.all([send(node, '/a'), send(node, '/b')])
    expect(await stored()).toMatchObject([
      { path: '/a', node: '7' },
      { path: '/b', node: '7' },
    ])
    expect(await counted('accepted')).toBe(2)
    expect(existsSync(node.spool_folder)).toBe(false)
  })

  test.each(['before', 'after'] as const)(
    'an insert that fails %s it was made is tried again, and stored and counted once',
    async (when) => {
      const node = await openNode(1, 'direct', failing(2, when))
      await send(node, '/a')
      expect(await stored()).toHaveLength(1)
      expect(await counted('accepted')).toBe(1)
      expect(await counted('repeated')).toBe(0)
    },
  )

  test('what cannot be stored is refused, counted as refused, and kept nowhere', async () => {
    const node = await openNode(1, 'direct', failing(3, 'before'))
    await expect(send(node, '/a')).rejects.toMatchObject({ kind: 'unavailable', code: 'not_durable' })
    service.clock.advance(2_000)
    await send(node, '/b')
    expect((await stored()).map(({ path }) => path)).toEqual(['/b'])
    await node.collector.mark()
    expect([await counted('accepted'), await counted('refused')]).toEqual([1, 1])
  })

  test('a hanging store delays no longer than documented, and events are accepted again once it answers', async () => {
    const { evidence } = service.crawlers
    const hang = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let left = 1
    const hanging = new Proxy(evidence, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name !== 'insert') return typeof value === 'function' ? value.bind(target) : value
        return async (...given: Parameters<EvidenceStore['insert']>) => {
          if (given[0] === 'events' && left-- > 0) {
            begun.resolve()
            await hang.promise
            throw new EvidenceError('unavailable', 'no answer')
          }
          await evidence.insert(...given)
        }
      },
    })
    const node = await openNode(1, 'direct', hanging, { max_wait_ms: 3_000 })
    const first = expect(send(node, '/a')).rejects.toMatchObject({ kind: 'unavailable', retry_after: 5 })
    await begun.promise
    await expect(send(node, '/b')).rejects.toMatchObject({ code: 'not_durable' })
    await first
    expect(node.collector.is_collecting).toBe(false)
    service.clock.advance(2_000)
    await expect(send(node, '/c')).rejects.toMatchObject({ code: 'not_durable' })
    hang.resolve()
    await node.collector.settle()
    service.clock.advance(2_000)
    await send(node, '/d')
    expect((await stored()).map(({ path }) => path)).toEqual(['/d'])
    await node.collector.mark()
    expect([await counted('accepted'), await counted('refused')]).toEqual([1, 3])
  })

  test('events that were stored but not counted have their first instant when they are sent again', async () => {
    const id = crypto.randomUUID()
    await expect(send(await openNode(1, 'direct', failing(3, 'after')), '/a', id)).rejects.toMatchObject({
      kind: 'unavailable',
    })
    await expect(send(await openNode(2, 'direct'), '/a', id)).resolves.toMatchObject({ accepted: 1 })
    const tracker = await service.crawlers.control.db.selectFrom('trackers').select('first_event_at').executeTakeFirst()
    expect(tracker).toEqual({ first_event_at: Date.parse(NOW) })
  })

  test('a node that was given up acknowledges and stores nothing', async () => {
    const node = await openNode(1, 'direct')
    await send(node, '/a')
    node.fence()
    await expect(send(node, '/b')).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await stored()).map(({ path }) => path)).toEqual(['/a'])
  })
})

test('an event that is sent to two nodes is stored once, and its visitor is the same on both', async () => {
  const [one, other] = [await openNode(1, 'direct'), await openNode(2, 'direct')]
  const id = crypto.randomUUID()
  await send(one, '/a', id)
  await send(other, '/a', id)
  await send(other, '/b')
  const found = await stored()
  expect(found.map(({ path, node }) => [path, node])).toEqual([
    ['/a', '1'],
    ['/b', '2'],
  ])
  expect(new Set(found.map(({ visitor }) => visitor)).size).toBe(1)
  expect([await counted('accepted'), await counted('repeated')]).toEqual([2, 1])
})

describe('in the mode shared', () => {
  test('a node that was given up acknowledges nothing, and its acknowledged events are stored by another, once', async () => {
    const node = await openNode(1, 'shared')
    await send(node, '/a')
    node.fence()
    await expect(send(node, '/b')).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(node.collector.settle()).rejects.toBeInstanceOf(NodeFenced)
    expect(await stored()).toEqual([])
    const drain = () => drainSpool({ ...service.crawlers, log, origin: 'node-1' }, node.spool_folder)
    await drain()
    await drain()
    // What was synced and never acknowledged may be stored as well.
    expect((await stored()).map(({ path }) => path)).toContain('/a')
    expect(await counted('accepted')).toBe((await stored()).length)
    expect(existsSync(node.spool_folder)).toBe(false)
  })

  test('a node that paused between storing and counting counts nothing after others have stored its spool', async () => {
    const { evidence, control } = service.crawlers
    let is_stored = false
    let stoodStill = false
    const noticing = new Proxy(evidence, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name !== 'insert') return typeof value === 'function' ? value.bind(target) : value
        return async (...given: Parameters<EvidenceStore['insert']>) => {
          await evidence.insert(...given)
          is_stored ||= given[0] === 'events'
        }
      },
    })
    const standing: ControlStore = {
      ...control,
      async transaction(work) {
        if (is_stored && !stoodStill) {
          stoodStill = true
          await send(node, '/b')
          node.fence()
          await drainSpool({ ...service.crawlers, log, origin: 'node-1' }, node.spool_folder)
        }
        return control.transaction(work)
      },
    }
    const node = await openNode(1, 'shared', noticing, { control: standing })
    await send(node, '/a')
    await expect(node.collector.settle()).rejects.toBeInstanceOf(NodeFenced)
    expect(stoodStill).toBe(true)
    expect((await stored()).map(({ path }) => path)).toEqual(['/a', '/b'])
    expect([await counted('accepted'), await counted('repeated')]).toEqual([2, 0])
  })

  test('a node that was given up does not write again what others have removed', async () => {
    const node = await openNode(1, 'shared')
    await send(node, '/a')
    node.fence()
    await drainSpool({ ...service.crawlers, log, origin: 'node-1' }, node.spool_folder)
    await expect(send(node, '/b')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(existsSync(node.spool_folder) ? readdirSync(node.spool_folder) : []).toEqual([])
    expect((await stored()).map(({ path }) => path)).toEqual(['/a'])
  })
})

test('a server key is read at every request', async () => {
  const { collector } = await openNode(1, 'direct')
  const event = JSON.stringify({ v: 1, type: 'event', name: 'signup', url: 'https://example.com/' })
  const report = () =>
    collector.collectFromServer({ read: async () => Buffer.from(event), key: server_key, network: '192.0.2.1' })
  await report()
  await service.installation.control.db
    .updateTable('tracker_keys')
    .set({ revoked_at: service.clock.now() })
    .where('kind', '=', 'server')
    .execute()
  await expect(report()).rejects.toMatchObject({ code: 'revoked_key' })
})
