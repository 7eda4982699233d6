/** The layer above the engine (rules 8.4): Spoor's own fetch is not the crawler's, and stored paths have no query. */
import { describe, expect, test } from 'vitest'
import { availabilityOf } from '#robots/availability.ts'
import { observedDecider } from '#robots/observed.ts'
import { robotsTarget } from '#robots/target.ts'

interface Case {
  status?: number
  file?: string
  is_challenge?: boolean
  path?: string
  isStoredPath?: boolean
  token?: string
}

function observe(given: Case) {
  const { status = 200, file = '', is_challenge = false, path = '/list', isStoredPath = true, token = 'GPTBot' } = given
  const available = availabilityOf({ status, body: Buffer.from(file) })
  return observedDecider({ available, status, is_challenge }, robotsTarget(path), { isStoredPath })({
    token,
    reading: token === 'Googlebot' ? { on_429: 'unreachable' } : undefined,
  })
}

describe('a fetch that was refused to Spoor', () => {
  test.each([401, 403, 429])('%i: unknown, which the engine reads as no rules', (status) => {
    expect(observe({ status })).toMatchObject({
      decision: 'unknown',
      reason: 'refused_to_spoor',
      engine: 'allowed',
      rule: null,
      line: null,
    })
  })
  test('429 for Google: unknown, which the engine reads as unreachable', () => {
    expect(observe({ status: 429, token: 'Googlebot' })).toMatchObject({
      decision: 'unknown',
      engine: 'disallowed',
      deviation: '429_as_unreachable',
    })
  })
  test.each([404, 410, 451])('%i does not refuse the fetcher', (status) => {
    expect(observe({ status })).toMatchObject({ decision: 'allowed', engine: 'allowed', reason: null })
  })
  test('a challenge page has no rules for the engine, and no observed rules', () => {
    const file = '<!doctype html><title>Just a moment...</title>'
    expect(observe({ file, is_challenge: true })).toMatchObject({
      decision: 'unknown',
      reason: 'challenge_page',
      engine: 'allowed',
    })
  })
})

describe('a stored path and rules with ?', () => {
  const rules = (...lines: string[]) => `User-agent: *\n${lines.join('\n')}\n`
  test.each<[string, Case, string]>([
    ['a query of its path', { file: rules('Disallow: /list?sort=') }, 'unknown'],
    ['any query', { file: rules('Disallow: /*?') }, 'unknown'],
    ['a query of another path', { file: rules('Disallow: /lists?sort=') }, 'allowed'],
    ['a query of a path that only begins alike', { file: rules('Disallow: /li?x') }, 'allowed'],
    ['a query that is allowed anyway', { file: rules('Allow: /list?sort=') }, 'allowed'],
    ['a query that a longer rule decides', { file: rules('Allow: /list', 'Disallow: /*?') }, 'allowed'],
    ['a query that an equally long rule allows', { file: rules('Allow: /l*', 'Disallow: /*?') }, 'allowed'],
    ['a query after which the deciding rule ends', { file: rules('Allow: /list$', 'Disallow: /*?') }, 'unknown'],
    ['a query within what a rule allows to the end', { file: rules('Allow: /li*$', 'Disallow: /*?') }, 'allowed'],
    ['a query that is allowed in a closed folder', { file: rules('Disallow: /', 'Allow: /list?id=') }, 'unknown'],
    [
      'a query that only another crawler’s group names',
      { file: `User-agent: CCBot\nDisallow: /*?\n\n${rules('')}` },
      'allowed',
    ],
    [
      'the path of a URL, whose query is known',
      { file: rules('Disallow: /list?sort='), isStoredPath: false },
      'allowed',
    ],
  ])('%s: %j is %s', (_, given, decision) => {
    expect(observe(given)).toMatchObject({ decision, reason: decision === 'unknown' ? 'query_rule' : null })
  })
})
