import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations, type SiteOperationId } from '#contract/site-api/index.ts'
import { IGNORED_PARAMETERS } from '#surfaces/http/ignored-parameters.ts'
import { openTestService, type TestService } from '../support/service.ts'
import {
  askOperation,
  everyOperation,
  kindOf,
  pathOf,
  RIGHT,
  siteOperations,
  type TestedOperation,
  visible,
} from './ask.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  await service.addSite('example.com')
  await service.createKey()
})
afterAll(() => service.close())

/** Values of each parameter that are refused wherever it stands, as they are written in the URL. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  window: [
    ...['', '2d', '31d', '366d', '30', 'd', '30D', '7D', '30days', 'P30D', '-30d', '03d', '3.0d', '0d', 'all', 'null'],
    ...['+30d', '30d+', '%2030d', '30d%00', '30d%0A', '3%64%20', '7d,30d', '٣d', '%D9%A3d', '2026-03-01'],
  ],
  purpose: [
    ...[
      '',
      'ads',
      'bot',
      'Search',
      'SEARCH',
      'search;training',
      'search|training',
      'all',
      '*',
      'null',
      'searchtraining',
    ],
    ...['search,', ',search', ',', ',,', 'search,,training', 'search,+training', 'search,%20training', 'search%00'],
    ...['search,bot', 'bot,search', 'search,Search', '[search]', '"search"', 'search%2C', 'searсh'],
  ],
  limit: [
    ...['', '5.5', '5.0', '1e1', '1E1', '0', '-1', '-0', '+5', '%2B5', '%205', '5%20', '05', '0x5', '5_0', '5,0'],
    ...[
      '1,5',
      'NaN',
      'Infinity',
      'null',
      'ten',
      '٥',
      '%D9%A5',
      '５',
      '9007199254740993',
      '1'.repeat(400),
      '5%00',
      '%0A5',
    ],
  ],
  include: ['', 'bots', 'Development', 'development,', ',development', 'development,bots', 'all', 'null'],
  format: ['', 'xml', 'CSV', 'Json', 'json,csv', 'csv%20', 'text/csv', 'null'],
  revision: ['', '0', '-1', '1.5', '1e1', '01', '%2B1', '2147483648', '99999999999999999999', 'latest', 'null'],
}
/** Values that are accepted by every operation that knows the parameter. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  window: ['3d', '7d', '30d', '%33%30d'],
  purpose: [
    ...['search', 'unknown', 'search,assistant,training,unknown', 'unknown,training', 'training%2Csearch'],
    'search,search,search',
  ],
  limit: ['1', '5', '50', '%35'],
  include: ['development', 'development,development', 'devel%6Fpment'],
  format: ['json'],
  revision: ['1', '2147483647'],
}
const GREATEST_LIMIT: Partial<Record<SiteOperationId, number>> = {
  getTopPages: 50,
  getIssues: 50,
  getAnalyticsPages: 100,
  getAnalyticsConversions: 100,
  getAnalyticsFunnels: 100,
  getAnalyticsJourneys: 100,
  getCrawler: 50,
  getUnregisteredAgents: 100,
}
/** What the operations of at most 30 days say to a window that others accept (spec 4.2). */
const LONG_WINDOW: Partial<Record<SiteOperationId, 400 | 422>> = {
  getAnalyticsFunnels: 422,
  getAnalyticsFunnel: 422,
  getAnalyticsJourneys: 422,
  getAnalyticsRevenue: 400,
}

const known = (operation: TestedOperation) => Object.keys(operation.query.properties)
const write = (value: string) => value.replace(/[^!-~]/gu, encodeURIComponent)
const parameters = everyOperation.flatMap(([id, operation]) =>
  known(operation).map((name) => [id, name, operation] as const),
)

test('every parameter of the contract has its good and bad values here', () => {
  const names = new Set(parameters.map(([, name]) => name))
  expect([...names].toSorted()).toEqual(Object.keys(BAD).toSorted())
  expect([...names].toSorted()).toEqual(Object.keys(GOOD).toSorted())
  const withLimit = parameters.filter(([, name]) => name === 'limit').map(([id]) => id)
  expect(withLimit.toSorted()).toEqual(Object.keys(GREATEST_LIMIT).toSorted())
})

describe.each(parameters)('%s: %s', (id, name, operation) => {
  const ask = (query: string) => askOperation(service, operation, { query })

  test('an invalid value is 400, named and never corrected', async () => {
    for (const value of BAD[name] as string[]) {
      const answer = await ask(`${name}=${write(value)}`)
      expect([value, answer.status, kindOf(answer)]).toEqual([value, 400, 'invalid_parameter'])
      expect(answer.json.detail).toMatch(new RegExp(`^${name} is `))
    }
    for (const query of [name, `${name}=`]) {
      expect((await ask(query)).json.detail).toBe(`${name} is empty; give it a value or leave it out.`)
    }
  })

  test('given twice it is 400, even with the same valid value or in another encoding', async () => {
    const [good] = GOOD[name] as [string]
    const disguised = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
    for (const query of [
      `${name}=${good}&${name}=${good}`,
      `${name}=${good}&a=1&${disguised}=${good}`,
      `${name}=&${name}=`,
    ]) {
      const answer = await ask(query)
      expect([query, answer.status, kindOf(answer)]).toEqual([query, 400, 'invalid_parameter'])
      expect(answer.json.detail).toMatch(new RegExp(`^${name} is given 2 times`))
    }
  })

  test('its values are accepted, alone and among unknown parameters', async () => {
    for (const value of GOOD[name] as string[]) {
      expect([value, (await ask(`${name}=${value}`)).status]).toEqual([value, RIGHT[id]])
      expect([value, (await ask(`a=1&${name}=${value}&b=`)).status]).toEqual([value, RIGHT[id]])
    }
  })

  test('a name in another case or with brackets is another parameter, and ignored', async () => {
    const bad = (BAD[name] as string[])[1]
    const others = [name.toUpperCase(), `${name}[]`, `${name}%5B0%5D`, `+${name}`, `${name}+`, `_${name}`]
    for (const other of others) expect([other, (await ask(`${other}=${bad}`)).status]).toEqual([other, RIGHT[id]])
  })
})

describe('windows', () => {
  test.each(parameters.filter(([, name]) => name === 'window'))(
    '%s: windows over 30 days are answered, or refused as the specification says',
    async (id, _name, operation) => {
      for (const window of ['90d', '180d', '365d']) {
        const answer = await askOperation(service, operation, { query: `window=${window}` })
        const refused = LONG_WINDOW[id]
        expect([window, answer.status]).toEqual([window, refused === undefined ? RIGHT[id] : refused])
        expect(kindOf(answer) === 'window_too_long').toBe(refused !== undefined)
      }
    },
  )

  test.each([
    ['3d', '2026-03-08'],
    ['7d', '2026-03-04'],
    ['30d', '2026-02-09'],
    ['90d', '2025-12-11'],
    ['180d', '2025-09-12'],
    ['365d', '2025-03-11'],
  ])('%s begins on %s and ends today, both days included', async (window, from) => {
    for (const operation of ['performance', 'crawlers', 'top-pages']) {
      const { json } = await service.ask(`/v1/sites/example.com/${operation}?window=${window}`)
      expect(json.meta).toMatchObject({ window: { from, to: '2026-03-10', timezone: 'UTC' } })
    }
  })
})

describe('purpose', () => {
  test.each([
    ['', ['search', 'assistant', 'unknown']],
    ['purpose=training', ['training']],
    ['purpose=unknown,training,assistant,search', ['search', 'assistant', 'training', 'unknown']],
    ['purpose=unknown,search,unknown,search', ['search', 'unknown']],
    ['purpose=training%2csearch', ['search', 'training']],
  ])('"%s" is echoed as the effective filter, each once, in the order of the vocabulary', async (query, filter) => {
    for (const operation of ['performance', 'crawlers', 'top-pages']) {
      const { json } = await service.ask(`/v1/sites/example.com/${operation}?${query}`)
      expect(json.meta).toMatchObject({ purpose_filter: filter })
    }
  })

  test('the bad member is named', async () => {
    const { json } = await service.ask('/v1/sites/example.com/crawlers?purpose=search,ads,training')
    expect(json.detail).toBe(
      'purpose is "search,ads,training"; allowed is a comma-separated list of search, assistant, training, unknown; "ads" is none of them.',
    )
  })
})

describe('limit', () => {
  test.each(Object.entries(GREATEST_LIMIT))('%s accepts 1 to %i', async (id, greatest) => {
    const [, operation] = everyOperation.find(([known]) => known === id) as (typeof everyOperation)[number]
    const status = async (limit: number) => (await askOperation(service, operation, { query: `limit=${limit}` })).status
    expect(await Promise.all([1, greatest, greatest + 1, 1000].map(status))).toEqual([
      ...[RIGHT[operation.id], RIGHT[operation.id]],
      ...[400, 400],
    ])
  })

  test('the effective limit is echoed, the default too', async () => {
    const limitOf = async (query: string) => (await service.ask(`/v1/sites/example.com/top-pages${query}`)).json.limit
    expect([await limitOf(''), await limitOf('?limit=1'), await limitOf('?limit=50')]).toEqual([50, 1, 50])
  })
})

describe('format', () => {
  test('CSV has the header of its form, and is never answered with JSON', async () => {
    for (const [id, , operation] of parameters.filter(([, name]) => name === 'format')) {
      const answer = await askOperation(service, operation, { query: 'format=csv' })
      expect([id, answer.status]).toEqual([id, RIGHT[id]])
      if (answer.status !== 200) continue
      const header = id === 'getAnalyticsOverview' ? 'record_type,day,metric,value' : operation.csv?.header
      expect([id, answer.headers['content-type'], answer.text.split('\r\n', 1)[0]]).toEqual([
        ...[id, 'text/csv; charset=utf-8', header],
      ])
    }
  })

  test('an operation without a CSV form ignores the parameter, as any unknown one', async () => {
    for (const [id, operation] of everyOperation.filter(([, one]) => !known(one).includes('format'))) {
      const answer = await askOperation(service, operation, { query: 'format=csv' })
      expect([id, answer.status]).toEqual([id, RIGHT[id]])
    }
  })
})

describe.each(everyOperation)('%s', (id, operation) => {
  test('ignores parameters that it does not know, however they look', async () => {
    const all = ['window=2d', 'purpose=x', 'limit=0', 'format=x', 'revision=x']
    const others = all.filter((pair) => !known(operation).includes(pair.split('=', 1)[0] as string))
    const query = [...others, 'a=1', 'a=2', 'b=', 'c', '', '=', '__proto__=x', 'constructor=x', 'site=x'].join('&')
    const strange = await askOperation(service, operation, { query })
    expect(strange.status, strange.text).toBe(RIGHT[id])
    expect(visible(strange)).toEqual(visible(await askOperation(service, operation)))
    const names = [...others.map((pair) => pair.split('=', 1)[0]), 'a', 'b', 'c', '__proto__', 'constructor', 'site']
    expect(strange.headers[IGNORED_PARAMETERS]).toBe(
      names.length > 10 ? [...names.slice(0, 10), names.length - 10].join(', ') : names.join(', '),
    )
  })

  test('the first bad parameter is named, in the order of the contract and not of the URL', async () => {
    const names = known(operation)
    const query = names.map((name) => `${name}=x`)
    const answer = await askOperation(service, operation, { query: query.toReversed().join('&') })
    if (names.length === 0) expect(answer.status).toBe(RIGHT[id])
    else expect(answer.json.detail).toMatch(new RegExp(`^${names[0]} is `))
  })

  test('malformed percent-encoding is 400 before anything else, the key included', async () => {
    for (const query of ['window=%zz', '%', 'a=%', 'a=%f', '%ff=1', 'a=%C3', 'a=%E0%A4%A', 'a=%ED%A0%80', 'a=%u0041']) {
      for (const key of [undefined, null]) {
        const answer = await askOperation(service, operation, { query, ...(key === undefined ? {} : { key }) })
        expect([query, answer.status, kindOf(answer)]).toEqual([query, 400, 'malformed_request'])
      }
    }
  })

  test('a URL of 10 KiB is 400, whichever part is long', async () => {
    const long = 'x'.repeat(10_240)
    for (const query of [`a=${long}`, `window=${long}`, `limit=${'1'.repeat(10_240)}`, long, 'a&'.repeat(5_120)]) {
      const answer = await askOperation(service, operation, { query })
      expect([answer.status, kindOf(answer)]).toEqual([400, 'malformed_request'])
      expect(answer.text.length).toBeLessThan(500)
    }
  })

  test('an unsupported method is 405 with Allow, for every caller and whatever else is wrong', async () => {
    const allow = operation.method === 'GET' ? 'GET, HEAD' : 'POST'
    const others = operation.method === 'GET' ? (['POST'] as const) : (['GET', 'HEAD'] as const)
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', ...others] as const) {
      for (const request of [
        { method },
        { method, key: null },
        { method, site: 'missing.example', query: 'window=2d' },
      ]) {
        const answer = await askOperation(service, operation, request)
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow])
        expect(method === 'HEAD' ? answer.text : kindOf(answer)).toBe(method === 'HEAD' ? '' : 'method_not_allowed')
      }
    }
  })

  test('is reached by its path in its exact spelling only', async () => {
    const path = pathOf(operation)
    // What lies below the lists of funnels and crawlers is one of them, by a name that no other has.
    const below = ['getAnalyticsFunnels', 'getCrawlers'].includes(id) ? [] : [`${path}/`, `${path}/x`]
    for (const other of [...below, path.toUpperCase(), path.replace('/v1/', '/v1//'), path.replace('v1', 'v2')]) {
      const answer = await service.ask(other, { method: operation.method })
      expect([other, answer.status, kindOf(answer)]).toEqual([other, 404, 'path_not_found'])
    }
  })
})

describe.each(siteOperations)('%s: the site in the path', (_id, operation) => {
  test('malformed percent-encoding or more than 300 characters is 400', async () => {
    for (const site of ['%', '%zz', 'example.com%', '%C3', '%E0%A4%A', 'x'.repeat(301), 'x'.repeat(10_240)]) {
      const answer = await service.ask(pathOf(operation, site), { method: operation.method })
      expect([site, answer.status, kindOf(answer)]).toEqual([site, 400, 'malformed_request'])
    }
  })
})

describe('HEAD', () => {
  test.each(everyOperation.filter(([, operation]) => operation.method === 'GET'))(
    '%s answers like GET without the body: right, wrong, refused',
    async (_id, operation) => {
      for (const request of [{}, { query: 'window=2d&limit=0' }, { key: null }, { site: 'missing.example' }]) {
        const full = visible(await askOperation(service, operation, request))
        const head = visible(await askOperation(service, operation, { ...request, method: 'HEAD' }))
        expect(head).toEqual({ ...full, text: '' })
        expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(full.text))
      }
    },
  )
})

test('the suite walked all operations', () => {
  expect(everyOperation).toHaveLength(operations.length)
})
