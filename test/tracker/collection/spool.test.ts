/**
 * The spool: what was acknowledged is in it until it is in the evidence store, and damage is distinguished from a torn
 * tail.
 */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { sql } from '#evidence/sql.ts'
import { beginErasing, findSitesToErase, recordErased } from '#sites/erase-removed.ts'
import { removeSite } from '#sites/sites.ts'
import { replayLeftEvents } from '#tracker/collection/replay-spool.ts'
import { openSpool } from '#tracker/collection/spool.ts'
import { decodeFrames, encodeFrame } from '#tracker/collection/spool-file.ts'
import { type Segment, type SpoolRecord, segmentName } from '#tracker/collection/spool-segment.ts'
import { type Collecting, openCollecting } from '../../support/collect.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { memoryDisk, no_mounts, type SmallDisk } from '../../support/disk.ts'

const NOW = '2026-03-10T12:00:00Z'

describe('frames', () => {
  const frames = ['one\n', 'two\nthree\n', 'four\n'].map((text, at) => encodeFrame(Buffer.from(text), at === 1 ? 2 : 1))
  const file = Buffer.concat(frames)
  const [first, second] = frames.map((frame) => frame.length) as [number, number, number]
  const texts = (bytes: Buffer) => decodeFrames(bytes).payloads.map(String)

  test('are read back as they were written', () => {
    expect(texts(file)).toEqual(['one\n', 'two\nthree\n', 'four\n'])
    expect(decodeFrames(file)).toMatchObject({ torn_bytes: 0, lost_frames: 0, lost_rows: 0 })
  })

  test('a tail cut anywhere is torn and not damage', () => {
    for (let at = first + second + 1; at < file.length; at++) {
      const content = decodeFrames(file.subarray(0, at))
      expect(content.payloads.map(String)).toEqual(['one\n', 'two\nthree\n'])
      expect(content).toMatchObject({ torn_bytes: at - first - second, lost_frames: 0 })
    }
  })

  test('a tail of zeros, as a power cut leaves it, is torn', () => {
    const content = decodeFrames(Buffer.concat([file, Buffer.alloc(512)]))
    expect(content).toMatchObject({ torn_bytes: 512, lost_frames: 0, payloads: { length: 3 } })
  })

  test('of two broken frames at the end only the last can be a torn tail', () => {
    const damaged = Buffer.from(file)
    damaged.writeUInt8(0xff, first + 21)
    damaged.writeUInt8(0xff, file.length - 1)
    expect(texts(damaged)).toEqual(['one\n'])
    expect(decodeFrames(damaged)).toMatchObject({
      torn_bytes: file.length - first - second,
      lost_frames: 1,
      lost_rows: 2,
    })
  })

  test.each([
    ['payload', first + 21, 2],
    ['length', first + 4, 0],
    ['magic', first, 0],
  ])('a changed byte in the %s of a frame with others behind it is damage', (_what, at, lost_rows) => {
    const damaged = Buffer.from(file)
    damaged.writeUInt8((damaged.at(at) as number) ^ 0xff, at)
    expect(texts(damaged)).toEqual(['one\n', 'four\n'])
    expect(decodeFrames(damaged)).toMatchObject({ torn_bytes: 0, lost_frames: 1, lost_rows })
  })
})

const sale = () => ({
  v: 1,
  id: crypto.randomUUID(),
  type: 'revenue',
  revenue: { amount_minor: 100, currency: 'EUR' },
})

/** So long that a test empties the spool itself. */
const NEVER = { insert_every_ms: 1e8 }

const RECORD: SpoolRecord = {
  site_id: 's',
  day: '2026-03-10',
  at: Date.parse(NOW),
  lines: 'x\n',
  count: 1,
  stream: 'browser',
  ids: [],
  pages: [],
}

test('an event waits until its file is dropped, also while the file is being ended', async () => {
  const folder = makeTestFolder()
  const spool = await openSpool(folder)
  try {
    await spool.append(RECORD)
    let is_ended = false
    const ending = spool.seal().then((sealed) => {
      is_ended = true
      return sealed
    })
    const seen = new Set<number | null>()
    while (!is_ended) {
      // Between two steps of the file system, `data_through` of an answer is read.
      for (let step = 0; step < 20; step++) {
        seen.add(spool.oldestAt())
        await null
      }
      await nextTurn()
    }
    expect([...seen, spool.oldestAt()]).toEqual([RECORD.at, RECORD.at])
    await spool.drop((await ending)[0] as Segment, false)
    expect(spool.oldestAt()).toBeNull()
  } finally {
    await spool.close()
    removeTestFolder(folder)
  }
})

test('a file kept aside is preserved, even if a later one is damaged', async () => {
  const folder = makeTestFolder()
  try {
    for (const _ of [1, 2]) {
      const spool = await openSpool(folder)
      await spool.append(RECORD)
      const [segment] = await spool.seal()
      await spool.drop(segment as Segment, true)
      await spool.close()
    }
    expect(readdirSync(folder)).toHaveLength(2)
  } finally {
    removeTestFolder(folder)
  }
})

describe('in a service', () => {
  let a: Collecting
  const folders: string[] = []
  const disks: SmallDisk[] = []
  afterEach(async () => {
    await a?.close()
    for (const disk of disks.splice(0)) disk.remove()
    for (const folder of folders.splice(0)) removeTestFolder(folder)
  })

  /** The bytes of three acknowledged requests, which the service itself has not stored yet. */
  async function acknowledged(): Promise<Buffer> {
    a = await openCollecting(NOW, NEVER)
    for (const page of ['a', 'b', 'c']) {
      expect(await a.browser(a.event({ url: `https://example.com/${page}` }))).toMatchObject({ status: 202 })
    }
    const folder = join(a.service.folder, 'spool')
    const [name, ...more] = readdirSync(folder)
    expect(more).toEqual([])
    return readFileSync(join(folder, name as string))
  }

  /** What the next start does with a file that was left; the names of what lies there afterwards. */
  async function replay(file: Buffer): Promise<string[]> {
    const folder = makeTestFolder()
    folders.push(folder)
    writeFileSync(join(folder, segmentName(7, '2026-03-10')), file)
    await replayLeftEvents({ ...a.service.crawlers, origin: null, log: pino({ level: 'silent' }) }, folder)
    return readdirSync(folder)
  }
  const folder = () => {
    folders.push(makeTestFolder())
    return folders.at(-1) as string
  }
  const paths = async () => (await a.rows()).map(({ path }) => path)

  test('a file that was left is stored with all that belongs to it, and once', async () => {
    const file = await acknowledged()
    expect(await a.rows()).toEqual([])
    expect(await replay(file)).toEqual([])
    expect(await paths()).toEqual(['/a', '/b', '/c'])
    const { db } = a.service.installation.control
    expect(await db.selectFrom('dirty_days').select('day').execute()).toEqual([{ day: '2026-03-10' }])
    const at = Date.parse(NOW)
    expect(await db.selectFrom('trackers').select(['first_event_at', 'last_event_at']).execute()).toEqual([
      { first_event_at: at, last_event_at: at },
    ])
    await a.stored()
    expect(await paths()).toEqual(['/a', '/b', '/c'])
    expect(readdirSync(join(a.service.folder, 'spool'))).toEqual([])
  })

  test('events left by a crash before their count are counted, and not twice', async () => {
    a = await openCollecting(NOW, NEVER)
    const { db } = a.service.installation.control
    const counts = () =>
      db.selectFrom('collection_counts').select(['outcome', 'reason', 'events']).orderBy('reason').execute()
    await a.browser([a.event(), a.event()])
    expect(await a.server(sale())).toMatchObject({ status: 202 })
    await a.browser(a.event(), { 'user-agent': 'curl/8.0' })
    const folder = join(a.service.folder, 'spool')
    const file = readFileSync(join(folder, readdirSync(folder)[0] as string))
    await a.collector.mark()
    await db.deleteFrom('collection_counts').execute()
    await replay(file)
    const all = [
      { outcome: 'accepted', reason: '', events: 2 },
      { outcome: 'bot', reason: '', events: 1 },
      { outcome: 'accepted', reason: 'server', events: 1 },
    ]
    expect(await counts()).toEqual(expect.arrayContaining(all))
    await replay(file)
    expect(await counts()).toHaveLength(3)
    expect(await counts()).toEqual(expect.arrayContaining(all))
  })

  test('events can be read only once they are counted', async () => {
    a = await openCollecting(NOW, NEVER)
    const { db } = a.service.installation.control
    await a.browser(a.event())
    await a.collector.mark()
    await a.browser(a.event())
    await a.stored()
    expect(await db.selectFrom('collection_counts').select('events').execute()).toEqual([{ events: 2 }])
  })

  test('a torn tail is left out, in silence', async () => {
    const file = await acknowledged()
    expect(await replay(file.subarray(0, -5))).toEqual([])
    expect(await paths()).toEqual(['/a', '/b'])
    expect(await a.refused()).toEqual({})
  })

  test('damage is reported, kept aside, and counted where answers see it', async () => {
    const file = await acknowledged()
    file.writeUInt8(0xff, file.indexOf('/b"'))
    expect(await replay(file)).toEqual([expect.stringMatching(/^damaged-/)])
    expect(await paths()).toEqual(['/a', '/c'])
    expect(await a.refused()).toEqual({ spool_damaged: 1 })
  })

  test('a line that the engine refuses does not block others', async () => {
    const file = await acknowledged()
    const [line] = String(decodeFrames(file).payloads[0]).split('\n')
    const bad = (line as string).replace('"browser"', '"nobody"')
    const names = await replay(Buffer.concat([file, encodeFrame(Buffer.from(`${bad}\n`), 1)]))
    expect(names).toEqual(['refused.jsonl'])
    expect(await a.refused()).toEqual({ not_stored: 1 })
    expect(await paths()).toEqual(['/a', '/b', '/c'])
  })

  test('events wait if the store fails for a reason other than their content', async () => {
    a = await openCollecting(NOW, NEVER)
    const { evidence } = a.service.crawlers
    await a.browser(a.event({ url: 'https://example.com/a' }))
    await a.stored()
    await evidence.run(sql`RENAME TABLE spoor.events TO spoor.events_away`)
    expect(await a.browser(a.event({ url: 'https://example.com/b' }))).toMatchObject({ status: 202 })
    await expect(a.collector.settle()).rejects.toThrow('UNKNOWN_TABLE')
    await evidence.run(sql`RENAME TABLE spoor.events_away TO spoor.events`)
    expect((await a.stored()).map(({ path }) => path)).toEqual(['/a', '/b'])
    expect(await a.refused()).toEqual({})
  })

  test('events of a site that was removed in the meantime are deleted with it', async () => {
    const file = await acknowledged()
    const { installation } = a.service
    await removeSite(installation.operator, { ...installation.operator, site_id: a.site.id })
    expect(await replay(file)).toEqual([])
    expect(await a.stored()).toEqual([])
  })

  test.each([
    ['a visitor', {}],
    ['a bot', { 'user-agent': 'curl/8.0' }],
  ])('of a site that is removed while events of %s are written all is deleted once more', async (_who, headers) => {
    a = await openCollecting(NOW, NEVER)
    await a.browser(a.event(), headers)
    const spool = join(a.service.folder, 'spool')
    writeFileSync(
      join(folder(), segmentName(1, '2026-03-10')),
      readFileSync(join(spool, readdirSync(spool)[0] as string)),
    )
    const { installation, crawlers } = a.service
    const { evidence } = crawlers
    const insert: typeof evidence.insert = async (table, ...rest) => {
      if (table === 'events') {
        await removeSite(installation.operator, { ...installation.operator, site_id: a.site.id })
        await beginErasing(installation, a.site.id)
        await recordErased(installation, a.site.id)
      }
      return evidence.insert(table, ...rest)
    }
    const log = pino({ level: 'silent' })
    await replayLeftEvents(
      {
        ...crawlers,
        evidence: { ...evidence, writeLock: evidence.writeLock, all: evidence.all.bind(evidence), insert },
        origin: null,
        log,
      },
      folders.at(-1) as string,
    )
    expect(await findSitesToErase(installation)).toEqual([a.site.id])
  })

  test('answers report events that cannot be read yet', async () => {
    a = await openCollecting(NOW, NEVER)
    expect(a.collector.readableThrough()).toBe(Date.parse(NOW))
    await a.browser(a.event())
    a.service.clock.advance(60_000)
    expect(a.collector.readableThrough()).toBe(Date.parse(NOW) - 1)
    await a.stored()
    expect(a.collector.readableThrough()).toBe(Date.parse(NOW) + 60_000)
  })

  test('answers know the oldest event that waits, even from a clock that was set back', async () => {
    a = await openCollecting(NOW, NEVER)
    for (const at of [NOW, '2026-03-09T12:00:00Z', '2026-03-10T13:00:00Z']) {
      a.service.clock.set(Date.parse(at))
      expect(await a.browser(a.event())).toMatchObject({ status: 202 })
    }
    expect(a.collector.readableThrough()).toBe(Date.parse('2026-03-09T12:00:00Z') - 1)
    expect(await a.stored()).toHaveLength(3)
    expect(a.collector.readableThrough()).toBe(Date.parse('2026-03-10T13:00:00Z'))
  })

  test('past its bound events are refused until some are stored', async () => {
    a = await openCollecting(NOW, { ...NEVER, max_spool_bytes: 1 })
    expect(await a.browser(a.event())).toMatchObject({ status: 202 })
    const refused = await a.browser([a.event(), a.event()])
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, json: { code: 'backlog_full' } })
    expect(await a.refused()).toEqual({ backlog_full: 2 })
    await a.stored()
    expect(await a.browser(a.event())).toMatchObject({ status: 202 })
    expect(await a.stored()).toHaveLength(2)
  })

  test('while the stores fail events gather in few files, however often they are tried', async () => {
    a = await openCollecting(NOW, NEVER)
    const { schema } = a.service.installation.control.db
    const files = () => readdirSync(join(a.service.folder, 'spool'))
    await schema.alterTable('dirty_days').renameTo('away').execute()
    for (let tries = 0; tries < 5; tries++) {
      expect(await a.browser(a.event())).toMatchObject({ status: 202 })
      await expect(a.collector.settle()).rejects.toThrow(/dirty_days/)
    }
    expect(files()).toHaveLength(2)
    await schema.alterTable('away').renameTo('dirty_days').execute()
    expect(await a.stored()).toHaveLength(5)
    expect(files()).toEqual([])
  })

  test('a file that is full is followed by another', async () => {
    a = await openCollecting(NOW, NEVER)
    const { schema } = a.service.installation.control.db
    await schema.alterTable('dirty_days').renameTo('away').execute()
    const rounds = 104
    for (let round = 0; round < rounds; round++) {
      const events = () => Array.from({ length: 20 }, sale)
      const answers = await Promise.all(Array.from({ length: 20 }, () => a.server(events())))
      expect(answers.every(({ status }) => status === 202)).toBe(true)
    }
    expect(readdirSync(join(a.service.folder, 'spool'))).toHaveLength(3)
    await schema.alterTable('away').renameTo('dirty_days').execute()
    expect(await a.stored()).toHaveLength(rounds * 400)
  })

  test('events that the control store keeps out are counted for their site', async () => {
    a = await openCollecting(NOW, NEVER)
    await a.service.installation.control.db.schema.dropTable('visitor_salts').execute()
    const refused = await a.browser([a.event(), a.event()])
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, json: { code: 'store_unavailable' } })
    expect(await a.refused()).toEqual({ store_unavailable: 2 })
  })

  test('even if it cannot read whose they are, by the last known state', async () => {
    a = await openCollecting(NOW, NEVER)
    expect(await a.browser(a.event())).toMatchObject({ status: 202 })
    expect(await a.server(sale())).toMatchObject({ status: 202 })
    const { schema } = a.service.installation.control.db
    await schema.alterTable('tracker_keys').renameTo('away').execute()
    a.service.clock.advance(3_000)
    expect(await a.browser([a.event(), a.event()])).toMatchObject({ status: 503, json: { code: 'store_unavailable' } })
    expect(await a.server(sale())).toMatchObject({ status: 503 })
    await a.browser(a.event(), { origin: 'https://elsewhere.example' })
    await schema.alterTable('away').renameTo('tracker_keys').execute()
    expect(await a.refused()).toEqual({ store_unavailable: 3 })
  })

  const because = no_mounts === null ? '' : ` (cannot be tested: ${no_mounts})`
  test.skipIf(no_mounts !== null)(`a full disk is reported, survived and left behind${because}`, async () => {
    const disk = memoryDisk(2)
    disks.push(disk)
    const folder = makeTestFolder()
    symlinkSync(disk.folder, join(folder, 'spool'))
    a = await openCollecting(NOW, { ...NEVER, folder })
    const { clock, installation } = a.service
    expect(await a.browser(a.event())).toMatchObject({ status: 202 })
    disk.fill()
    const long = Array.from({ length: 20 }, (_, at) => a.event({ url: `https://example.com/${'x'.repeat(900)}/${at}` }))
    const refused = await a.browser(long)
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, json: { code: 'not_durable' } })
    clock.advance(30_000)
    await a.collector.mark()
    disk.empty()
    clock.advance(30_000)
    expect(await a.browser(long)).toMatchObject({ status: 202, json: { accepted: 20 } })
    await a.collector.mark()
    expect(await a.stored()).toHaveLength(21)
    expect(await a.refused()).toEqual({ not_durable: 20 })
    const runs = await installation.control.db.selectFrom('collector_runs').selectAll().orderBy('from_at').execute()
    const at = Date.parse(NOW)
    expect(runs.map(({ from_at, through_at }) => [from_at - at, through_at - at]).slice(-1)).toEqual([[60_000, 60_000]])
  })
})
