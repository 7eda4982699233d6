import { describe, expect, test } from 'vitest'
import { readSearchFile, type SearchFileHints } from '#brands/search-data/read-search-file.ts'

const NO_HINTS: SearchFileHints = {
  property: null,
  period: null,
  ai_source: null,
  dimensions: null,
  method: null,
  page: null,
}
const PROPERTY = 'sc-domain:example.com'
const RECORD = {
  source: 'google',
  property: PROPERTY,
  day: '2026-11-18',
  search_type: 'web',
  page: 'https://www.example.com/gluten-free',
  query: 'glutenfreies brot zürich',
  country: 'CH',
  device: null,
  clicks: 4,
  impressions: 61,
  position: 7.4,
  final: true,
}

const read = (content: unknown, hints: Partial<SearchFileHints> = {}) =>
  readSearchFile(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), {
    ...NO_HINTS,
    ...hints,
  })
const only = (content: unknown, hints: Partial<SearchFileHints> = {}) => {
  const { rows } = read(content, hints)
  expect(rows).toHaveLength(1)
  return rows[0] as object
}
const faultOf = (each: object) => ('fault' in each ? (each.fault as Error).message : each)

describe('records of our own form (account API 3)', () => {
  const expected = {
    ...RECORD,
    last_day: '2026-11-18',
    is_weekly: false,
    is_final: true,
    dimensions: 'page,query,country',
  }
  const { final: _final, ...row } = expected

  test.each([
    ['NDJSON', JSON.stringify(RECORD)],
    ['JSON', JSON.stringify({ format: 'spoor.search-data/1', rows: [RECORD] })],
    [
      'CSV with a byte order mark',
      '\ufeffsource,property,day,page,query,country,clicks,impressions,position\n' +
        'google,sc-domain:example.com,2026-11-18,https://www.example.com/gluten-free,glutenfreies brot zürich,CH,4,61,7.4\n',
    ],
    [
      'CSV with semicolons',
      'source;property;day;page;query;country;clicks;impressions;position\n' +
        'google;sc-domain:example.com;2026-11-18;https://www.example.com/gluten-free;glutenfreies brot zürich;CH;4;61;7.4\n',
    ],
  ])('%s', (_name, text) => expect(only(text)).toMatchObject({ row }))

  test.each([
    [{ country: 'che' }, { country: 'CH' }],
    [{ country: 'zzz' }, { country: null }],
    [{ country: 'gbr' }, { country: 'GB' }],
    [{ country: 'zmb' }, { country: 'ZM' }],
    [{ clicks: '12.0' }, { clicks: 12 }],
    [{ clicks: 12.0 }, { clicks: 12 }],
    [{ position: -1 }, { position: null }],
    [{ position: 0 }, { position: null }],
    [{ position: null }, { position: null }],
    [{ final: false }, { is_final: false }],
    [{ query: null, country: null }, { dimensions: 'page' }],
    // It is of a report by country all the same, and no sum of its page.
    [{ query: null, country: 'zzz' }, { dimensions: 'page,country' }],
  ])('%j reads as %j', (given, wanted) => {
    expect(only({ format: 'spoor.search-data/1', rows: [{ ...RECORD, ...given }] })).toMatchObject({ row: wanted })
  })

  test.each([
    [{ clicks: 0.5 }, /clicks is "0.5": give a whole number/],
    [{ clicks: -1 }, /clicks is "-1"/],
    [{ impressions: undefined }, /impressions is missing/],
    [{ position: 0.5 }, /position is "0.5"/],
    [{ country: 'XX' }, /country is "XX"/],
    [{ day: '2026-02-30' }, /day is "2026-02-30"/],
    [{ page: '/gluten-free' }, /page is "\/gluten-free": give an absolute http or https URL/],
    [{ source: 'yahoo' }, /source is .*google, bing/],
    [{ final: 'false' }, /final is .*: give true or false/],
    [{ weekly: 1 }, /weekly is .*: give true or false/],
    [{ clicks: { toString: 1, valueOf: 1 } }, /clicks is an object: give a whole number/],
    [{ position: [[[1]]] }, /position is a list: give a number/],
    [{ day: ['2026-11-18'] }, /day is a list: give a text/],
  ])('%j is refused with its reason', (given, reason) => {
    expect(faultOf(only({ format: 'spoor.search-data/1', rows: [{ ...RECORD, ...given }] }))).toMatch(reason)
  })

  test.each([
    ['false', false],
    ['False', false],
    ['FALSE', false],
    ['TRUE', true],
    ['', true],
  ])('in CSV, final is %j as spreadsheets and Python write it: %j', (cell, is_final) => {
    const header = 'source,property,day,page,clicks,impressions,final'
    const row = `google,${PROPERTY},2026-11-18,https://www.example.com/a,4,61,${cell}`
    expect(only(`${header}\n${row}\n`)).toMatchObject({ row: { is_final } })
    expect(faultOf(only(`${header}\n${row.replace(/[^,]*$/, 'no')}\n`))).toMatch(/final is .*: give true or false/)
  })

  test('a row of CSV whose quotation mark is never closed is refused', () => {
    const header = 'source,property,day,clicks,impressions,page'
    const rows = ['"https://www.example.com/a', 'https://www.example.com/b'].map(
      (page) => `google,${PROPERTY},2026-11-18,4,61,${page}`,
    )
    expect(faultOf(only(`${header}\n${rows.join('\n')}\n`))).toMatch(/on line 2 is never closed/)
  })

  test('a broken line refuses itself alone', () => {
    const { rows } = read(`${JSON.stringify(RECORD)}\n{"day": \n${JSON.stringify(RECORD)}\n`)
    expect(rows.map((each) => ('fault' in each ? each.fault.message : 'row'))).toEqual([
      'row',
      'The line is not JSON.',
      'row',
    ])
  })
})

describe('answers of Search Console’s API', () => {
  const keys = ['2026-11-18', 'https://www.example.com/gluten-free', 'glutenfreies brot zürich']
  const answer = {
    rows: [{ keys, clicks: 4.0, impressions: 61.0, ctr: 0.0656, position: 7.4 }],
    responseAggregationType: 'byPage',
  }
  const hints = { property: PROPERTY, dimensions: ['date', 'page', 'query'] }

  test('rows with their keys in the order of the dimensions', () => {
    expect(only(answer, hints)).toMatchObject({
      row: { day: '2026-11-18', page: keys[1], query: keys[2], clicks: 4, impressions: 61, dimensions: 'page,query' },
    })
  })

  test('the request beside the answer names what was requested', () => {
    const request = {
      startDate: '2026-11-18',
      endDate: '2026-11-18',
      dimensions: ['page'],
      dataState: 'all',
      type: 'news',
    }
    const response = { rows: [{ keys: ['https://www.example.com/a'], clicks: 1, impressions: 2, position: 3 }] }
    expect(only({ request, response }, { property: PROPERTY })).toMatchObject({
      row: { day: '2026-11-18', search_type: 'news', is_final: false, dimensions: 'page' },
    })
  })

  test('no member rows means no rows', () => {
    expect(read({ responseAggregationType: 'auto' }, hints).rows).toEqual([])
  })

  test.each([
    [{ property: PROPERTY }, /name its dimensions/],
    [{ dimensions: ['date', 'page', 'query'] }, /name the property/],
    [{ property: PROPERTY, dimensions: ['page', 'query', 'hour'] }, /"hour" is unknown/],
    [{ property: PROPERTY, dimensions: ['page', 'query', 'country'] }, /rows have no day/],
  ])('%j does not say enough', (given, reason) => {
    expect(() => read(answer, given)).toThrow(reason)
  })
})

describe('answers of Bing’s API', () => {
  const point = {
    Query: 'https://www.example.com/a',
    Date: '/Date(1795248000000-0800)/',
    Clicks: 2,
    Impressions: 40,
    AvgImpressionPosition: 6,
  }

  test('a page is in the member Query, and the day is that of the given zone', () => {
    expect(only({ d: [point] }, { property: 'https://www.example.com/', method: 'GetPageStats' })).toMatchObject({
      row: { page: 'https://www.example.com/a', query: null, day: '2026-11-21', is_weekly: true, position: 6 },
    })
  })

  test('queries belong to the page that was asked for', () => {
    const given = { property: 'https://www.example.com/', method: 'GetPageQueryStats' as const }
    expect(() => read({ d: [point] }, given)).toThrow(/name the page/)
    expect(() => read({ d: [point] }, { ...given, page: '/a' })).toThrow(/"\/a" is not a page: give its absolute/)
    expect(only({ d: [{ ...point, Query: 'bread' }] }, { ...given, page: 'https://www.example.com/a' })).toMatchObject({
      row: { page: 'https://www.example.com/a', query: 'bread', dimensions: 'page,query' },
    })
  })

  test('a date of another form is refused', () => {
    const given = { property: 'https://www.example.com/', method: 'GetPageStats' as const }
    expect(faultOf(only({ d: [{ ...point, Date: '2026-11-21' }] }, given))).toMatch(/Date is "2026-11-21"/)
  })
})

describe('exports and reports that people save', () => {
  const PAGES = 'Top pages,Clicks,Impressions,CTR,Position\nhttps://www.example.com/a,5,50,10%,3.2\n'
  const period = { from: '2026-11-01', to: '2026-11-18' }

  test('a tab without days covers the period that is given', () => {
    expect(() => read(PAGES, { property: PROPERTY })).toThrow(/does not contain its period/)
    expect(only(PAGES, { property: PROPERTY, period })).toMatchObject({
      row: { day: '2026-11-01', last_day: '2026-11-18', page: 'https://www.example.com/a', dimensions: 'page' },
    })
  })

  test('a tab with days needs no period', () => {
    expect(
      only('Date,Clicks,Impressions,CTR,Position\n2026-11-18,5,50,10%,3.2\n', { property: PROPERTY }),
    ).toMatchObject({
      row: { day: '2026-11-18', last_day: '2026-11-18', dimensions: '' },
    })
  })

  test.each([
    ['Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position\nbrot,1,2,50%,1\n', /"Häufigste Suchanfragen,Klicks/],
    ['Countries,Clicks,Impressions,CTR,Position\nche,1,2,50%,1\n', /columns are unknown/],
    ['constructor,Clicks,Impressions,CTR,Position\na,1,2,50%,1\n', /columns are unknown: "constructor,/],
    // Rows of one page would replace each other.
    ['Page,Query,Clicks,Impressions,CTR,Position\nhttps://www.example.com/a,b,1,2,50%,1\n', /"Page,Query,Clicks/],
    ['Top pages,Clicks,Impressions,CTR,Position,Country\nhttps://www.example.com/a,1,2,50%,1,che\n', /are unknown/],
    ['Page,Citations,Date\nhttps://www.example.com/a,1,2026-11-18\n', /are unknown: "Page,Citations,Date"/],
    ['Page,Grounding Query,Citations\nhttps://www.example.com/a,b,1\n', /are unknown/],
    ['Citations,Page\n1,https://www.example.com/a\n', /are unknown/],
    ['Top pages,Clicks,Impressions,CTR,Position,Clicks\nhttps://www.example.com/a,1,2,50%,1,3\n', /column twice/],
    ['', /empty/],
    ['PK\u0003\u0004', /ZIP archive/],
    ['[1,2', /No line of it is a record/],
    ['{"hello":1}', /JSON of an unknown form/],
  ])('%j is refused whole', (text, reason) => {
    expect(() => read(text, { property: PROPERTY, period })).toThrow(reason)
  })

  test.each([
    ['Page,Citations\nhttps://www.example.com/a,7\n', { page: 'https://www.example.com/a', grounding_query: null }],
    ["Grounding Query,Citations,Citation Share\n'=bread,7,1%\n", { page: null, grounding_query: '=bread' }],
  ])('a report about AI answers: %j', (text, wanted) => {
    expect(() => read(text, { period })).toThrow(/name who made it/)
    expect(() => read(text, { ai_source: 'bing' })).toThrow(/does not contain its period/)
    expect(only(text, { ai_source: 'bing', period })).toMatchObject({
      ai: { kind: 'ai_citations', source: 'bing', ...period, citations: 7, impressions: null, ...wanted },
    })
  })

  test('impressions of AI answers have their own kind', () => {
    expect(only('Page,Impressions\nhttps://www.example.com/a,7\n', { ai_source: 'google', period })).toMatchObject({
      ai: { kind: 'ai_impressions', impressions: 7, citations: null },
    })
  })

  test('a record of another length refuses itself alone', () => {
    const { rows } = read(`${PAGES}https://www.example.com/b,1\n`, { property: PROPERTY, period })
    expect(rows.map((each) => 'fault' in each)).toEqual([false, true])
  })
})
