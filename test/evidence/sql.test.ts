import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { Fragment, render } from '#evidence/fragment.ts'
import { MAX_LIST_CHARACTERS, MAX_LIST_ITEMS } from '#evidence/parameters.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import {
  and,
  count,
  day,
  instant,
  isOneOf,
  list,
  or,
  rows,
  sql,
  text,
  tuples,
  uint,
  uint64,
  uint128,
  uuid,
} from '#evidence/sql.ts'

const SITE = '3B241101-E2BB-4255-8CAF-4136C566A962'

describe('a value gets into SQL in one way', () => {
  test('parameters render in order, and the same input gives the same text', () => {
    const make = () =>
      sql`SELECT ${uint(7)} WHERE ${and([sql`site_id = ${uuid(SITE)}`, sql`day = ${day('2026-02-28')}`])}`
    const { text: rendered, parameters } = render(make())
    expect(rendered).toBe('SELECT {p0:UInt64} WHERE ((site_id = {p1:UUID}) AND (day = {p2:Date}))')
    expect(parameters.map((one) => one.text)).toEqual(['7', SITE.toLowerCase(), '2026-02-28'])
    expect(render(make()).text).toBe(rendered)
  })

  test('a bare string neither compiles nor runs', () => {
    // @ts-expect-error a hole takes a typed parameter or a fragment
    expect(() => sql`SELECT * FROM t WHERE host = ${'example.com'}`).toThrow(/typed parameter/)
    // @ts-expect-error a number has no type of the engine
    expect(() => sql`SELECT ${5}`).toThrow(TypeError)
    // @ts-expect-error sql is a tag, not a function of text
    expect(() => sql('SELECT 1')).toThrow(TypeError)
    // @ts-expect-error an array of text is not a template
    expect(() => sql(['SELECT 1'])).toThrow(TypeError)
    // @ts-expect-error something that looks like a parameter is none
    expect(() => sql`SELECT ${{ type: 'String', text: "'" }}`).toThrow(TypeError)
  })

  test('no terms are true for and, false for or', () => {
    expect(render(sql`${and([])}, ${or([])}`).text).toBe('1, 0')
    expect(render(or([sql`a`, sql`b`])).text).toBe('((a) OR (b))')
  })

  test('values beyond one list are in several', () => {
    expect(render(isOneOf(sql`path`, 'String', [])).text).toBe('(path IN {p0:Array(String)})')
    const short = render(
      isOneOf(
        sql`path`,
        'String',
        Array.from({ length: MAX_LIST_ITEMS + 1 }, () => 'a'),
      ),
    )
    expect(short.text).toBe('((path IN {p0:Array(String)}) OR (path IN {p1:Array(String)}))')
    expect(short.parameters.map((one) => one.text.length)).toEqual([4 * MAX_LIST_ITEMS + 1, 5])
    // Each value is written with two quotes, and the list with two brackets.
    const widest = 'a'.repeat(MAX_LIST_CHARACTERS - 4)
    const long = render(isOneOf(sql`path`, 'String', [widest, widest, 'a'])).parameters.map((one) => one.text.length)
    expect(long).toEqual([MAX_LIST_CHARACTERS, MAX_LIST_CHARACTERS, 5])
  })

  test('a template keeps its engine text out of the placeholders', () => {
    expect(render(sql`SELECT ${text('{p0:UUID}')}`).text).toBe('SELECT {p0:String}')
    expect(Fragment.is(sql`SELECT 1`)).toBe(true)
  })
})

describe('a value that is not of its type is refused', () => {
  const tooBig = 2n ** 64n
  test.each([
    ['a UUID', () => uuid("x' OR 1")],
    ['a day that does not exist', () => day('2026-02-30')],
    ['a day with a time', () => day('2026-02-20T00:00')],
    ['an instant with a fraction', () => instant(1.5)],
    ['an instant that is none', () => instant(Number.NaN)],
    ['a negative count', () => uint(-1)],
    ['a fraction', () => uint(0.5)],
    ['an unsafe number', () => uint64(2 ** 53)],
    ['more than 64 bits', () => uint64(tooBig)],
    ['more than 64 bits as text', () => uint64(tooBig.toString())],
    ['hexadecimal text', () => uint64('0x10')],
    ['more than 128 bits', () => uint128(2n ** 128n)],
    ['more than 128 bits, as text', () => uint128((2n ** 128n).toString())],
    ['an item of a list', () => list('UInt16', [65_536])],
    ['a row of the wrong width', () => tuples('Tuple(Date, UInt64)', [['2026-01-01']])],
    ['a type of a list', () => tuples('Tuple(Date, Nothing)', [])],
  ])('%s', (_, make) => {
    expect(make).toThrow(TypeError)
  })

  test('a list longer than the engine accepts is refused', () => {
    const items = Array.from({ length: MAX_LIST_ITEMS + 1 }, (_, at) => at)
    expect(() => list('UInt64', items)).toThrow(RangeError)
    expect(() =>
      tuples(
        'Tuple(UInt64)',
        items.map((item) => [item]),
      ),
    ).toThrow(RangeError)
    expect(() => list('String', ['x'.repeat(MAX_LIST_CHARACTERS)])).toThrow(RangeError)
    expect(list('UInt64', items.slice(1)).type).toBe('Array(UInt64)')
  })
})

describe('rows are checked against the schema of their statement', () => {
  const statement = rows(
    Type.Object({ host: Type.String(), requests: count(), share: Type.Union([count(), Type.Null()]) }),
  )`SELECT 1`

  test('columns become rows, and 64-bit counts become numbers', () => {
    const read = statement.readRows({ host: ['a', 'b'], requests: ['9007199254740991', 3], share: [null, '0'] })
    expect(read).toEqual([
      { host: 'a', requests: 9_007_199_254_740_991, share: null },
      { host: 'b', requests: 3, share: 0 },
    ])
  })

  test.each([
    ['a count past 2^53 is refused, never rounded', { host: ['a'], requests: ['9007199254740993'], share: [null] }],
    ['an empty text is not a count of 0', { host: ['a'], requests: [''], share: [null] }],
    ['null is not a count of 0', { host: ['a'], requests: [null], share: [null] }],
    ['a missing column is refused', { host: ['a'], requests: ['1'] }],
    ['another type is refused', { host: [1], requests: ['1'], share: [null] }],
    ['columns of unequal length are refused', { host: ['a'], requests: ['1', '2'], share: [null] }],
  ])('%s', (_, columns) => {
    expect(() => statement.readRows(columns)).toThrow(expect.objectContaining({ kind: 'bug' }))
  })
})

test('rows for an insert are one JSON array a line', () => {
  expect(
    new TextDecoder().decode(
      jsonRows([
        ['a\n"b"', 1, null],
        ['c', 2, '3'],
      ]),
    ),
  ).toBe('["a\\n\\"b\\"",1,null]\n["c",2,"3"]\n')
})
