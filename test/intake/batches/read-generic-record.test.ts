/** What becomes of a record, and which ones are refused with which code (decisions 3.5, rules 2 and 4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InspectionRow } from '#control/tables.ts'
import { queueInspections } from '#inspections/queue.ts'
import { GPTBOT, openTestIntake, PERSON, type TestIntake, visit } from '../../support/intake.ts'

let intake: TestIntake
beforeAll(async () => {
  intake = await openTestIntake()
})
afterAll(() => intake.close())

/** The one fact that a record became. */
async function stored(path: string) {
  return (await intake.facts()).find((fact) => fact.path === path)
}

test('crawlers are stored, people counted and dropped, other sites counted', async () => {
  const answer = await intake.send([
    visit({ path: '/a?q=1', host: 'WWW.Example.com:443' }),
    visit({ user_agent: PERSON }),
    visit({ user_agent: '' }),
    visit({ user_agent: null }),
    visit({ host: 'example.org' }),
    visit({ host: 'notexample.com' }),
    visit({ path: '/b', user_agent: 'UnheardOfBot/1.0' }),
  ])
  expect(answer).toEqual({
    records: 7,
    accepted: 2,
    duplicates: 0,
    ignored_human: 3,
    ignored_other_site: 2,
    ignored_not_a_visit: 0,
    ignored_own_inspection: 0,
    heartbeats: 0,
    rejected_count: 0,
    rejected: [],
    warnings: [],
  })
  expect(await stored('/a')).toEqual({
    event: expect.stringMatching(/^\d{20,39}$/),
    at: '2026-03-10 11:59:00.000',
    host: 'www.example.com',
    path: '/a',
    status: 200,
    status_raw: 200,
    method: 'GET',
    user_agent: GPTBOT,
    requests: 1,
  })
  const performance = await intake.service.ask(`/v1/sites/example.com/performance?window=3d&purpose=training,unknown`)
  expect(performance.json.observed_request_count).toBe(1)
  expect(performance.text).not.toContain('192.0.2.1')
})

describe('a timestamp', () => {
  test.each([
    ['RFC 3339', '2026-03-10T11:58:00.250Z'],
    ['with an offset', '2026-03-10T13:58:00.250+02:00'],
    ['with nanoseconds', '2026-03-10 11:58:00.250999999z'],
    ['Unix seconds', 1_773_143_880.25],
    ['Unix milliseconds', 1_773_143_880_250],
    ['Unix microseconds as text', '1773143880250999'],
    ['Unix nanoseconds as text', '1773143880250999999'],
  ])('as %s', async (name, timestamp) => {
    const path = `/time/${name.replaceAll(' ', '-')}`
    expect((await intake.send([visit({ path, timestamp })])).accepted).toBe(1)
    expect((await stored(path))?.at).toBe('2026-03-10 11:58:00.250')
  })

  test.each([
    ['timestamp_missing', undefined],
    ['timestamp_missing', null],
    ['timestamp_unreadable', 'yesterday'],
    ['timestamp_unreadable', '2026-03-10T11:58:00'],
    ['timestamp_unreadable', '2026-02-30T11:58:00Z'],
    ['timestamp_unreadable', '2026-03-10T24:00:00Z'],
    ['timestamp_unreadable', true],
    ['timestamp_unreadable', -1],
    ['timestamp_ahead', '2026-03-10T12:05:00.001Z'],
    ['timestamp_ahead', 4_000_000_000],
    ['timestamp_too_old', '2014-12-31T23:59:59.999Z'],
    ['timestamp_too_old', 0],
  ])('is refused as %s: %s', async (code, timestamp) => {
    const answer = await intake.send([visit({ timestamp }), visit({ path: '/good', id: `good ${timestamp}` })])
    expect(answer).toMatchObject({ accepted: 1, rejected_count: 1, rejected: [{ index: 0, code }] })
    expect(answer.rejected[0]?.message).toMatch(/timestamp/)
  })

  test('up to 5 minutes ahead and from 2015 on is accepted', async () => {
    const answer = await intake.send([
      visit({ timestamp: '2026-03-10T12:05:00Z' }),
      visit({ timestamp: '2015-01-01T00:00:00Z' }),
    ])
    expect(answer.accepted).toBe(2)
  })
})

describe('a status', () => {
  test.each([
    ['null', null, 0, 0],
    ['absent', undefined, 0, 0],
    ['empty', '', 0, 0],
    ['dash', '-', 0, 0],
    ['zero', 0, 0, 0],
    ['000', '000', 0, 0],
    ['99', 99, 0, 99],
    ['minus', -1, 0, 0],
    ['text', '200', 200, 200],
    ['number', 404, 404, 404],
    ['nginx-444', 444, 0, 444],
    ['nginx-499', '499', 0, 499],
    ['alb-460', 460, 0, 460],
    ['odd', 999, 999, 999],
  ])('%s', async (name, status, observed, raw) => {
    await intake.send([visit({ path: `/status/${name}`, status })])
    expect(await stored(`/status/${name}`)).toMatchObject({ status: observed, status_raw: raw })
  })

  test.each([1000, '1000', 200.5, 'OK', true, {}])('%s is refused', async (status) => {
    expect((await intake.send([visit({ status })])).rejected[0]?.code).toBe('status_invalid')
  })
})

test('bytes that are not UTF-8 stay in a path, and the same line is the same request by upload', async () => {
  const site = await intake.service.addSite('uploaded.example')
  const line = (path: string) =>
    Buffer.from(`${JSON.stringify(visit({ path, host: '', user_agent: `${GPTBOT} caf\xe9\xe2\x82` }))}\n`, 'latin1')
  const body = Buffer.concat([line('/raw/caf\xe9/\xc3\xa9'), line('/raw/\xf0\x9f\x92\x80\xac')])
  await intake.service.importText(site, body.toString('latin1'))
  expect((await intake.post(body)).json).toMatchObject({ accepted: 2 })
  const facts = (await intake.facts()).filter(({ path }) => path.startsWith('/raw/'))
  const read = (host: string) =>
    facts.filter((fact) => fact.host === host).map(({ path, user_agent }) => [path, user_agent])
  expect(read('example.com')).toEqual([
    ['/raw/caf%E9/é', `${GPTBOT} caf\ufffd\ufffd`],
    ['/raw/💀%AC', `${GPTBOT} caf\ufffd\ufffd`],
  ])
  expect(read('uploaded.example')).toEqual(read('example.com'))
})

describe('the host and path of a record', () => {
  test.each([
    ['the path without its query', { path: '/p/1?a=b#c' }, 'example.com', '/p/1'],
    [
      'an absolute url',
      { path: undefined, host: undefined, url: 'https://shop.example.com:8443/p/2?x' },
      'shop.example.com',
      '/p/2',
    ],
    ['the url where the path is empty', { path: '', url: '/p/3' }, 'example.com', '/p/3'],
    [
      'the host of the record before that of the url',
      { path: undefined, url: 'https://a.example.com/p/4' },
      'example.com',
      '/p/4',
    ],
    ['the root domain without any host', { path: '/p/5', host: undefined }, 'example.com', '/p/5'],
    ['the root domain for an address', { path: '/p/6', host: '192.0.2.7' }, 'example.com', '/p/6'],
    ['the root domain for localhost', { path: '/p/7', host: 'localhost:8080' }, 'example.com', '/p/7'],
    [
      'the host of the url beside a path',
      { path: '/p/8', host: null, url: 'http://b.example.com/x' },
      'b.example.com',
      '/p/8',
    ],
  ])('%s', async (_name, given, host, path) => {
    expect((await intake.send([visit(given)])).accepted).toBe(1)
    expect((await stored(path))?.host).toBe(host)
  })

  test.each([
    ['path_missing', { path: undefined }],
    ['path_missing', { path: '', url: null }],
    ['path_invalid', { path: 'index.html' }],
    ['path_invalid', { path: 7 }],
    ['path_invalid', { path: undefined, url: 'index.html' }],
    ['method_invalid', { method: 'GET /' }],
    ['method_invalid', { method: 1 }],
    ['user_agent_missing', { user_agent: undefined }],
    ['user_agent_invalid', { user_agent: ['GPTBot'] }],
    ['id_invalid', { id: 2 ** 53 }],
    ['id_invalid', { id: {} }],
    ['id_invalid', { id: 'x'.repeat(513) }],
  ])('is refused as %s: %j', async (code, given) => {
    expect((await intake.send([visit(given)])).rejected[0]?.code).toBe(code)
  })

  test('a method is given or unknown', async () => {
    await intake.send([
      visit({ path: '/method/none', method: undefined }),
      visit({ path: '/method/low', method: 'head' }),
    ])
    expect((await stored('/method/none'))?.method).toBe('UNKNOWN')
    expect((await stored('/method/low'))?.method).toBe('HEAD')
  })
})

describe('unusual records', () => {
  test('megabyte-long paths and agents are cut, control characters and half Unicode survive', async () => {
    const long = `/${'x'.repeat(900_000)}`
    const answer = await intake.send([
      visit({ path: long }),
      visit({ path: '/odd/agent', user_agent: `${GPTBOT} ${'y'.repeat(900_000)}` }),
      visit({ path: '/odd/\u0000\u001b\u007f', user_agent: `GPTBot\u0000\u001b[31m "\\` }),
      visit({ path: '/odd/\ud800', user_agent: 'GPTBot/1.0 \udfff' }),
      visit({ host: 'h'.repeat(100_000), path: '/odd/host' }),
    ])
    expect(answer).toMatchObject({ accepted: 5, rejected_count: 0 })
    expect((await stored('/odd/agent'))?.user_agent).toHaveLength(1024)
    expect((await stored('/odd/%00%1B%7F'))?.user_agent).toBe('GPTBot\u0000\u001b[31m "\\')
    expect((await stored('/odd/\ufffd'))?.user_agent).toBe('GPTBot/1.0 \ufffd')
    expect((await stored('/odd/host'))?.host).toBe('example.com')
    expect((await intake.facts()).every((fact) => fact.path.length <= 1024)).toBe(true)
  })

  test('invalid UTF-8 harms no other record', async () => {
    const bad = Buffer.concat([
      Buffer.from('{"timestamp":"2026-03-10T11:59:00Z","path":"/utf8/'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from(`","user_agent":"GPTBot ü"}\n${JSON.stringify(visit({ path: '/utf8/gr\u00fc\u00dfe' }))}\n`),
    ])
    expect((await intake.post(bad)).json).toMatchObject({ accepted: 2, rejected_count: 0 })
    expect((await stored('/utf8/%FF%C3'))?.user_agent).toBe('GPTBot ü')
    expect(await stored('/utf8/gr\u00fc\u00dfe')).toBeDefined()
  })

  test('half-broken NDJSON loses only the broken lines', async () => {
    const good = (n: number) => JSON.stringify(visit({ path: `/half/${n}` }))
    const body = [
      good(1),
      '{"timestamp":',
      '',
      good(2),
      '[1,2]',
      'hello',
      '7',
      'null',
      `${good(3)},`,
      good(4).slice(0, -5),
    ]
    const answer = (await intake.post(body.join('\r\n'))).json
    expect(answer).toMatchObject({
      records: 10,
      accepted: 3,
      rejected_count: 7,
      rejected: [
        { index: 1, code: 'not_json' },
        { index: 3, code: 'not_an_object' },
        { index: 4, code: 'not_an_object' },
        { index: 5, code: 'not_json' },
        { index: 6, code: 'not_an_object' },
        { index: 7, code: 'not_an_object' },
        { index: 9, code: 'not_json' },
      ],
    })
  })

  test('a line over 1 MiB is one refused record', async () => {
    const long = JSON.stringify(visit({ path: '/too-long', bytes: 1, note: 'x'.repeat(1_048_576) }))
    const answer = (await intake.post(`${long}\n${JSON.stringify(visit({ path: '/after' }))}`)).json
    expect(answer).toMatchObject({ accepted: 1, rejected: [{ index: 0, code: 'line_too_long' }] })
  })

  test('the list of refused records is cut and the count is not', async () => {
    const answer = await intake.send(Array.from({ length: 1_200 }, () => visit({ timestamp: 'x' })))
    expect(answer.rejected_count).toBe(1_200)
    expect(answer.rejected).toHaveLength(1_000)
  })

  test('a request that the provider vouches for is automated, whatever its agent', async () => {
    const answer = await intake.send([
      visit({ path: '/vouched/1', user_agent: PERSON, verified_bot: 'AI Crawler' }),
      visit({
        path: '/vouched/2',
        user_agent: PERSON,
        signature_agent: 'https://chatgpt.com',
        signature_verified: true,
      }),
      visit({ user_agent: PERSON, verified_bot: false }),
      visit({ user_agent: PERSON, verified_bot: '' }),
      visit({ user_agent: PERSON, signature_agent: 'https://chatgpt.com', signature_verified: 'yes' }),
    ])
    expect(answer).toMatchObject({ accepted: 2, ignored_human: 3 })
  })

  test('a verdict as text that means no, or unknown, is none', async () => {
    const nos = ['false', 'FALSE', '0', 'no', 'none', 'null', '-', ' ', 'unknown', 'unverified']
    const answer = await intake.send(nos.map((verified_bot) => visit({ user_agent: PERSON, verified_bot })))
    expect(answer).toMatchObject({ accepted: 0, ignored_human: nos.length })
  })
})

test('records that are already past retention are reported', async () => {
  const old = { timestamp: '2025-01-01T00:00:00Z' }
  const answer = await intake.send([visit(), visit(old), visit({ ...old, user_agent: PERSON })])
  expect(answer).toMatchObject({ accepted: 2, warnings: [{ code: 'beyond_retention' }] })
  expect(answer.warnings[0]?.message).toMatch(/^1 records are older than the 400 days/)
  expect((await intake.send([visit({ path: '/young', timestamp: '2025-02-04T00:00:00Z' })])).warnings).toEqual([])
})

test('requests of own inspections are left out; marks with other ids are unlabelled agents', async () => {
  const { site, service } = intake
  const { db } = service.installation.control
  const inspectionOf = async (site_id: string) => {
    const asked = { site_id, host: 'example.com', path: '/', crawler_id: 'gptbot', issue_id: null }
    const [row] = await queueInspections(db, [{ ...asked, reason: 'baseline' }], service.clock.now())
    return (row as InspectionRow).id
  }
  const own = await inspectionOf(site.id)
  const foreign = await inspectionOf((await service.addSite('example.org')).id)
  const marked = (id: string) => visit({ user_agent: `${GPTBOT} SpoorInspector/1 (+https://spoor.example.org; ${id})` })
  const answer = await intake.send([marked(own), visit(), marked(foreign), marked(own), marked('made-up')])
  expect(answer).toMatchObject({ records: 5, accepted: 3, ignored_own_inspection: 2, ignored_human: 0 })
  const read = await service.ask('/v1/sites/example.com/crawlers?window=3d&purpose=training')
  expect(read.json).toMatchObject({ crawlers: [{ crawler_id: 'gptbot' }] })
  const facts = (await intake.facts()).filter(({ user_agent }) => user_agent.includes('SpoorInspector'))
  expect(facts.map(({ user_agent }) => user_agent.includes(own))).toEqual([false, false])
})
