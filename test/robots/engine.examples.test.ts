/**
 * Decisions that the text of RFC 9309 settles, collected and recomputed by a second program; see robots-examples.json.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { availabilityOf, type RobotsFetch } from '#robots/availability.ts'
import { robotsDecider } from '#robots/engine.ts'
import { robotsTarget } from '#robots/target.ts'
import type { VendorReading } from '#robots/vendor-reading.ts'

interface Example {
  id: string
  kind: 'match' | 'fetch'
  rfc_section: string
  robots_txt: string
  fetch: {
    status?: number
    error?: string
    redirects?: number
    final_status?: number
    body?: string
    size_bytes?: number
    body_rule_at_byte?: number
    rule?: string
    unreachable_for_days?: number
    cached_body?: string
  }
  product_token: string
  target: string
  expected: 'allowed' | 'disallowed' | 'unknown'
  line: number | null
}

const examples: Example[] = JSON.parse(readFileSync(new URL('robots-examples.json', import.meta.url), 'utf8'))
const GOOGLE: VendorReading = { on_429: 'unreachable', over_limit: 'rest_ignored' }

function decide(fetch: RobotsFetch, { product_token: token, target }: Example, reading?: VendorReading) {
  return robotsDecider(availabilityOf(fetch), robotsTarget(target))({ token, reading })
}

function fetched({ fetch }: Example): RobotsFetch {
  const { status, final_status, redirects = 0, body = '', cached_body, unreachable_for_days = 0 } = fetch
  return {
    status: final_status ?? status ?? null,
    has_too_many_redirects: redirects > 5,
    body: fetch.size_bytes === undefined ? Buffer.from(body) : longFile(fetch),
    unreachable_for_ms: unreachable_for_days * 86_400_000,
    ...(cached_body !== undefined && { last_body: Buffer.from(cached_body) }),
  }
}

function longFile({ size_bytes = 0, body_rule_at_byte = 0, rule = '' }: Example['fetch']): Buffer {
  const file = Buffer.alloc(size_bytes, '#\n')
  file.write('User-agent: *\n')
  file.write(`${rule}\n`, body_rule_at_byte)
  return file
}

test('there are 60 decisions by rules and 17 by the fetch', () => {
  expect(examples.filter(({ kind }) => kind === 'match')).toHaveLength(60)
  expect(examples.filter(({ kind }) => kind === 'fetch')).toHaveLength(17)
})

describe('rules', () => {
  test.each(examples.filter(({ kind }) => kind === 'match'))('$id (RFC 9309 $rfc_section)', (example) => {
    const { decision, line } = decide({ status: 200, body: Buffer.from(example.robots_txt) }, example)
    expect({ decision, line }).toEqual({ decision: example.expected, line: example.line })
  })
})

describe('the fetch', () => {
  test.each(examples.filter(({ kind }) => kind === 'fetch'))('$id (RFC 9309 $rfc_section)', (example) => {
    expect(decide(fetched(example), example).decision).toBe(example.expected)
  })

  test.each([
    ['fetch-429', 'disallowed', '429_as_unreachable'],
    ['fetch-600-kib', 'allowed', 'rest_ignored'],
    ['fetch-404', 'allowed', null],
    ['fetch-503', 'disallowed', null],
  ])('%s is %s as Google documents', (id, decision, deviation) => {
    const example = examples.find((one) => one.id === id) as Example
    expect(decide(fetched(example), example, GOOGLE)).toMatchObject({ decision, deviation })
  })
})
