/** What time a sender's deliveries cover, and what becomes of its source (rules 3, Intake). */
import { beforeEach, describe, expect, test } from 'vitest'
import { instantText } from '#clock.ts'
import type { Source } from '#contract/meta.ts'
import type { Performance } from '#contract/site-api/index.ts'
import type { SenderRow } from '#control/tables.ts'
import { readCoverage } from '#crawlers/coverage/calendar.ts'
import { markSilentSources, tidyIntake } from '#intake/batches/silent-sources.ts'
import { setPrimary } from '#sources/change-source.ts'
import { manageSources } from '#sources/manage-sources.ts'
import { listSenders, retireSender } from '#sources/senders.ts'
import { listSources } from '#sources/sources.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { openTestIntake, PERSON, type SendOptions, type TestIntake, visit } from '../support/intake.ts'

let intake: TestIntake
const shared = serviceOfFile()
beforeEach(async () => {
  intake = await openTestIntake(await shared.fresh('2026-03-10T00:00:00Z'))
})

const DAY = '2026-03-10'
/** An instant of the day, or of another one: `11:00` or `2026-03-09T11:00`. */
const at = (time: string) => (time.includes('T') ? `${time}:00Z` : `${DAY}T${time}:00Z`)
/** The sender delivers at the newest of its records' instants. */
function deliver(times: string[], options: SendOptions & { given?: Record<string, unknown> } = {}) {
  const newest = Math.max(intake.service.clock.now(), ...times.map((time) => Date.parse(at(time)) + 1))
  intake.service.clock.set(newest)
  return intake.send(
    times.map((time) => visit({ timestamp: at(time), ...options.given })),
    options,
  )
}
const beat = (from: string, to: string, given: Record<string, unknown> = {}) => {
  intake.service.clock.set(Math.max(intake.service.clock.now(), Date.parse(at(to))))
  return intake.send([{ type: 'heartbeat', covered_from: at(from), covered_to: at(to), ...given }])
}

/** Covered ranges, `HH:MM/HH:MM` in whole minutes, those of other days with their day. */
async function covered(sender?: string) {
  const { db } = intake.service.crawlers.control
  const rows = await db.selectFrom('coverage_intervals').selectAll().orderBy('from_at').orderBy('sender').execute()
  const text = (instant: number) => instantText(instant).slice(0, 16).replace(`${DAY}T`, '')
  return rows
    .filter((row) => sender === undefined || row.sender === sender)
    .map(
      (row) =>
        `${text(row.from_at)}/${text(row.to_at)}${row.host === '*' ? '' : ` ${row.host}`}${row.reason === '' ? '' : ` ${row.reason}`}`,
    )
}
const source = async () => (await listSources(intake.service.installation.operator, intake.site.id))[0]

describe('a batch', () => {
  test('covers from the sender’s previous record to its last, human ones included', async () => {
    await deliver(['10:00', '10:05'], { given: { user_agent: PERSON } })
    await deliver(['10:10', '10:12'])
    expect(await covered()).toEqual(['10:00/10:12'])
    expect(await source()).toMatchObject({
      data_through: Date.parse(at('10:12')),
      is_primary: 1,
      connection_status: 'live',
    })
  })

  test('covers nothing of a silence past 15 minutes, between batches or inside one', async () => {
    await deliver(['10:00'])
    await deliver(['10:15', '10:31'])
    expect(await covered()).toEqual(['10:00/10:15', '10:31/10:31'])
  })

  test('with records out of order or far in the past covers nothing falsely', async () => {
    await deliver(['10:00', '10:10'])
    await deliver(['10:08', '10:03', '2026-03-03T09:00', '2026-03-03T09:05'])
    await deliver(['10:20'])
    expect(await covered()).toEqual(['2026-03-03T09:00/2026-03-03T09:05', '10:00/10:20'])
    expect((await source())?.data_through).toBe(Date.parse(at('10:20')))
  })

  test('that was delayed fills its gap', async () => {
    await deliver(['10:00', '10:10'])
    await deliver(['12:00', '12:10'])
    expect(await covered()).toEqual(['10:00/10:10', '12:00/12:10'])
    await deliver(['10:20', '10:35', '10:50', '11:05', '11:20', '11:35', '11:50'])
    expect(await covered()).toEqual(['10:00/12:10'])
  })

  test('a little ahead of the clock covers up to now only', async () => {
    intake.service.clock.set(at('10:00'))
    await intake.send([visit({ timestamp: at('09:50') }), visit({ timestamp: at('10:04') })])
    expect(await covered()).toEqual(['09:50/10:00'])
    expect((await source())?.data_through).toBeLessThan(Date.parse(at('10:00')))
    const answer = await intake.service.ask('/v1/sites/example.com/performance?window=3d&purpose=training')
    expect(answer.status).toBe(200)
  })

  test('of other sites or of refused records only shows nothing', async () => {
    await deliver(['10:00'], { given: { host: 'example.org' } })
    await deliver(['10:00'], { given: { status: 1000 } })
    expect(await covered()).toEqual([])
    expect(await source()).toMatchObject({ connection_status: 'pending', connected_at: null, is_primary: 0 })
  })

  describe('with refused records', () => {
    const REFUSED = visit({ timestamp: 'x' })
    const good = (count: number) => Array.from({ length: count }, () => visit({ timestamp: at('10:00') }))
    const coverage = async () => {
      const { json } = await intake.service.ask('/v1/sites/example.com/sources')
      const { sources } = json as never as { sources: Source[] }
      return sources.map(({ completeness, coverage_limitations }) => [completeness, coverage_limitations])
    }
    const COMPLETE = [['complete', []]]
    const PARTIAL = [['partial', ['unreadable_lines']]]
    beforeEach(async () => {
      await beat('00:00', '2026-03-11T00:00')
      expect(await coverage()).toEqual(COMPLETE)
    })

    test('is partial where over 1 % of the records of a day were refused, in whatever batches they came', async () => {
      await intake.send([...good(10), REFUSED])
      expect(await coverage()).toEqual(PARTIAL)
      await intake.send(good(87))
      expect(await coverage()).toEqual(PARTIAL)
      await intake.send(good(1))
      expect(await coverage()).toEqual(COMPLETE)
    })

    test('has them as the reason why its day is partial', async () => {
      await intake.send([...good(10), REFUSED])
      const ctx = { ...intake.service.crawlers, site: intake.site }
      const { days, hosts } = await readCoverage(ctx, { site: 'example.com', window: '3d', limit: 5 })
      const partial = { date: DAY, state: 'partial', minutes: 1_440, reasons: ['unreadable_lines'] }
      expect(days[1]).toMatchObject(partial)
      expect(hosts[0]?.days[1]).toMatchObject(partial)
    })

    test('alone shows no time, and makes the day partial on which it came, also between heartbeats', async () => {
      intake.service.clock.set(at('2026-03-11T00:30'))
      await intake.send([REFUSED])
      await beat('2026-03-11T00:00', '2026-03-11T01:00')
      expect(await coverage()).toEqual(PARTIAL)
    })

    test('beside a heartbeat over midnight makes each of its days partial', async () => {
      await beat('2026-03-11T00:00', '2026-03-12T00:00')
      await intake.send([{ type: 'heartbeat', covered_from: at('22:00'), covered_to: at('2026-03-11T02:00') }, REFUSED])
      const ctx = { ...intake.service.crawlers, site: intake.site }
      const { days } = await readCoverage(ctx, { site: 'example.com', window: '3d', limit: 5 })
      expect(days.slice(0, 2)).toMatchObject([
        { date: DAY, reasons: ['unreadable_lines'] },
        { date: '2026-03-11', reasons: ['unreadable_lines'] },
      ])
    })

    test('of another sender, or a repeated batch, leaves the days of a sender as they are', async () => {
      const batch = [...good(150), REFUSED]
      await intake.send(batch)
      await intake.send(batch)
      expect(await coverage()).toEqual(COMPLETE)
      await intake.send([REFUSED], { headers: { 'x-spoor-sender': 'web2' } })
      expect(await coverage()).toEqual(COMPLETE)
    })
  })

  test('spread over thousands of ranges leaves no more than a thousand', async () => {
    intake.service.clock.set('2026-03-31T00:00:00Z')
    const start = Date.parse('2026-01-01T00:00:00Z')
    const records = Array.from({ length: 1_500 }, (_, n) => visit({ timestamp: start + n * 3_600_000 }))
    expect((await intake.send(records)).accepted).toBe(1_500)
    expect(await covered()).toHaveLength(1_000)
  })
})

describe('a heartbeat', () => {
  test('of named hosts leaves no more than a thousand ranges of a batch, over all hosts', async () => {
    const start = Date.parse('2026-03-01T00:00:00Z')
    intake.service.clock.set('2026-03-10T00:00:00Z')
    const beats = Array.from({ length: 30 * 200 }, (_, n) => {
      const covered_from = start + Math.floor(n / 30) * 3_600_000
      return { type: 'heartbeat', covered_from, covered_to: covered_from + 60_000 + n, host: `h${n % 30}.example.com` }
    })
    expect(await intake.send(beats)).toMatchObject({ heartbeats: 6_000 })
    const found = await covered()
    expect(found).toHaveLength(1_000)
    // Of each host the newest, which are the longest here.
    expect(new Set(found.map((text) => text.split(' ')[1])).size).toBe(30)
    expect(found.some((text) => text.startsWith('2026-03-01'))).toBe(false)
  })

  test('may be in a batch with as many others as a batch may have', async () => {
    intake.service.clock.set(Date.parse(at('11:00')))
    const one = { type: 'heartbeat', covered_from: at('10:00'), covered_to: at('11:00') }
    expect(await intake.send(Array(200_000).fill(one))).toMatchObject({ heartbeats: 200_000 })
    expect(await covered()).toEqual(['10:00/11:00'])
  })

  test('proves that a quiet time was quiet, and makes such a silence normal', async () => {
    await deliver(['10:00'])
    expect(await beat('10:00', '11:00')).toMatchObject({ heartbeats: 1, accepted: 0 })
    expect(await covered()).toEqual(['10:00/11:00'])
    await deliver(['11:50'])
    expect(await covered()).toEqual(['10:00/11:50'])
    await deliver(['12:51'])
    expect(await covered()).toEqual(['10:00/11:50', '12:51/12:51'])
  })

  test.each([
    ['in one batch', 4],
    ['in batches of their own', 1],
  ])('joins records and other heartbeats over normal silences, %s', async (_, records_of_a_batch) => {
    intake.service.clock.set(at('13:00'))
    const quiet = (from: string, to: string) => ({ type: 'heartbeat', covered_from: at(from), covered_to: at(to) })
    const records = [
      visit({ timestamp: at('09:50') }),
      quiet('10:00', '10:30'),
      quiet('10:45', '11:00'),
      visit({ timestamp: at('11:31') }),
    ]
    for (let sent = 0; sent < records.length; sent += records_of_a_batch) {
      await intake.send(records.slice(sent, sent + records_of_a_batch))
    }
    expect(await covered()).toEqual(['09:50/11:00', '11:31/11:31'])
  })

  test('over a time of requests makes no silence normal', async () => {
    await deliver(['10:00', '10:10', '10:20', '10:30', '10:40'])
    await beat('10:00', '11:00')
    await deliver(['11:21'])
    expect(await covered()).toEqual(['10:00/11:00', '11:21/11:21'])
    await deliver(['11:30', '11:40', '11:50', '12:00'], { given: { user_agent: PERSON } })
    await intake.send([
      { type: 'heartbeat', covered_from: at('11:00'), covered_to: at('12:00') },
      visit({ timestamp: at('11:15') }),
    ])
    await deliver(['12:22'])
    expect((await covered()).at(-1)).toBe('12:22/12:22')
  })

  test('a normal silence is at most 6 hours, and pauses older than 7 covered days are dropped', async () => {
    await beat('00:00', '07:00')
    await deliver(['13:00'])
    expect(await covered()).toEqual(['00:00/13:00'])
    for (let day = 11; day <= 17; day++) await deliver([`2026-03-${day}T12:00`])
    await deliver(['2026-03-18T12:00', '2026-03-18T13:00'])
    expect((await covered()).slice(-2)).toEqual([
      '2026-03-18T12:00/2026-03-18T12:00',
      '2026-03-18T13:00/2026-03-18T13:00',
    ])
  })

  test('may be for one host, and then does not cover the others', async () => {
    await deliver(['10:00'])
    await beat('10:00', '11:00', { host: 'Shop.example.com' })
    await deliver(['11:10'])
    expect(await covered()).toEqual(['10:00/10:00', '10:00/11:00 shop.example.com', '11:10/11:10'])
  })

  test('alone brings a source to life', async () => {
    await beat('10:00', '10:30')
    expect(await source()).toMatchObject({
      connection_status: 'live',
      is_primary: 1,
      data_through: Date.parse(at('10:30')),
    })
  })

  test('for some hosts only limits how far a sender has reported, until one is for all', async () => {
    const through = async () =>
      (await intake.service.crawlers.control.db.selectFrom('senders').select('last_record_at').execute()).map((row) =>
        instantText(row.last_record_at).slice(11, 16),
      )
    await beat('10:00', '10:30', { host: 'shop.example.com' })
    await beat('10:30', '11:00', { host: 'shop.example.com' })
    expect(await through()).toEqual(['11:00'])
    await deliver(['11:10'])
    await beat('11:00', '11:30', { host: 'shop.example.com' })
    expect(await through()).toEqual(['11:10'])
  })

  test('of some hosts moves a source no further than it has reported of all', async () => {
    const quarters = ['00', '15', '30', '45']
    await deliver(Array.from({ length: 10 }, (_, hour) => quarters.map((minute) => `0${hour}:${minute}`)).flat())
    const reported = Date.parse(at('09:45'))
    expect(await source()).toMatchObject({ data_through: reported })
    const one_host = { type: 'heartbeat', covered_from: at('09:00'), covered_to: at('10:30'), host: 'shop.example.com' }
    intake.service.clock.set(at('10:30'))
    await intake.send([one_host])
    expect(await source()).toMatchObject({ data_through: reported })
    await intake.send([one_host, visit({ timestamp: at('09:50') })])
    expect(await source()).toMatchObject({ data_through: Date.parse(at('09:50')) })
    const { meta } = (await intake.service.ask('/v1/sites/example.com/performance?window=3d')).json as Performance
    const [shown] = meta.sources
    expect([meta.data_through, shown?.completeness]).toEqual([`${DAY}T09:50:00.000Z`, 'complete'])
  })

  test.each([
    ['heartbeat_invalid', '11:00', '11:00', {}],
    ['heartbeat_invalid', '11:00', '10:00', {}],
    ['heartbeat_invalid', '2026-03-01T00:00', '10:00', {}],
    ['heartbeat_invalid', '2014-12-31T23:00', '2015-01-01T01:00', {}],
    ['heartbeat_invalid', '10:00', '11:00', { covered_to: at('11:06') }],
    ['heartbeat_invalid', '10:00', '11:00', { covered_from: null }],
    ['heartbeat_host', '10:00', '11:00', { host: 'example.org' }],
    ['heartbeat_host', '10:00', '11:00', { host: 7 }],
  ])('is refused as %s: %s to %s %j', async (code, from, to, given) => {
    expect((await beat(from, to, given)).rejected).toMatchObject([{ index: 0, code }])
    expect(await covered()).toEqual([])
  })
})

describe('senders', () => {
  test('cover each for itself', async () => {
    const b = { headers: { 'x-spoor-sender': 'b' } }
    await deliver(['10:00'])
    await deliver(['10:05'], b)
    await deliver(['10:20'], b)
    await deliver(['10:25'])
    expect(await covered('b')).toEqual(['10:05/10:20'])
    expect(await covered()).toEqual(['10:00/10:00', '10:05/10:20', '10:25/10:25'])
    const senders = await intake.service.crawlers.control.db
      .selectFrom('senders')
      .selectAll()
      .orderBy('last_record_at', 'desc')
      .execute()
    expect(senders.map((row) => [row.name.length, instantText(row.last_record_at).slice(11, 16)])).toEqual([
      [36, '10:25'],
      [1, '10:20'],
    ])
  })

  test('report as far as the slowest, in the owner’s list as in the API', async () => {
    await deliver(['10:00'])
    await deliver(['10:05'], { headers: { 'x-spoor-sender': 'b' } })
    expect(await source()).toMatchObject({ reported_through: Date.parse(at('10:00')) })
    await deliver(['10:10'])
    expect(await source()).toMatchObject({ reported_through: Date.parse(at('10:05')) })
    const { operator } = intake.service.installation
    const listed = await manageSources['source.list']({ ...operator, site: intake.site } as never, {} as never)
    expect(listed.sources.map(({ data_through }) => data_through)).toEqual([instantText(Date.parse(at('10:05')))])
  })

  test('report as far as the only one that is still expected, though a retired one has reported more', async () => {
    const quarters_of = (count: number) =>
      Array.from({ length: count }, (_, n) => instantText(n * 900_000).slice(11, 16))
    const b = { headers: { 'x-spoor-sender': 'b' } }
    await deliver(quarters_of(40), b)
    await deliver(quarters_of(43))
    const answer = async () => {
      const { json } = await intake.service.ask('/v1/sites/example.com/performance?window=3d')
      const { meta } = json as Performance
      const [shown] = meta.sources
      return [meta.data_through, shown?.data_through, shown?.completeness]
    }
    const slowest = `${DAY}T09:45:00.000Z`
    expect(await answer()).toEqual([slowest, slowest, 'complete'])
    const { operator } = intake.service.installation
    const [{ name } = { name: '' }] = (await listSenders(operator, intake.source_id)).filter(({ name }) => name !== 'b')
    await retireSender(operator, { source: intake.source_id, sender: name })
    expect(await answer()).toEqual([slowest, slowest, 'complete'])
  })

  test('that have been silent for a month are kept as long as their coverage, which needs their last delivery', async () => {
    const { control } = intake.service.crawlers
    const senders = () => control.db.selectFrom('senders').selectAll().execute()
    await deliver(['10:00', '10:10'])
    intake.service.clock.set('2026-06-01T00:00:00Z')
    await tidyIntake(intake.service.crawlers)
    expect(await covered()).toEqual(['10:00/10:10'])
    const [{ source_id, name }] = (await senders()) as [SenderRow]
    await control.db.deleteFrom('coverage_intervals').execute()
    const row = { source_id, sender: name, host: '*', from_at: 0, to_at: 0 }
    await control.db.insertInto('forgotten_watches').values(row).execute()
    await tidyIntake(intake.service.crawlers)
    expect(await senders()).toHaveLength(1)
    await control.db.deleteFrom('forgotten_watches').execute()
    await tidyIntake(intake.service.crawlers)
    expect(await senders()).toEqual([])
  })
})

describe('a source', () => {
  test('is in error after 24 hours of silence and lives again by itself', async () => {
    await deliver(['10:00'])
    intake.service.clock.set('2026-03-11T10:00:00Z')
    expect(await markSilentSources(intake.service.crawlers)).toBe(0)
    intake.service.clock.advance(1)
    expect(await markSilentSources(intake.service.crawlers)).toBe(1)
    expect((await source())?.connection_status).toBe('error')
    await deliver(['2026-03-11T10:30'])
    expect((await source())?.connection_status).toBe('live')
  })

  test('that waits for its first record is not silent', async () => {
    intake.service.clock.set('2026-03-20T00:00:00Z')
    expect(await markSilentSources(intake.service.crawlers)).toBe(0)
  })

  test('that its owner does not count is still not counted', async () => {
    await deliver(['10:00'])
    await setPrimary(intake.service.installation.operator, { source: intake.source_id, is_primary: false })
    await deliver(['10:05'])
    expect((await source())?.is_primary).toBe(0)
  })

  test('answers of the site say what it covered', async () => {
    await beat('00:00', '10:00')
    await deliver(['10:05'])
    intake.service.clock.set(at('11:00'))
    const { json } = await intake.service.ask('/v1/sites/example.com/performance?window=3d&purpose=training')
    expect(json).toMatchObject({
      observed_request_count: 1,
      meta: {
        coverage_state: 'partial',
        gaps: [{ from: '2026-03-08', to: '2026-03-09' }],
        data_through: '2026-03-10T10:05:00.000Z',
      },
    })
    const { json: sources } = await intake.service.ask('/v1/sites/example.com/sources')
    expect(sources.sources).toMatchObject([
      {
        source_type: 'https_intake',
        connection_status: 'live',
        completeness: 'complete',
        http_status_fidelity: 'exact',
      },
    ])
  })
})

test('over a thousand senders at once, further ones count as their token’s', async () => {
  const { db } = intake.service.crawlers.control
  const now = intake.service.clock.now()
  const known = Array.from({ length: 1_000 }, (_, n) => ({
    source_id: intake.source_id,
    name: `made-up-${n}`,
    last_record_at: now,
    last_received_at: now,
    retired_at: null,
  }))
  for (let at = 0; at < known.length; at += 100) {
    await db
      .insertInto('senders')
      .values(known.slice(at, at + 100))
      .execute()
  }
  const send = (sender: string, time: string) =>
    deliver([time], { headers: { 'x-spoor-sender': sender } }).then(({ warnings }) => warnings.map(({ code }) => code))
  expect(await send('made-up-7', '10:00')).toEqual([])
  expect(await send('another', '10:01')).toEqual(['many_senders'])
  expect(await send('a-third', '10:02')).toEqual(['many_senders'])
  const { id } = await db.selectFrom('source_tokens').select('id').executeTakeFirstOrThrow()
  const senders = await db.selectFrom('senders').select('name').execute()
  expect(senders).toHaveLength(1_001)
  expect(await covered(id)).toEqual(['10:01/10:02'])
  // Senders that were retired, or that have not delivered for a week, give their places to others.
  await db.updateTable('senders').set({ retired_at: now }).where('name', '=', 'made-up-9').execute()
  await db.updateTable('senders').set({ retired_at: now }).where('name', '=', id).execute()
  expect(await send('another', '10:03')).toEqual([])
  expect(await send('a-third', '10:04')).toEqual(['many_senders'])
  intake.service.clock.set('2026-03-17T12:00:00Z')
  expect(await send('a-third', '2026-03-17T11:00')).toEqual([])
})

test('of over thirty thousand ranges a source keeps the longest', async () => {
  const { db } = intake.service.crawlers.control
  await beat('09:00', '09:10')
  const row = await db.selectFrom('coverage_intervals').selectAll().executeTakeFirstOrThrow()
  const first = Date.parse('2026-01-01T00:00:00Z')
  for (let done = 0; done < 30_000; done += 500) {
    const rows = Array.from({ length: 500 }, (_, at) => {
      const from_at = first + (done + at) * 100_000
      return { ...row, id: crypto.randomUUID(), host: 'a.example.com', from_at, to_at: from_at + 1 }
    })
    await db.insertInto('coverage_intervals').values(rows).execute()
  }
  const { warnings } = await beat('10:00', '10:10')
  expect(warnings.map(({ code }) => code)).toEqual(['many_ranges'])
  const left = await db.selectFrom('coverage_intervals').select(['host', 'from_at']).orderBy('from_at').execute()
  expect(left).toHaveLength(30_000)
  expect(left[0]?.from_at).toBe(first + 200_000)
  expect(left.filter(({ host }) => host === '*')).toHaveLength(2)
})
