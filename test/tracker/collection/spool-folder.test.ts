/**
 * The folder of the spool is removed or moved while the service runs: it is made again, and nothing acknowledged is
 * lost in silence.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { JoinedBytes } from '#evidence/rows/joined-bytes.ts'
import { replaySpool } from '#tracker/collection/inserter.ts'
import { openRecentIds } from '#tracker/collection/recent-ids.ts'
import { replayLeftEvents } from '#tracker/collection/replay-spool.ts'
import { openSpool } from '#tracker/collection/spool.ts'
import { decodeFrames } from '#tracker/collection/spool-file.ts'
import type { SpoolRecord } from '#tracker/collection/spool-segment.ts'
import { type Collecting, openCollecting } from '../../support/collect.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const NOW = '2026-03-10T12:00:00Z'
const DAY = '2026-03-10'

/** A service that stores the spool only when a test asks for it. */
let a: Collecting
let spool: string
let pages = 0
beforeAll(async () => {
  a = await openCollecting(NOW, { insert_every_ms: 1e8 })
  spool = join(a.service.folder, 'spool')
})
afterAll(() => a.close())
beforeEach(async () => {
  await a.stored()
  pages++
})

const url = (name: string) => `https://example.com/${pages}/${name}`
const send = async (name: string) => (await a.browser(a.event({ url: url(name) }))).status
const stored = async () =>
  (await a.stored()).map(({ path }) => path).flatMap((path) => path.split(`/${pages}/`).slice(1, 2))

test('events after its removal are accepted, and those before it are on the disk again', async () => {
  expect([await send('a'), await send('b')]).toEqual([202, 202])
  rmSync(spool, { recursive: true })
  expect(await send('c')).toBe(202)
  expect(statSync(spool).mode & 0o777).toBe(0o700)
  // What a start after a crash would find.
  const copy = join(a.service.folder, 'found')
  renameSync(spool, copy)
  mkdirSync(spool, { mode: 0o700 })
  await replayLeftEvents({ ...a.service.crawlers, origin: null, log: pino({ level: 'silent' }) }, copy)
  const names = (await a.rows()).map(({ path }) => path)
  for (const name of ['a', 'b', 'c']) expect(names).toContain(`/${pages}/${name}`)
  rmSync(copy, { recursive: true })
})

test('removed before anything waits in it, it is made again with the next event', async () => {
  rmSync(spool, { recursive: true })
  expect(await send('a')).toBe(202)
  expect(await stored()).toEqual(['a'])
  expect(readdirSync(spool)).toEqual([])
  rmSync(spool, { recursive: true })
  expect([await send('b'), await send('c')]).toEqual([202, 202])
  expect(await stored()).toEqual(['a', 'b', 'c'])
})

test('moved away, it is made again, and events are written where the next start looks', async () => {
  expect(await send('a')).toBe(202)
  const elsewhere = join(a.service.folder, 'elsewhere')
  renameSync(spool, elsewhere)
  expect(await send('b')).toBe(202)
  expect(readdirSync(spool)).toHaveLength(1)
  expect(await stored()).toEqual(['a', 'b'])
  rmSync(elsewhere, { recursive: true })
})

test('the collector counts itself as up while the folder is missing, because it makes it again', async () => {
  rmSync(spool, { recursive: true })
  await a.collector.mark()
  expect(a.collector.is_collecting).toBe(true)
  expect(await send('a')).toBe(202)
})

test('files whose events are in no memory are counted as lost events for every tracker', async () => {
  const folder = makeTestFolder()
  try {
    const other = await openSpool(folder)
    await other.append(record('x'))
    await other.seal()
    await other.close()
    const left = await openSpool(folder)
    const [segment] = left.ended()
    expect(segment).toMatchObject({ memory: null })
    const before = (await a.refused()).spool_damaged
    expect(before).toBeUndefined()
    rmSync(folder, { recursive: true })
    await replaySpool(
      {
        ...a.service.crawlers,
        origin: null,
        log: pino({ level: 'silent' }),
        ids: openRecentIds(),
        joined: new JoinedBytes(),
      },
      left,
    )
    expect(left.ended()).toEqual([])
    expect((await a.refused()).spool_damaged).toBe(1)
    await left.close()
  } finally {
    removeTestFolder(folder)
  }
})

test('closed files that wait are written again too, and those whose data folder is missing are refused', async () => {
  const parent = makeTestFolder()
  const folder = join(parent, 'spool')
  try {
    const removed: string[] = []
    const waiting = await openSpool(folder, { onRemoved: () => removed.push('removed') })
    await waiting.append(record('first'))
    await waiting.seal()
    await waiting.append(record('second'))
    const names = readdirSync(folder)
    rmSync(folder, { recursive: true })
    await waiting.append(record('third'))
    expect(readdirSync(folder)).toEqual(names)
    const texts = names.map((name) =>
      decodeFrames(readFileSync(join(folder, name)))
        .payloads.map(String)
        .join(''),
    )
    expect(texts).toEqual(['first\n', 'second\nthird\n'])
    expect(waiting.bytes()).toBe(names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0))
    expect(removed).toEqual(['removed'])
    rmSync(parent, { recursive: true })
    await expect(waiting.append(record('fourth'))).rejects.toThrow(/ENOENT/)
    expect(existsSync(parent)).toBe(false)
    expect(waiting.trouble()).toBeInstanceOf(Error)
    await waiting.close()
  } finally {
    removeTestFolder(parent)
  }
})

function record(text: string): SpoolRecord {
  const of = { site_id: 's', day: DAY, at: Date.parse(NOW), stream: 'browser' as const, ids: [], pages: [] }
  return { ...of, lines: `${text}\n`, count: 1 }
}
