import { describe, expect, test } from 'vitest'
import { VARIABLES } from '#config/variables.ts'
import { readConfig, readServerToAsk, threadPoolSize, unknownVariables } from '#config.ts'
import { Refusal } from '#refusal.ts'

describe('where the metrics are', () => {
  test.each([
    [{}, { host: '127.0.0.1', port: 9464, token: null }],
    [{ SPOOR_METRICS_LISTEN: 'off' }, null],
    [{ SPOOR_METRICS_LISTEN: '[::1]:0' }, { host: '::1', port: 0, token: null }],
    [
      { SPOOR_METRICS_LISTEN: '0.0.0.0:9000', SPOOR_METRICS_TOKEN: 'sixteen-or-more-1' },
      { host: '0.0.0.0', port: 9000, token: 'sixteen-or-more-1' },
    ],
  ])('%o', (environment, expected) => {
    expect(readConfig(environment).metrics).toEqual(expected)
  })

  test.each(['0.0.0.0:9464', '[::]:9464', 'metrics.example.com:9464', '192.0.2.1:9464', '127.0.0.1.example.com:9464'])(
    'a listener on %s without a token is refused',
    (listen) => {
      expect(() => readConfig({ SPOOR_METRICS_LISTEN: listen })).toThrow(
        /needs a bearer token: set SPOOR_METRICS_TOKEN/,
      )
    },
  )

  test.each(['9464', 'localhost', '127.0.0.1:70000', 'a b:1'])('%s is not an address with a port', (listen) => {
    expect(() => readConfig({ SPOOR_METRICS_LISTEN: listen })).toThrow(/SPOOR_METRICS_LISTEN is/)
  })

  test('a token that is malformed is refused without being repeated', () => {
    const refuse = () => readConfig({ SPOOR_METRICS_TOKEN: 'too-short' })
    expect(refuse).toThrow(/SPOOR_METRICS_TOKEN is malformed/)
    expect(refuse).not.toThrow(/too-short/)
  })
})

test.each([
  [
    'SPOOR_PUBLIC_URL',
    'spoor.example.com',
    'is "spoor.example.com"; it must be a scheme and a host without a path, such as',
  ],
  ['SPOOR_METRICS_LISTEN', '9464', 'is "9464"; it must be an address and a port, such as 127.0.0.1:9464, or off'],
  ['SPOOR_SECRET_KEY', 'secret', 'is malformed; it must be 32 random bytes as 64 hexadecimal digits or as base64'],
])('%s of another form is refused with that form in words', (name, given, words) => {
  expect(() => readConfig({ [name]: given })).toThrow(`${name} ${words}`)
})

describe('ClickHouse servers', () => {
  const SPOOR_DATABASE_URL = 'postgres://spoor@db.example.com/spoor'

  test('are a list, with the name of their cluster', () => {
    const SPOOR_CLICKHOUSE_URL = 'http://spoor:s%2Ccret@a.example.com:8123,https://b.example.com'
    const urls = SPOOR_CLICKHOUSE_URL.split(',')
    const given = { SPOOR_DATABASE_URL, SPOOR_CLICKHOUSE_URL }
    expect(readConfig(given).clickhouse).toEqual({ urls, cluster: null })
    expect(readConfig({ ...given, SPOOR_CLICKHOUSE_CLUSTER: 'main' }).clickhouse).toEqual({ urls, cluster: 'main' })
    expect(readConfig({ SPOOR_DATABASE_URL }).clickhouse).toBeNull()
  })

  test('need a control store on a server, and a cluster needs servers', () => {
    expect(() => readConfig({ SPOOR_CLICKHOUSE_URL: 'http://a.example.com' })).toThrow(/SPOOR_DATABASE_URL is not set/)
    expect(() => readConfig({ SPOOR_DATABASE_URL, SPOOR_CLICKHOUSE_CLUSTER: 'main' })).toThrow(
      /SPOOR_CLICKHOUSE_URL is not set/,
    )
  })

  test.each([
    'a.example.com:8123',
    'http://a.example.com,',
    'tcp://a.example.com',
    'http://spoor:secret@a b',
    'http://spoor:secret@a:99999',
  ])('%s is refused without being repeated', (given) => {
    const refuse = () => readConfig({ SPOOR_DATABASE_URL, SPOOR_CLICKHOUSE_URL: given })
    expect(refuse).toThrow(/SPOOR_CLICKHOUSE_URL is malformed; it must be a list of URLs/)
    expect(refuse).not.toThrow(/secret/)
  })
})

test.each(['5', '63', '-64', '64.5', '16777217', ' 512'])(
  'the memory %j of the evidence store is refused with the least that it starts with',
  (given) => {
    const words = 'it must be a whole number from 64 to 16777216, or 0 for 40 % of the machine or container'
    expect(() => readConfig({ SPOOR_EVIDENCE_MEMORY_MB: given })).toThrow(
      `SPOOR_EVIDENCE_MEMORY_MB is ${JSON.stringify(given)}; ${words}`,
    )
  },
)

test.each([
  ['0', 0],
  ['64', 64],
  ['16777216', 16_777_216],
])('the memory %s of the evidence store is accepted', (given, expected) => {
  expect(readConfig({ SPOOR_EVIDENCE_MEMORY_MB: given }).evidence_memory_mb).toBe(expected)
})

describe.each(Object.keys(VARIABLES))('%s', (name) => {
  /** What it comes to, or the words of its refusal. */
  const read = (value: string): unknown => {
    const environment = { SPOOR_TOKEN: 'spoor_acct_a', [name]: value }
    try {
      return { ...readConfig(environment), asked: readServerToAsk(environment) }
    } catch (error) {
      return error instanceof Refusal ? error.message : error
    }
  }

  test('that is empty counts as not set', () => {
    const unset = { ...readConfig({}), asked: readServerToAsk({ SPOOR_TOKEN: 'spoor_acct_a' }) }
    if (name === 'SPOOR_TOKEN') expect(read('')).toContain('SPOOR_TOKEN is not set')
    else expect(read('')).toEqual(unset)
  })

  test.each([' ', '\t', '\n', ' \r\n '])(
    'that is the white space %j counts as not set, or is refused by name',
    (value) => {
      const unset = { ...readConfig({}), asked: readServerToAsk({ SPOOR_TOKEN: 'spoor_acct_a' }) }
      const found = read(value)
      if (typeof found === 'string') expect(found).toContain(`the environment variable ${name} is `)
      else expect(found).toEqual(unset)
    },
  )
})

test('names that look like ours and are none are found', () => {
  expect(unknownVariables({ SPOOR_PROT: '1', SPOOR_PORT: '1', PATH: '' })).toEqual(['SPOOR_PROT'])
})

test('the thread pool is Node’s own without the launcher', () => {
  expect([threadPoolSize({}), threadPoolSize({ UV_THREADPOOL_SIZE: '16' })]).toEqual([4, 16])
})
