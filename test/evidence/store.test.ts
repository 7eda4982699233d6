import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_LIST_CHARACTERS, MAX_LIST_ITEMS } from '#evidence/parameters.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { bytesOf, NativeRows } from '#evidence/rows/native-rows.ts'
import { count, day, instant, list, rows, sql, text, tuples, uint, uint64, uint128, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { RowColumns, type StagedRow, wordOf } from '#intake/import/row-columns.ts'
import { anyText } from '../support/any-text.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'
import { fact } from './facts.ts'

const SITE = '3b241101-e2bb-4255-8caf-4136c566a962'
const DELIVERY = '7d444840-9dc0-11d1-b245-5ffdce74fad2'

let evidence: TestEvidence
let store: EvidenceStore
beforeAll(async () => {
  evidence = await openTestEvidence()
  store = evidence.store
})
afterAll(() => evidence.remove())

const Name = Type.Object({ name: Type.String(), value: Type.String() })
const Count = Type.Object({ n: count() })
const Speed = Type.Object({ version: count() })
const factCount = rows(Count)`SELECT count() AS n FROM spoor.requests FINAL WHERE site_id = ${uuid(SITE)}`
const NASTY = [
  `'`,
  `"`,
  '\\',
  `\\'`,
  '\t\n\r\0\b\f\v',
  '\\N',
  '\\0',
  '{p0:String}',
  '$1 $x $$',
  `'; SET readonly = 0; --`,
  '/* */ -- #',
  'žluťoučký 🐾 \u202e\u2028',
  '[]()',
  '',
  ' ',
]

describe('values are stored and read unchanged, whatever they hold', () => {
  const Texts = Type.Object({
    one: Type.String(),
    many: Type.Array(Type.String()),
    pairs: Type.Array(Type.Tuple([Type.String(), Type.String()])),
  })
  const echo = (value: string) =>
    store.all(rows(Texts)`
      SELECT ${text(value)} AS one, ${list('String', [value, value])} AS many, ${tuples('Tuple(String, UInt64)', [[value, '7']])} AS pairs`)
  const echoed = (value: string) => [{ one: value, many: [value, value], pairs: [[value, '7']] }]

  test.each(NASTY.map((value) => [JSON.stringify(value), value]))('%s', async (_, value) => {
    expect(await echo(value)).toEqual(echoed(value))
  })

  test('any text', async () => {
    const text = anyText({ maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect(await echo(value)).toEqual(echoed(value))
      }),
      { numRuns: 150 },
    )
  })

  test('long ones', async () => {
    const long = NASTY.join('').repeat(100)
    expect(await echo(long)).toEqual(echoed(long))
  })

  test('every other kind of value', async () => {
    const Values = Type.Object({
      id: Type.String(),
      on: Type.String(),
      at: Type.String(),
      small: Type.String(),
      wide: Type.String(),
      widest: Type.String(),
      days: Type.Array(Type.String()),
      none: Type.Array(Type.String()),
    })
    const read = await store.all(rows(Values)`
      SELECT ${uuid(SITE)} AS id, ${day('2026-03-01')} AS on, ${instant(1_772_323_200_123)} AS at, ${uint(0)} AS small,
        ${uint64('18446744073709551615')} AS wide, ${uint128(2n ** 128n - 1n)} AS widest,
        ${list('Date', ['2026-03-01'])} AS days, ${list('UUID', [])} AS none`)
    expect(read).toEqual([
      {
        id: SITE,
        on: '2026-03-01',
        at: '2026-03-01 00:00:00.123',
        small: '0',
        wide: '18446744073709551615',
        widest: '340282366920938463463374607431768211455',
        days: ['2026-03-01'],
        none: [],
      },
    ])
  })

  test('a list holds exactly its members, and an empty one nothing', async () => {
    const some = rows(Count)`SELECT count() AS n FROM numbers(10) WHERE number IN ${list('UInt64', [1, '2', 3n])}`
    const none = rows(
      Count,
    )`SELECT count() AS n FROM numbers(10) WHERE (number, number) IN ${tuples('Tuple(UInt64, UInt64)', [])}`
    expect(await store.all(some)).toEqual([{ n: 3 }])
    expect(await store.all(none)).toEqual([{ n: 0 }])
  })

  test('the longest lists that are allowed are answered', async () => {
    const ids = Array.from(
      { length: MAX_LIST_ITEMS },
      (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    )
    const names = ids.map((id, at) => `${'é'.repeat(31)}${at}${id.slice(0, 1)}`)
    expect(names.join("','").length).toBeGreaterThan(MAX_LIST_CHARACTERS * 0.9)
    const read = rows(Count)`
      SELECT countIf(toString(number) NOT IN ${list('String', names)} AND generateUUIDv4(number) NOT IN ${list('UUID', ids)}) AS n
      FROM numbers(2000000)`
    expect(await store.all(read)).toEqual([{ n: 2_000_000 }])
  })

  test("concurrent reads never see each other's values", async () => {
    const Echo = Type.Object({ a: Type.String(), b: Type.String(), n: count() })
    const asked = Array.from({ length: 400 }, (_, at) => ({ a: `a${at}`, b: `b${at}\t'`, n: at }))
    const answers = await Promise.all(
      asked.map(({ a, b, n }) =>
        // Statements with one value more and one less, so that a value left behind by another would show.
        n % 2 === 0
          ? store.all(
              rows(Echo)`SELECT ${text(a)} AS a, ${text(b)} AS b, ${uint(n)} AS n FROM numbers(1 + ${uint(n)}) LIMIT 1`,
            )
          : store.all(rows(Echo)`SELECT ${text(a)} AS a, ${text(b)} AS b, ${uint(n)} AS n`),
      ),
    )
    expect(answers).toEqual(asked.map((one) => [one]))
  })
})

describe('64-bit numbers are exact', () => {
  test('keys are text, counts are numbers, and a count past 2^53 is refused', async () => {
    const Key = Type.Object({ key: Type.String(), n: count() })
    const read = (n: string) => store.all(rows(Key)`SELECT toUInt64('18446744073709551615') AS key, ${uint64(n)} AS n`)
    expect(await read('9007199254740991')).toEqual([{ key: '18446744073709551615', n: 9_007_199_254_740_991 }])
    await expect(read('9007199254740993')).rejects.toMatchObject({ kind: 'bug' })
  })

  test('an answer without rows is an empty list', async () => {
    expect(await store.all(rows(Count)`SELECT 1 AS n WHERE 0`)).toEqual([])
  })
})

describe('inserts', () => {
  test('a fact is stored with all of its values', async () => {
    const event = (2n ** 128n - 1n).toString()
    await store.insert('requests', jsonRows([fact({ site_id: SITE, event, path: '/ž\t"' })]), 1)
    const Fact = Type.Object({
      event: Type.String(),
      path: Type.String(),
      status: Type.Integer(),
      provider_estimate: Type.Null(),
      page: count(),
    })
    const read = rows(Fact)`
      SELECT event, path, status, provider_estimate, page_id = cityHash64(host, path) AS page FROM spoor.requests WHERE site_id = ${uuid(SITE)}`
    expect(await store.all(read)).toEqual([{ event, path: '/ž\t"', status: 200, provider_estimate: null, page: 1 }])
  })

  test('the first receipt of an event takes precedence over a later one, in any order of storing', async () => {
    const site_id = '11111111-1111-4111-8111-111111111111'
    const first = fact({ site_id, event: '1', received_at: '2026-03-02 00:00:00.000', method: 'FIRST' })
    const retry = fact({ site_id, event: '1', received_at: '2026-03-02 00:00:00.001', method: 'RETRY' })
    await store.insert('requests', jsonRows([first]), 1)
    await store.insert('requests', jsonRows([retry]), 1)
    await store.insert('requests', jsonRows([first]), 1)
    const Method = Type.Object({ method: Type.String() })
    const read = rows(Method)`SELECT method FROM spoor.requests FINAL WHERE site_id = ${uuid(site_id)}`
    expect(await store.all(read)).toEqual([{ method: 'FIRST' }])
    await store.run(sql`OPTIMIZE TABLE spoor.requests FINAL`)
    expect(await store.all(read)).toEqual([{ method: 'FIRST' }])
  })

  test('identical batches are both stored if no key identifies them as one', async () => {
    const batch = jsonRows([staged(DELIVERY, 1)])
    await store.insert('import_rows', batch, 1)
    await store.insert('import_rows', batch, 1)
    expect(await store.all(rows(Count)`SELECT count() AS n FROM spoor.import_rows`)).toEqual([{ n: 2 }])
  })

  test('the rows of one delivery can be dropped whole, even if there are none', async () => {
    const other = '22222222-2222-4222-8222-222222222222'
    await store.insert('import_rows', jsonRows([staged(other, 1), staged(other, 2)]), 2)
    await store.run(sql`ALTER TABLE spoor.import_rows DROP PARTITION ${uuid(DELIVERY)}`)
    await store.run(sql`ALTER TABLE spoor.import_rows DROP PARTITION ${uuid(DELIVERY)}`)
    expect(await store.all(rows(Count)`SELECT count() AS n FROM spoor.import_rows`)).toEqual([{ n: 2 }])
  })

  test('rows by column are the same rows', async () => {
    const [delivery, other] = ['55555555-5555-4555-8555-555555555555', '66666666-6666-4666-8666-666666666666']
    const columns = new RowColumns(delivery)
    const agent = { user_agent: `${NASTY.join('')} ${'x'.repeat(300)}`, proof: '', crawler_id: null, is_counted: true }
    const row: StagedRow = {
      at: Date.parse('2026-03-02T01:02:03.456Z'),
      host: 'example.com',
      path: wordOf("/ž\t'"),
      path_fidelity: 'redacted',
      path_class: 'content',
      status: 0,
      status_raw: 444,
      method: 'GET',
      edge_action: null,
      agent: { ...agent, agent_key: '18446744073709551615' },
      line_hash: Buffer.from('00112233445566778899aabbccddeeff', 'hex').toString('latin1'),
      line_number: 5_000_000_007,
    }
    // The same word twice, apart.
    for (const path of [row.path, row.path, wordOf('/\n\n'), wordOf('/\n\n')]) columns.add({ ...row, path })
    columns.add({ ...row, path_fidelity: 'exact', path_class: 'infrastructure', edge_action: 'challenge' })
    const { head, line_numbers, count: taken } = columns.take()
    await store.insert('import_rows', new NativeRows([head, bytesOf(line_numbers)]), taken)
    const hash = '00112233-4455-6677-8899-aabbccddeeff'
    const same = (path: string, rest = ['redacted', 'content'], edge_action: string | null = null) => [
      ...[other, row.at, 'example.com', path, ...rest, 0, 444, 'GET', edge_action],
      ...[agent.user_agent, '18446744073709551615', hash, 5_000_000_007],
    ]
    const paths = ["/ž\t'", "/ž\t'", '/\n\n', '/\n\n']
    const as_text = [...paths.map((path) => same(path)), same("/ž\t'", ['exact', 'infrastructure'], 'challenge')]
    await store.insert('import_rows', jsonRows(as_text), 5)
    const Row = rows(Type.Object({ row: Type.String() }))
    const read = (id: string) => Row`
      SELECT formatRow('JSONCompactEachRow', * EXCEPT delivery_id, day) AS row FROM spoor.import_rows WHERE delivery_id = ${uuid(id)} ORDER BY row`
    const by_column = await store.all(read(delivery))
    expect(by_column).toHaveLength(5)
    expect(by_column).toEqual(await store.all(read(other)))
    await expect(
      store.insert('import_rows', new NativeRows([head, bytesOf(line_numbers)]), taken + 1),
    ).rejects.toMatchObject({ kind: 'bug' })
    for (const id of [delivery, other]) await store.run(sql`ALTER TABLE spoor.import_rows DROP PARTITION ${uuid(id)}`)
  })

  test('a number of rows that differs from the announced one is an error', async () => {
    const agents = jsonRows([['1', 'TestBot/1.0', '', '2026-03-01 00:00:00.000']])
    await expect(store.insert('agents', agents, 2)).rejects.toMatchObject({
      kind: 'bug',
      message: expect.stringContaining('Of 2 rows'),
    })
    await expect(store.insert('agents', jsonRows([]), 1)).rejects.toMatchObject({ kind: 'bug' })
  })

  test('a batch with an invalid row stores nothing', async () => {
    const before = await store.all(factCount)
    const batch = jsonRows([fact({ site_id: SITE, event: '5' }), fact({ site_id: SITE, event: 'five' })])
    await expect(store.insert('requests', batch, 2)).rejects.toMatchObject({ kind: 'bug' })
    expect(await store.all(factCount)).toEqual(before)
  })

  test('a table has another version after rows are inserted, and none during inserts or on servers', async () => {
    const agents = jsonRows([['2', 'TestBot/2.0', '', '2026-03-01 00:00:00.000']])
    const versions = async (rows: Uint8Array, rowCount: number) => {
      const before = store.versionOf('agents')
      const inserted = store.insert('agents', rows, rowCount).catch(() => {})
      const meanwhile = store.versionOf('agents')
      await inserted
      return { before, meanwhile, after: store.versionOf('agents') }
    }
    for (const seen of [await versions(agents, 1), await versions(jsonRows([]), 1)]) {
      expect(seen.meanwhile).toBeNull()
      expect(seen.after === null).toBe(!store.has_own_parts)
      if (store.has_own_parts) expect(seen.after).not.toBe(seen.before)
    }
  })

  test('rows of a site can be deleted', async () => {
    await store.run(sql`DELETE FROM spoor.requests WHERE site_id = ${uuid(SITE)}`)
    expect(await store.all(factCount)).toEqual([{ n: 0 }])
  })
})

describe('readers only read', () => {
  const One = rows(Type.Object({ line: Type.String() }))
  test.each([
    ['a write', One`INSERT INTO spoor.schema_versions VALUES (99)`],
    ['a change of settings', One`SET readonly = 0`],
    ['a setting of its own', One`SELECT 'a' AS line SETTINGS max_execution_time = 0`],
    ['file()', One`SELECT line FROM file('/etc/hostname', 'LineAsString')`],
    ['url() of a file', One`SELECT line FROM url('file:///etc/hostname', 'LineAsString')`],
    ['a second statement that writes', One`SELECT 'a' AS line; DROP TABLE spoor.agents`],
  ])('%s is refused', async (_, statement) => {
    await expect(store.all(statement)).rejects.toMatchObject({
      kind: 'bug',
      message: expect.stringMatching(/READONLY/),
    })
  })

  test('writing a file is refused, to readers and writers', async () => {
    const target = join(evidence.folder, 'leak.txt')
    await expect(store.all(One`SELECT 'a' AS line INTO OUTFILE ${text(target)}`)).rejects.toMatchObject({ kind: 'bug' })
    await expect(store.run(sql`SELECT 'a' AS line INTO OUTFILE ${text(target)}`)).rejects.toMatchObject({ kind: 'bug' })
    expect(await readdir(evidence.folder)).not.toContain('leak.txt')
  })
})

describe('a failing query leaves the session usable', () => {
  const endless = rows(Count)`SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) = 1`
  const greedy = rows(
    Type.Object({ all: Type.Array(Type.String()) }),
  )`SELECT groupArray(number) AS all FROM numbers(10000000000)`

  test('after a bug', async () => {
    for (let round = 0; round < 8; round++) {
      await expect(store.all(rows(Count)`SELECT n FROM spoor.no_such_table`)).rejects.toMatchObject({ kind: 'bug' })
    }
    await expect(store.run(sql`INSERT INTO spoor.no_such_table SELECT 1`)).rejects.toMatchObject({ kind: 'bug' })
  })

  test('after a statement stopped by its time, reading and writing', async () => {
    await expect(store.all(endless, { max_seconds: 1 })).rejects.toMatchObject({ kind: 'timeout' })
    const write = sql`INSERT INTO spoor.schema_versions SELECT number FROM numbers(1000000000000) WHERE sipHash64(number) = 1`
    await expect(store.run(write, { max_seconds: 1 })).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('after a statement stopped by its memory', async () => {
    await expect(store.all(greedy)).rejects.toMatchObject({ kind: 'memory' })
    await expect(store.all(greedy, { max_memory_mb: 20 })).rejects.toMatchObject({ kind: 'memory' })
  })

  test('every session answers afterwards, with its own limits again', async () => {
    const ones = await Promise.all(Array.from({ length: 12 }, () => store.all(rows(Count)`SELECT 1 AS n`)))
    expect(ones).toEqual(Array.from({ length: 12 }, () => [{ n: 1 }]))
    await store.run(sql`SELECT 1`)
    await store.ping()
  })
})

describe('commands that run during writes', () => {
  const slow = sql`INSERT INTO spoor.schema_versions SELECT toUInt32(number) FROM numbers(4) WHERE sleepEachRow(0.5) = 1`

  test('delay no other write', async () => {
    const ended: string[] = []
    const concurrent = store.run(slow, { is_concurrent: true }).then(() => ended.push('concurrent'))
    await store.run(sql`SELECT 1`).then(() => ended.push('write'))
    await concurrent
    expect(ended).toEqual(['write', 'concurrent'])
  })

  test('a command may be slowed down, and the ones after it are not', async () => {
    const noteSpeed = sql`INSERT INTO spoor.schema_versions SELECT toUInt32(getSetting('max_execution_speed'))`
    const speed = rows(Speed)`SELECT version FROM spoor.schema_versions WHERE version IN (0, 77777)`
    const started = performance.now()
    await store.run(
      sql`INSERT INTO spoor.schema_versions SELECT toUInt32(77000 + number % 2) AS n FROM numbers(400000) GROUP BY n`,
      {
        is_concurrent: true,
        max_rows_a_second: 1_000_000,
      },
    )
    expect(performance.now() - started).toBeGreaterThanOrEqual(300)
    await store.run(noteSpeed, { is_concurrent: true, max_rows_a_second: 77_777 })
    expect(await store.all(speed)).toEqual([{ version: 77_777 }])
    // Commands of this kind take turns with a few sessions, so this goes through each of them.
    for (let session = 0; session < 4; session++) await store.run(noteSpeed, { is_concurrent: true })
    expect((await store.all(speed)).filter(({ version }) => version !== 0)).toEqual([{ version: 77_777 }])
  })
})

describe('the engine runs with our settings', () => {
  const read = async (table: 'settings' | 'server_settings', names: string[]) => {
    const source = table === 'settings' ? sql`system.settings` : sql`system.server_settings`
    const found = await store.all(rows(Name)`SELECT name, value FROM ${source} WHERE name IN ${list('String', names)}`)
    return Object.fromEntries(found.map(({ name, value }) => [name, value]))
  }

  test('memory is capped for the server and for each statement', async () => {
    expect(
      await read('server_settings', ['max_server_memory_usage', 'mark_cache_size', 'index_mark_cache_size']),
    ).toEqual({
      max_server_memory_usage: String(2_048 * 1024 * 1024),
      mark_cache_size: String(256 * 1024 * 1024),
      index_mark_cache_size: String(64 * 1024 * 1024),
    })
    expect(await read('settings', ['max_memory_usage', 'max_execution_time', 'readonly'])).toEqual({
      max_memory_usage: String(300 * 1024 * 1024),
      max_execution_time: '30',
      readonly: '1',
    })
  })

  test('a read with its own limits has exactly those, concurrently and repeatedly, and the settings of others do not change', async () => {
    const names = ['compile_aggregate_expressions', 'compile_expressions', 'max_execution_time', 'readonly']
    const settings = rows(
      Name,
    )`SELECT name, value FROM system.settings WHERE name IN ${list('String', names)} ORDER BY name`
    const asked = [7, 9, null, 7, 9, null, 7, 9, 7]
    for (let round = 0; round < 3; round++) {
      const found = await Promise.all(
        asked.map((max_seconds) => (max_seconds === null ? store.all(settings) : store.all(settings, { max_seconds }))),
      )
      expect(found.map((rows) => rows.map(({ value }) => value))).toEqual(
        asked.map((max_seconds) => ['0', '0', String(max_seconds ?? 30), '1']),
      )
    }
  })

  test('settings that answers depend on are pinned', async () => {
    const pinned = {
      async_insert: '0',
      join_use_nulls: '1',
      output_format_json_quote_64bit_integers: '1',
      session_timezone: 'UTC',
    }
    expect(await read('settings', Object.keys(pinned))).toEqual(pinned)
    const free = await read('settings', ['min_free_disk_bytes_to_perform_insert'])
    expect(Number(free.min_free_disk_bytes_to_perform_insert)).toBeGreaterThan(0)
  })

  test('the database is Atomic, and every table that must survive a power cut fsyncs and keeps identical batches', async () => {
    const Table = Type.Object({ name: Type.String(), create_table_query: Type.String() })
    const tables = await store.all(
      rows(Table)`SELECT name, create_table_query FROM system.tables WHERE database = 'spoor' ORDER BY name`,
    )
    expect(tables.map((table) => table.name)).toEqual([
      'address_proofs',
      'agent_labels',
      'agents',
      'answer_citations',
      'answer_mentions',
      'answers',
      'counted_answers',
      'crawler_daily',
      'definition_daily',
      'events',
      'identity',
      'import_rows',
      'journey_daily',
      'page_monthly',
      'page_outcomes_daily',
      'pages',
      'requests',
      'schema_versions',
      'search_ai_rows',
      'search_rows',
      'sessions',
      'source_daily',
      'tracker_daily',
      'tracker_page_daily',
    ])
    for (const { name, create_table_query } of tables) {
      expect(create_table_query, name).toContain('non_replicated_deduplication_window = 0')
      if (name === 'import_rows') continue
      for (const setting of ['fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge']) {
        expect(create_table_query, name).toContain(`${setting} = 1`)
      }
    }
    const Engine = Type.Object({ engine: Type.String() })
    expect(await store.all(rows(Engine)`SELECT engine FROM system.databases WHERE name = 'spoor'`)).toEqual([
      { engine: 'Atomic' },
    ])
  })

  test('facts and roll-ups are partitioned by month', async () => {
    const Partition = Type.Object({ name: Type.String(), partition_key: Type.String() })
    const partitioned = rows(
      Partition,
    )`SELECT name, partition_key FROM system.tables WHERE database = 'spoor' AND partition_key != '' ORDER BY name`
    expect(await store.all(partitioned)).toEqual([
      { name: 'answer_citations', partition_key: 'toYYYYMM(day)' },
      { name: 'answer_mentions', partition_key: 'toYYYYMM(day)' },
      { name: 'answers', partition_key: 'toYYYYMM(day)' },
      { name: 'counted_answers', partition_key: 'toYYYYMM(day)' },
      { name: 'crawler_daily', partition_key: 'toYYYYMM(day)' },
      { name: 'definition_daily', partition_key: 'toYYYYMM(day)' },
      { name: 'events', partition_key: 'toYYYYMM(day)' },
      { name: 'import_rows', partition_key: 'delivery_id' },
      { name: 'journey_daily', partition_key: 'toYYYYMM(day)' },
      { name: 'page_monthly', partition_key: 'toYYYYMM(month)' },
      { name: 'page_outcomes_daily', partition_key: 'toYYYYMM(day)' },
      { name: 'requests', partition_key: 'toYYYYMM(day)' },
      { name: 'search_ai_rows', partition_key: 'toYYYYMM(to_day)' },
      { name: 'search_rows', partition_key: 'toYYYYMM(day)' },
      { name: 'sessions', partition_key: 'toYYYYMM(day)' },
      { name: 'source_daily', partition_key: 'toYYYYMM(day)' },
      { name: 'tracker_daily', partition_key: 'toYYYYMM(day)' },
      { name: 'tracker_page_daily', partition_key: 'toYYYYMM(day)' },
    ])
  })
})

function staged(delivery: string, line_number: number) {
  return [
    delivery,
    Date.UTC(2026, 2, 1, 10),
    'example.com',
    '/',
    'exact',
    'content',
    200,
    0,
    'GET',
    null,
    'TestBot/1.0',
    '1',
    '00000000000000000000000000000077',
    line_number,
  ]
}
