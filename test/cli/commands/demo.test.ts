import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Issue } from '#contract/site-api/index.ts'
import { seedHistory } from '#demo/seed.ts'
import { seedVisits } from '#demo/seed-visits.ts'
import { run, runJson, start } from '../../support/cli.ts'

test('the same seed makes the same history, another seed another one', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  expect(seedHistory({ now, days: 20, seed: 3 })).toBe(seedHistory({ now, days: 20, seed: 3 }))
  expect(seedHistory({ now, days: 20, seed: 3 })).not.toBe(seedHistory({ now, days: 20, seed: 4 }))
})

test('a port in use is refused before the history is made', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => other.close(() => resolve())))
  const { port } = other.address() as AddressInfo
  expect(await run(['demo', '--port', String(port)])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^spoor: Spoor cannot listen on 127\.0\.0\.1 port \d+: another program listens there\. .*: npx spoor demo --port \d+\n$/,
    ),
  })
})

/** A morning on which the demo's collector was down. */
const OUTAGE = { from: Date.parse('2026-03-01T08:00:00Z'), to: Date.parse('2026-03-01T12:00:00Z') }

test('spoor demo serves its history to the key it prints, and stops when asked', async () => {
  const demo = start(['demo', '--json', '--days', '12', '--clock', '2026-03-10T12:00:00Z'])
  const [text] = await demo.says(/\{[^}]*"events": \d+\s*\}/)
  const shown = JSON.parse(text) as { folder: string; url: string; key: string; stored: number; events: number }
  const headers = { authorization: `Bearer ${shown.key}` }
  const read = async (path: string) =>
    (await fetch(`${shown.url}/v1/sites/example.com/${path}`, { headers })).json() as Promise<Record<string, never>>
  const counted = await read('performance?purpose=search,assistant,training,unknown')
  const unregistered = await read('unregistered-agents')
  expect(counted).toMatchObject({ meta: { coverage_state: 'partial' } })
  expect(unregistered).toMatchObject({ total_count: 2 })
  expect(Number(counted.observed_request_count) + Number(unregistered.observed_request_count)).toBe(shown.stored)
  const seed = { now: Date.parse('2026-03-10T12:00:00Z'), days: 12, seed: 1 }
  const reported = seedVisits('example.com', seed).filter(({ at }) => at < OUTAGE.from || at >= OUTAGE.to)
  const pageviews = reported.filter(({ event }) => event.type === 'pageview')
  expect(shown.events).toBe(reported.length)
  const overview = await read('overview?window=30d')
  expect(overview).toMatchObject({
    meta: {
      measurement_state: 'measured',
      completeness: {
        limitations: ['before_first_event', 'collection_interrupted', 'evidence_begins', 'observed_browsers_only'],
      },
    },
    metrics: { pageviews: pageviews.length },
  })
  expect(await read('funnels?window=30d')).toMatchObject({
    meta: { configuration: { state: 'configured', active_count: 1 } },
  })
  const { issues } = (await read('issues?limit=50')) as unknown as { issues: readonly Issue[] }
  const known = issues.map(({ path, state, cause, fix_confirmed_at }) => [
    path,
    state,
    cause,
    fix_confirmed_at !== null,
  ])
  expect(known).toEqual([
    ['/docs/api/reference.json', 'regressed', 'http_status', false],
    ['/pricing', 'open', 'waf_or_challenge', false],
    [null, 'open', 'tls', false],
    ['/changelog.xml', 'fix_detected', 'http_status', false],
    ...Array.from({ length: 6 }, () => ['/docs/search', 'fix_detected', 'origin_error', true]),
  ])
  const { deliveries } = await runJson<{ deliveries: { type: string; state: string }[] }>([
    'alert',
    'delivery',
    'list',
    'example.com',
    '--limit',
    '500',
    '--data',
    shown.folder,
  ])
  const came = new Set(deliveries.map(({ type, state }) => `${type} ${state}`))
  expect([...came].sort()).toEqual(
    expect.arrayContaining([
      'issue.digest delivered',
      'issue.digest failed',
      'issue.opened delivered',
      'issue.opened in_digest',
      'issue.regressed delivered',
      'issue.withdrawn delivered',
    ]),
  )
  expect((await run(['report', 'example.com', '--data', shown.folder])).stdout).toContain(
    '10 issues of crawlers on this site:',
  )
  const listed = await run(['issue', 'list', 'example.com', '--data', shown.folder])
  expect(listed.stdout).toMatch(/\n {2}npx spoor issue show example\.com [\w-]{36}\n$/)
  expect((await demo.stop()).code).toBe(0)
})
