/** What vendors document beside RFC 9309, as data of the built-in registry (rules 8.4). */
import { describe, expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { availabilityOf, type RobotsFetch } from '#robots/availability.ts'
import { robotsDecider } from '#robots/engine.ts'
import { MAX_ROBOTS_BYTES } from '#robots/parse.ts'
import { robotsTarget } from '#robots/target.ts'

function decide(crawler_id: string, fetch: RobotsFetch | string, target = '/x') {
  const entry = builtInDocument.entries.find((one) => one.crawler_id === crawler_id)
  if (entry === undefined) throw new Error(`${crawler_id} is not in the registry`)
  const fetched = typeof fetch === 'string' ? { status: 200, body: Buffer.from(fetch) } : fetch
  return robotsDecider(
    availabilityOf(fetched),
    robotsTarget(target),
  )({
    token: entry.robots_token,
    reading: entry.robots,
  })
}

const status = (code: number): RobotsFetch => ({ status: code, body: Buffer.alloc(0) })
const CLOSED = 'User-agent: *\nDisallow: /\n'

describe('groups', () => {
  test('Applebot follows Googlebot where it is not named', () => {
    const file = `User-agent: Googlebot\nAllow: /\n\n${CLOSED}`
    expect(decide('applebot', file)).toMatchObject({
      decision: 'allowed',
      group: 'Googlebot',
      line: 2,
      deviation: 'group_of:Googlebot',
    })
    expect(decide('applebot', `User-agent: Applebot\nDisallow: /\n\n${file}`)).toMatchObject({
      decision: 'disallowed',
      line: 2,
      deviation: null,
    })
    expect(decide('applebot', CLOSED)).toMatchObject({ decision: 'disallowed', group: '*', deviation: null })
  })

  test('bingbot follows msnbot before *', () => {
    expect(decide('bingbot', `User-agent: msnbot\nDisallow: /x\n\nUser-agent: *\nAllow: /\n`)).toMatchObject({
      decision: 'disallowed',
      group: 'msnbot',
      deviation: 'group_of:msnbot',
    })
  })

  test('Amzn-SearchBot may follow groups that its vendor does not name', () => {
    expect(decide('amzn-searchbot', CLOSED)).toMatchObject({ decision: 'disallowed', deviation: 'may_follow_others' })
  })

  test.each(['chatgpt-user', 'perplexity-user', 'google-agent'])('%s may ignore what disallows it', (crawler) => {
    expect(decide(crawler, CLOSED)).toMatchObject({ decision: 'disallowed', deviation: 'may_ignore' })
    expect(decide(crawler, 'User-agent: *\nAllow: /\n')).toMatchObject({ decision: 'allowed', deviation: null })
  })

  test.each(['claude-user', 'mistralai-user'])('%s claims no exemption', (crawler) => {
    expect(decide(crawler, CLOSED)).toMatchObject({ decision: 'disallowed', deviation: null })
  })

  test.each([
    ['GPTBot/1.2', 'gptbot', 'disallowed'],
    ['GPTBot*', 'gptbot', 'disallowed'],
    ['GPTBot, CCBot', 'ccbot', 'allowed'],
    ['AI2Bot/1.0', 'ai2bot', 'disallowed'],
    ['Kangaroo Bot', 'kangaroo-bot', 'disallowed'],
    ['Applebot-Extended', 'applebot', 'allowed'],
  ])('a group of %s, for %s: %s', (name, crawler, decision) => {
    expect(decide(crawler, `User-agent: ${name}\nDisallow: /\n`).decision).toBe(decision)
  })

  test('a crawler without a documented token is not decided', () => {
    expect(decide('claude-code', CLOSED)).toMatchObject({ decision: 'unknown', reason: 'no_token' })
  })
})

describe('spellings that Google’s parser accepts count for all', () => {
  test.each(['Dissallow: /x', 'DISALLOW : /x', 'disallow /x', 'Disallowed: /x', 'disallaw:/x'])('%s', (rule) => {
    expect(decide('gptbot', `Useragent: *\n${rule}\n`)).toMatchObject({ decision: 'disallowed', line: 2 })
  })
  test.each(['Noindex: /x', 'Disallow: x', 'Disallow:', 'disallow / x', 'Deny: /x'])('%s is not a rule', (rule) => {
    expect(decide('gptbot', `User-agent: *\n${rule}\n`)).toMatchObject({ decision: 'allowed', line: null })
  })
})

describe('the fetch', () => {
  test.each([
    ['gptbot', 429, 'allowed', null],
    ['googlebot', 429, 'disallowed', '429_as_unreachable'],
    ['google-extended', 429, 'disallowed', '429_as_unreachable'],
    ['googlebot', 403, 'allowed', null],
    ['amazonbot', 503, 'allowed', 'unfetchable_as_absent'],
    ['gptbot', 503, 'disallowed', null],
    ['gptbot', 304, 'allowed', null],
  ])('%s and the status %i: %s', (crawler, code, decision, deviation) => {
    expect(decide(crawler, status(code))).toMatchObject({ decision, deviation })
  })

  const long = { status: 200, body: Buffer.from(CLOSED + '#\n'.repeat(MAX_ROBOTS_BYTES / 2)) }
  test.each([
    ['gptbot', 'unknown', null, 'rest_of_file'],
    ['googlebot', 'disallowed', 'rest_ignored', null],
    ['yandexbot', 'allowed', 'over_limit_as_absent', null],
  ])('%s and a file of more than 500 KiB: %s', (crawler, decision, deviation, reason) => {
    expect(decide(crawler, long)).toMatchObject({ decision, deviation, reason })
  })

  test('robots.txt itself is allowed, whatever it says and however long it is', () => {
    expect(decide('gptbot', long, '/robots.txt').decision).toBe('allowed')
  })

  test('an unreachable file is undecided after 30 days, and where an earlier copy allows', () => {
    const DAY_MS = 86_400_000
    expect(decide('gptbot', { ...status(500), unreachable_for_ms: 30 * DAY_MS }).decision).toBe('disallowed')
    expect(decide('gptbot', { ...status(500), unreachable_for_ms: 30 * DAY_MS + 1 })).toMatchObject({
      decision: 'unknown',
      reason: 'unreachable_over_30_days',
    })
    expect(decide('gptbot', { ...status(500), last_body: Buffer.from(CLOSED) }).decision).toBe('disallowed')
    expect(decide('gptbot', { ...status(500), last_body: Buffer.alloc(0) })).toMatchObject({
      decision: 'unknown',
      reason: 'last_copy_may_apply',
    })
  })

  const closedButFor = (name: string) => `${CLOSED}\nUser-agent: ${name}\nAllow: /\n`
  test.each([
    ['applebot', Buffer.from(closedButFor('Googlebot')), 'unknown'],
    ['gptbot', Buffer.from(closedButFor('Googlebot')), 'disallowed'],
    ['gptbot', long.body, 'unknown'],
    ['googlebot', long.body, 'disallowed'],
  ])('%s reads an earlier copy as it would read the file (%#)', (crawler, last_body, decision) => {
    expect(decide(crawler, { ...status(500), last_body }).decision).toBe(decision)
  })

  test.each([429, 500])('robots.txt itself is allowed where its fetch ends with %i', (code) => {
    for (const crawler of ['gptbot', 'googlebot'])
      expect(decide(crawler, status(code), '/robots.txt').decision).toBe('allowed')
  })
})
