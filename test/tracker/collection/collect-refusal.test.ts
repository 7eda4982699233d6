/** Every kind of bad input is refused with its reason and counted, and nothing else is lost (issue 5, rules 6). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { EVENT_FAULT_CODES } from '#tracker/collection/collect-refusal.ts'
import { type Collecting, openCollecting } from '../../support/collect.ts'

const NOW = '2026-03-10T12:00:00Z'
let a: Collecting

beforeAll(async () => {
  a = await openCollecting(NOW)
  const declare = (property_key: string, scalar_kind: 'enum' | 'integer' | 'boolean', values: string[] | null) => ({
    id: crypto.randomUUID(),
    site_id: a.site.id,
    event_name: 'signup',
    property_key,
    revision: 1,
    scalar_kind,
    enum_values: values === null ? null : JSON.stringify(values),
    created_at: 0,
    ended_at: null,
  })
  const { db } = a.service.installation.control
  await db
    .insertInto('properties')
    .values([
      declare('plan', 'enum', ['free', 'größer']),
      declare('seats', 'integer', null),
      declare('trial', 'boolean', null),
      { ...declare('old', 'boolean', null), ended_at: 1 },
    ])
    .execute()
})
afterAll(() => a.close())

const revenue = (over: Record<string, unknown>) => ({
  type: 'revenue',
  revenue: { amount_minor: 1999, currency: 'EUR', ...over },
})
const signup = (props: unknown) => ({ type: 'event', name: 'signup', props })
/** A UUID of version 7 made at an instant. */
function uuidV7(at: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`
}
const many = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at]))

const BAD: [string, Record<string, unknown>, string][] = [
  ['another version', { v: 2 }, 'unsupported_version'],
  ['no version', { v: undefined }, 'unsupported_version'],
  ['an unknown type', { type: 'click' }, 'unknown_type'],
  ['HTML as its type', { type: '<script>alert(1)</script>' }, 'unknown_type'],
  ['an unknown field', { title: 'My diary' }, 'unknown_field'],
  ['no url', { url: undefined }, 'invalid_url'],
  ['a url that is none', { url: '<b>/</b>' }, 'invalid_url'],
  ['a file', { url: 'file:///etc/passwd' }, 'invalid_url'],
  ['a url of 10 KiB', { url: `https://example.com/${'a'.repeat(10_240)}` }, 'invalid_url'],
  ['a url whose host no name can have', { url: `https://${'a.'.repeat(122)}example.com/` }, 'invalid_url'],
  ['a url of another site', { url: 'https://example.com.evil.test/' }, 'url_of_another_site'],
  ['a url of a look-alike', { url: 'https://notexample.com/' }, 'url_of_another_site'],
  ['a referrer that is not a text', { referrer: 7 }, 'invalid_referrer'],
  ['a pageview with a name', { name: 'x' }, 'unexpected_name'],
  ['an event without a name', { type: 'event' }, 'invalid_name'],
  ['HTML as its name', { type: 'event', name: '<img src=x>' }, 'invalid_name'],
  ['a name of 65 characters', { type: 'event', name: 'n'.repeat(65) }, 'invalid_name'],
  ['the reserved name pageview', { type: 'event', name: 'pageview' }, 'reserved_name'],
  ['the reserved name revenue', { type: 'event', name: 'revenue' }, 'reserved_name'],
  ['revenue with a reserved name', { ...revenue({}), name: 'pageview' }, 'reserved_name'],
  ['props that are a list', signup(['plan']), 'invalid_props'],
  ['1,000 properties', signup(many(1_000)), 'too_many_properties'],
  ['51 properties', signup(many(51)), 'too_many_properties'],
  ['an undeclared property', signup({ plan: 'free', email: 'a@example.org' }), 'undeclared_property'],
  ['a property that is declared no more', signup({ old: true }), 'undeclared_property'],
  ['a property of another event', { type: 'event', name: 'other', props: { plan: 'free' } }, 'undeclared_property'],
  ['a property on a pageview', { props: { plan: 'free' } }, 'undeclared_property'],
  [
    '__proto__ as a property',
    { type: 'event', name: 'signup', props: JSON.parse('{"__proto__": 1}') },
    'undeclared_property',
  ],
  ['a number where text is declared', signup({ plan: 1 }), 'wrong_scalar'],
  ['a text where a number is declared', signup({ seats: '5' }), 'wrong_scalar'],
  ['a fraction where a number is declared', signup({ seats: 1.5 }), 'wrong_scalar'],
  ['a number past 2^53', signup({ seats: 2 ** 53 }), 'wrong_scalar'],
  ['a text where true or false is declared', signup({ trial: 'true' }), 'wrong_scalar'],
  ['null as a value', signup({ trial: null }), 'wrong_scalar'],
  ['a value that is not declared', signup({ plan: 'gold' }), 'unknown_enum_value'],
  ['revenue without money', { type: 'revenue' }, 'missing_revenue'],
  ['money on a pageview', { revenue: { amount_minor: 1, currency: 'EUR' } }, 'unexpected_revenue'],
  ['a negative amount', revenue({ amount_minor: -1 }), 'invalid_amount'],
  ['nothing as an amount', revenue({ amount_minor: 0 }), 'invalid_amount'],
  ['a fraction of a cent', revenue({ amount_minor: 19.99 }), 'invalid_amount'],
  ['an amount past 2^53-1', revenue({ amount_minor: 2 ** 53 }), 'invalid_amount'],
  ['a text as an amount', revenue({ amount_minor: '1999' }), 'invalid_amount'],
  ['a currency in small letters', revenue({ currency: 'eur' }), 'unknown_currency'],
  ['a currency that there is not', revenue({ currency: 'ZZZ' }), 'unknown_currency'],
  ['an order id of 10 KiB', revenue({ order_id: 'x'.repeat(10_240) }), 'invalid_order_id'],
  ['an order id with half a character', revenue({ order_id: 'A\ud800' }), 'invalid_order_id'],
  ['an order id that is a number', revenue({ order_id: 5 }), 'invalid_order_id'],
  ['an unknown field of money', revenue({ tax: 1 }), 'unknown_field'],
  ['an unknown kind of money', revenue({ kind: 'tip' }), 'invalid_revenue_kind'],
  ['a refund from a browser', revenue({ kind: 'refund', order_id: 'A-1' }), 'refund_from_browser'],
  ['a number as its id', { id: 12_345_678 }, 'invalid_id'],
  ['a short id', { id: 'x' }, 'invalid_id'],
  ['HTML as its id', { id: '<script>12345' }, 'invalid_id'],
  ['an id of the day after tomorrow', { id: uuidV7(Date.parse(NOW) + DAY_MS + 1) }, 'id_from_the_future'],
  ['the key of another site', { site: 'spoor_pub_00000000000000000000' }, 'other_site_key'],
  ['no key', { site: undefined }, 'other_site_key'],
]

test('the documents say what to do for every reason', () => {
  const page = readFileSync(new URL('../../../docs/operating/collection.md', import.meta.url), 'utf8')
  const reported = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, codes]) => codes?.match(/\w+/g))
  expect(reported).toEqual(expect.arrayContaining([...EVENT_FAULT_CODES]))
})

describe('one bad event among good ones', () => {
  test.each(BAD)('%s', async (_name, over, code) => {
    const before = (await a.stored()).length
    const answer = await a.browser([a.event(), a.event(over), a.event()])
    expect(answer).toMatchObject({ status: 202, json: { accepted: 2 } })
    expect(answer.json.rejected).toEqual([{ index: 1, code, message: expect.stringMatching(/^[A-Z"a-z].{20,300}\.$/) }])
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    expect((await a.stored()).length).toBe(before + 2)
  })

  test('is refused by its index if it is not an object', async () => {
    const answer = await a.browser([7, a.event(), null, 'x'])
    expect(answer.json).toMatchObject({ accepted: 1, rejected: [{ index: 0 }, { index: 2 }, { index: 3 }] })
  })

  test('each is counted by its reason, for the site and the day', async () => {
    await a.collector.mark()
    const rows = await a.service.installation.control.db
      .selectFrom('collection_counts')
      .select(['reason', 'events', 'day', 'site_id'])
      .where('outcome', '=', 'refused')
      .execute()
    const expected = Map.groupBy(BAD, ([, , code]) => code)
    for (const [reason, cases] of expected) {
      expect(rows).toContainEqual({ reason, events: cases.length, day: '2026-03-10', site_id: a.site.id })
    }
  })

  test('a request of which nothing could be accepted is not a success', async () => {
    expect(await a.browser(a.event({ type: 'click' }))).toMatchObject({ status: 422, json: { accepted: 0 } })
  })

  test('is refused alone if it is nested 10,000 deep', async () => {
    for (const [opening, closing] of [
      ['{"0":', '}'],
      ['[', ']'],
    ] as const) {
      const deep = `${opening.repeat(10_000)}1${closing.repeat(10_000)}`
      const bad = JSON.stringify(a.event({ url: null })).replace('null', deep)
      const answer = await a.browser(`[${JSON.stringify(a.event())},${bad}]`)
      expect(answer).toMatchObject({
        status: 202,
        json: { accepted: 1, rejected: [{ index: 1, code: 'invalid_url' }] },
      })
      expect((await a.browser(`[${JSON.stringify(a.event())},${deep}]`)).json).toMatchObject({ accepted: 1 })
    }
  })
})

test('values at the limits are accepted', async () => {
  const fine = [
    a.event({ id: uuidV7(Date.parse(NOW) + DAY_MS) }),
    a.event(signup({ plan: 'größer', seats: -0, trial: false })),
    a.event({ ...revenue({ amount_minor: Number.MAX_SAFE_INTEGER, order_id: 'x'.repeat(128) }), name: 'Upgrade' }),
    a.event({ referrer: 'about:blank', url: 'http://shop.example.com./%22%5C' }),
    a.event({ url: `https://example.com/?utm_source=${encodeURIComponent('😀'.repeat(40))}&utm_term=%00%ff"<b>` }),
    a.event({ referrer: 'https://www.example.com/before' }),
  ]
  const answer = await a.browser(fine)
  expect(answer).toMatchObject({ status: 202, json: { accepted: fine.length, rejected: [] } })
  const stored = (await a.stored()).slice(-fine.length)
  expect(stored[1]).toMatchObject({ name: 'signup', props: "{'plan':'größer','seats':'0','trial':'false'}" })
  expect(stored[2]).toMatchObject({ name: 'Upgrade', revenue_kind: 'sale', amount_minor: Number.MAX_SAFE_INTEGER })
  expect(stored[2]?.order_key).not.toBe('0')
  expect(stored[3]).toMatchObject({ hostname: 'shop.example.com', path: '/%22%5C', referrer_host: '' })
  expect(stored[4]?.utm).toBe(`${'😀'.repeat(32)}|||\u0000\ufffd"<b>|`)
  expect(stored[5]?.referrer_host).toBe(':own')
})

test.each([
  ['a refund without its order', { ...revenue({ kind: 'refund' }) }, 'refund_without_order_id'],
  ['a pageview', {}, 'pageview_from_server'],
  ['a public key', { ...revenue({}), site: 'spoor_pub_x' }, 'other_site_key'],
])('a server is refused %s', async (_name, over, code) => {
  const answer = await a.server({ ...a.event(), site: undefined, ...over })
  expect(answer).toMatchObject({ status: 422, json: { rejected: [{ code }] } })
})

test('a server may refund, without a page and without a visitor', async () => {
  const { id } = a.event()
  const answer = await a.server({ v: 1, id, ...revenue({ kind: 'refund', order_id: 'A-1' }) })
  expect(answer).toMatchObject({ status: 202, json: { accepted: 1 } })
  expect((await a.stored()).at(-1)).toMatchObject({
    stream: 'server',
    revenue_kind: 'refund',
    amount_minor: 1999,
    visitor: '0',
    hostname: '',
    path: '',
  })
  await a.collector.mark()
  const counts = a.service.installation.control.db.selectFrom('collection_counts').select(['reason', 'events'])
  expect(await counts.where('outcome', '=', 'accepted').where('reason', '=', 'server').execute()).toEqual([
    { reason: 'server', events: 1 },
  ])
})

test.each<[Record<string, unknown>, unknown]>([
  [signup({ seats: '5' }), 'The property "seats" is "5"; it is declared as a whole number up to 2^53-1.'],
  [signup({ plan: 5 }), 'The property "plan" is 5; it is declared as a text.'],
  [signup({ plan: { a: 1 } }), 'The property "plan" is an object; it is declared as a text.'],
  [revenue({ order_id: 1001 }), 'revenue.order_id is 1001; send a text of 1 to 128 characters, or leave it out.'],
  [{ v: '1' }, 'v is "1"; this service accepts version 1.'],
  [{ id: 'x' }, 'id is "x"; send 8 to 64 letters, digits, _ or -, new for every event, or leave it out.'],
  [{ id: `\u202e${'x'.repeat(170)}` }, expect.stringMatching(/^id is "\ufffdx{118}…"; send/)],
  [
    { props: { plan: 'free' } },
    'The pageview has the property "plan", and pageviews have none; leave props out, or send a named event beside it.',
  ],
])('the answer says what is wrong: %j', async (over, message) => {
  expect((await a.browser(a.event(over))).json.rejected).toMatchObject([{ message }])
})

test('a url that is too long is named as too long, not as invalid', async () => {
  const answer = await a.browser([a.event({ url: `https://example.com/${'a'.repeat(8_173)}` })])
  expect(answer.json.rejected).toMatchObject([
    { message: expect.stringMatching(/^url has 8193 characters; send at most 8192/) },
  ])
})

test('events that a defect keeps out are counted for their site', async () => {
  await a.browser(a.event())
  const parse = URL.parse.bind(URL)
  const defect = vi.spyOn(URL, 'parse').mockImplementation((url, base) => {
    if (String(url).endsWith('/defect')) throw new Error('a defect')
    return parse(url, base)
  })
  const bad = { type: 'event', name: 'signup', url: 'https://example.com/defect' }
  expect(await a.browser([a.event(), a.event(bad)])).toMatchObject({ status: 500, json: { code: 'internal_error' } })
  expect(await a.server({ v: 1, ...bad })).toMatchObject({ status: 500 })
  defect.mockRestore()
  expect(await a.refused()).toMatchObject({ internal_error: 3 })
})
