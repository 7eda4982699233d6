/** Many rows are derived in pieces that together are what one insert would write. */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { insertTwoAtOnce, pageRanges, pieceCount, piecesOfDays } from '#crawlers/roll-ups/build-pieces.ts'
import { markDays } from '#derived/dirty-days.ts'
import { count, list, rows, sql, uint, uuid } from '#evidence/sql.ts'
import { serviceOfFile } from '../../support/fresh.ts'

const shared = serviceOfFile()

test('each day is in one piece, in order, and no piece is far from its share', () => {
  const counts = fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 31 })
  fc.assert(
    fc.property(counts, (of) => {
      const days = of.map((_, at) => `2026-01-${String(at + 1).padStart(2, '0')}`)
      const facts = new Map(days.map((day, at) => [day, of[at] as number]))
      const pieces = piecesOfDays(days, facts)
      expect(pieces.flat()).toEqual(days)
      const all = of.reduce((sum, each) => sum + each, 0)
      expect(pieces.length).toBeLessThanOrEqual(pieceCount(all))
      const largest = Math.max(...of)
      for (const piece of pieces) {
        const has = piece.reduce((sum, day) => sum + (facts.get(day) as number), 0)
        expect(has).toBeLessThanOrEqual(all / pieceCount(all) + largest)
      }
    }),
  )
})

test.each([
  [0, 1],
  [99_999, 1],
  [100_000, 2],
  [1_200_000, 2],
  [1_200_001, 4],
])('%i rows are derived by %i inserts', (row_count, expected) => {
  expect(pieceCount(row_count)).toBe(expected)
})

test.each([1, 2, 6])('%i ranges hold every page once', (piece_count) => {
  const ranges = pageRanges(piece_count)
  expect(ranges).toHaveLength(piece_count)
  expect(ranges[0]?.first).toBe(0n)
  expect(ranges.at(-1)?.last).toBe(2n ** 64n - 1n)
  for (const [at, { first }] of ranges.slice(1).entries()) expect(first).toBe((ranges[at]?.last as bigint) + 1n)
})

test('pieces are inserted two at a time, and none is begun after a failure', async () => {
  const begun: number[] = []
  let running = 0
  let most = 0
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
  const insert = async (piece: number) => {
    begun.push(piece)
    most = Math.max(most, ++running)
    await (piece === 0 ? failed : setImmediate())
    running--
    if (piece !== 4) return
    fail()
    throw new Error('no room')
  }
  await expect(insertTwoAtOnce([0, 1, 2, 3, 4, 5, 6], insert)).rejects.toThrow('no room')
  expect([begun, running, most]).toEqual([[0, 1, 2, 3, 4], 0, 2])
})

const Line = Type.Object({ line: Type.String(), n: count() })
const FIELDS = sql`toString(source_id), host, toString(page_id), toString(agent_key), toString(status)`

test.each([
  ['none', [], false],
  ['one day', [3], false],
  ['every day', [0, 1, 2, 3, 4], false],
  ['every day, in parts that are merged by now', [0, 1, 2, 3, 4], true],
])(
  'with facts repeated on %s, a month of several pieces, sources, hosts and methods equals its facts',
  async (_, repeated, are_merged) => {
    const { crawlers, addSite, rebuild } = await shared.fresh('2026-03-10T12:00:00.000Z')
    const { evidence, control } = crawlers
    const { id: site_id } = await addSite('example.com')
    const facts = 210_000
    // A third of the facts of some days comes again, later, some of it in place of a reading that does not count.
    for (const { numbers, reading, days_later } of [
      {
        numbers: sql`number * 2 AS n FROM numbers(${uint(facts / 2)})`,
        reading: sql`if(n % 9 = 0, 9, 0)`,
        days_later: 0,
      },
      { numbers: sql`number * 2 + 1 AS n FROM numbers(${uint(facts / 2)})`, reading: sql`0`, days_later: 0 },
      {
        numbers: sql`number * 3 AS n FROM numbers(${uint(facts / 3)}) WHERE n % 5 IN ${list('UInt8', repeated)}`,
        reading: sql`0`,
        days_later: 1,
      },
    ]) {
      await evidence.run(sql`
      INSERT INTO spoor.requests (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
        host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, received_at)
      SELECT ${uuid(site_id)}, toDate('2026-02-01') + n % 5, n, toDateTime64('2026-02-01 00:00:00', 3, 'UTC') + toIntervalDay(n % 5) + n % 80000,
        'exact', toUUID(concat('00000000-0000-4000-8000-00000000000', toString(n % 2))), generateUUIDv4(), ${reading}, 1 + n % 3, NULL,
        concat('h', toString(n % 7), '.example'), concat('/', toString(n % 20011)), 'exact', if(n % 11 = 0, 'infrastructure', 'content'),
        [0, 200, 404, 503][1 + n % 4], 0, ['GET', 'HEAD', 'POST', 'UNKNOWN', ''][1 + n % 5],
        [NULL, 'none', 'block', 'challenge'][1 + intDiv(n, 3) % 4], 'a', n % 13, now64() + toIntervalDay(${uint(days_later)})
      FROM (SELECT ${numbers})`)
    }
    if (are_merged) await evidence.run(sql`OPTIMIZE TABLE spoor.requests FINAL`)
    const days = [1, 2, 3, 4, 5].map((day) => ({ site_id, day: `2026-02-0${day}` }))
    await control.transaction((tx) => markDays(tx, { kind: 'crawlers', cause: 'test', state: 'written', now: 1 }, days))
    expect(await rebuild()).toBe(5)

    const outcomes = await evidence.all(rows(Line)`
    SELECT concatWithSeparator(' ', toString(day), ${FIELDS}, toString(method_class), ifNull(toString(edge_action), ''), toString(path_class),
        toString(first_at), toString(last_at)) AS line, requests AS n
    FROM spoor.page_outcomes_daily WHERE site_id = ${uuid(site_id)} ORDER BY line LIMIT 1000000`)
    const outcomesOfFacts = await evidence.all(rows(Line)`
    SELECT concatWithSeparator(' ', toString(day), ${FIELDS}, class_of_method, ifNull(toString(edge_action), ''),
        toString(path_class), toString(min(at)), toString(max(at))) AS line, sum(requests) AS n
    FROM spoor.requests FINAL WHERE site_id = ${uuid(site_id)} AND reading = 0
    GROUP BY day, source_id, host, page_id, agent_key, status, edge_action, path_class,
      multiIf(method IN ('GET', 'HEAD'), lower(method), method IN ('', 'UNKNOWN'), 'unknown', 'other') AS class_of_method
    ORDER BY line LIMIT 1000000`)
    expect(outcomes.length).toBeGreaterThan(facts / 2)
    expect(digest(outcomes)).toEqual(digest(outcomesOfFacts))

    const month = await evidence.all(rows(Line)`
    SELECT concatWithSeparator(' ', toString(month), ${FIELDS}, toString(first_at), toString(last_at)) AS line, requests AS n
    FROM spoor.page_monthly WHERE site_id = ${uuid(site_id)} ORDER BY line LIMIT 1000000`)
    const monthOfFacts = await evidence.all(rows(Line)`
    SELECT concatWithSeparator(' ', '2026-02-01', ${FIELDS}, toString(min(at)), toString(max(at))) AS line, sum(requests) AS n
    FROM spoor.requests FINAL WHERE site_id = ${uuid(site_id)} AND reading = 0
    GROUP BY source_id, host, page_id, agent_key, status ORDER BY line LIMIT 1000000`)
    expect(digest(month)).toEqual(digest(monthOfFacts))

    const daily = await evidence.all(rows(Line)`
    SELECT concatWithSeparator(' ', toString(day), toString(source_id), host, toString(agent_key), toString(status), toString(path_class)) AS line,
      requests AS n
    FROM spoor.crawler_daily WHERE site_id = ${uuid(site_id)} ORDER BY line`)
    const dailyOfFacts = await evidence.all(rows(Line)`
    SELECT concatWithSeparator(' ', toString(day), toString(source_id), host, toString(agent_key), toString(status), toString(path_class)) AS line,
      sum(requests) AS n
    FROM spoor.requests FINAL WHERE site_id = ${uuid(site_id)} AND reading = 0
    GROUP BY day, source_id, host, agent_key, status, path_class ORDER BY line`)
    expect(digest(daily)).toEqual(digest(dailyOfFacts))
  },
)

/** Many lines as few words, so that a difference is not printed line by line. */
function digest(of: readonly { line: string; n: number }[]) {
  const all = of.map(({ line, n }) => `${line} ${n}`)
  return {
    lines: all.length,
    first: all[0],
    last: all.at(-1),
    all: createHash('sha256').update(all.join('\n')).digest('hex'),
  }
}
