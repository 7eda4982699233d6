import { readdir, readFile } from 'node:fs/promises'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { CrawlerAuthority, Meta, Source } from '#contract/meta.ts'
import { getAnalyticsFunnel, getAnalyticsFunnels } from '#contract/site-api/funnels.ts'
import { getIssues } from '#contract/site-api/issues.ts'
import { Outcome } from '#contract/site-api/performance.ts'

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const NOW = '2026-03-01T12:00:00.000Z'
const without = (value: object, key: string) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))

const source = {
  id: ID,
  source_type: 'log_upload',
  connection_status: 'live',
  is_primary: true,
  connected_at: NOW,
  data_through: null,
  evidence_from: null,
  backfill: null,
  hostname_coverage: {},
  completeness: null,
  sampling: null,
  http_status_fidelity: null,
}
const authority = {
  metric: 'observed_request_count',
  evidence_state: 'stale',
  available_from: null,
  hosts: [],
  shadow_diagnostics: [],
}
const meta = {
  as_of: NOW,
  window: { from: '2026-02-01', to: '2026-03-01', timezone: 'UTC' },
  coverage_state: 'partial',
  purpose_filter: ['search'],
  registry_version: null,
  sources: [source],
  data_through: null,
  gaps: [{ from: '2026-02-01', to: '2026-02-02' }],
}

describe.each([
  ['Meta', Compile(Meta), meta],
  ['Source', Compile(Source), source],
  ['CrawlerAuthority', Compile(CrawlerAuthority), authority],
] as const)('%s', (_name, schema, value) => {
  test('holds, tolerates unknown fields, and requires each of its own', () => {
    expect(schema.Check(value)).toBe(true)
    expect(schema.Check({ ...value, more: 1 })).toBe(true)
    for (const key of Object.keys(value)) expect([key, schema.Check(without(value, key))]).toEqual([key, false])
  })
})

test('meta carries an authority only as an object', () => {
  const schema = Compile(Meta)
  expect(schema.Check({ ...meta, authority })).toBe(true)
  expect(schema.Check({ ...meta, authority: null })).toBe(false)
})

test('sampling is between 0 and 1', () => {
  const schema = Compile(Source)
  for (const [sampling, holds] of [
    [0, true],
    [1, true],
    [1.1, false],
    [-0.1, false],
  ] as const) {
    expect(schema.Check({ ...source, sampling })).toBe(holds)
  }
})

test('only an unobserved response carries a status of null, and it carries no other', () => {
  const schema = Compile(Outcome)
  const row = (outcome: string, http_status: number | null) => ({
    outcome,
    observed_request_count: 1,
    statuses: [{ http_status, observed_request_count: 1 }],
  })
  expect(schema.Check(row('2xx', 200))).toBe(true)
  expect(schema.Check(row('other', 100))).toBe(true)
  expect(schema.Check(row('response_unobserved', null))).toBe(true)
  expect(schema.Check(row('2xx', null))).toBe(false)
  expect(schema.Check(row('other', 99))).toBe(false)
  expect(schema.Check(row('response_unobserved', 499))).toBe(false)
})

test('an issue without evidence is illegal', () => {
  const schema = Compile(getIssues.output)
  const issue = {
    id: ID,
    title: 'ExampleBot got 403 on 4 of 5 observed requests to /a',
    state: 'open',
    cause: 'http_status',
    confidence: 'medium',
    path: null,
    crawler_id: null,
    detected_at: NOW,
    fix_confirmed_at: null,
    evidence_refs: [
      { kind: 'rollup_daily', host: 'example.com', path_key: '/a', status: 403, count: 4, window: '7d' },
      { kind: 'inspection', id: ID },
    ],
    fix_prompt: null,
  }
  const answer = (one: object) => ({ limit: 8, returned_count: 1, total_count: 1, truncated: false, issues: [one] })
  expect(schema.Check(answer(issue))).toBe(true)
  expect(schema.Check(answer({ ...issue, evidence_refs: [] }))).toBe(false)
  expect(schema.Check(answer({ ...issue, evidence_refs: [{ kind: 'rollup_daily', id: ID }] }))).toBe(false)
  expect(schema.Check(answer({ ...issue, state: 'closed' }))).toBe(false)
})

describe('funnels are closed objects', () => {
  const completeness = { state: 'partial', gaps: [], limitations: [] }
  const funnelMeta = {
    contract_version: 'analytics-funnel/v1',
    as_of: NOW,
    window: { preset: '7d', from: '2026-02-23', to: '2026-03-01', cutoff: NOW },
    available_from: null,
    data_through: null,
    measurement_state: 'measured',
    completeness,
    freshness: { state: 'current', limitations: [] },
    operational: {
      contract_version: 'operational/v1',
      subject: 'core_collection',
      state: 'live',
      reason_code: null,
      checked_at: null,
      coverage: { mode: 'browser_tracker', observed_only: true },
    },
    provenance: {
      module: 'analytics',
      evidence: 'browser_tracker',
      evaluator_version: 'funnel-evaluator/v1',
      order_basis: 'worker_receipt_time_then_persisted_funnel_order_v1',
      session_scope: 'same_utc_day_30_minute_inactivity',
    },
    configuration: { state: 'configured', active_count: 1 },
  }
  const summary = {
    slug: `checkout-${'0'.repeat(32)}`,
    revision_id: ID,
    revision: 1,
    name: 'Checkout',
    definition_state: 'active',
    effective_from: NOW,
    effective_to: null,
    step_count: 2,
    evidence_state: 'measured',
    evaluation_coverage: {
      state: 'complete',
      raw_events: 'complete',
      core_collection: 'complete',
      conversion_steps: 'not_applicable',
      session_integrity: 'exact',
      event_order: 'exact',
      gaps: [],
      limitations: [],
    },
    available_from: null,
    data_through: null,
    metrics: {
      entered_sessions: null,
      entered_quality: 'unknown',
      completed_sessions: null,
      completed_quality: 'unknown',
      completion_rate: null,
    },
    completeness,
  }
  const rule = {
    event_name: 'Sign up',
    property_key: 'plan',
    property_revision: 1,
    scalar_kind: 'enum',
    operator: 'equals',
    comparison: { value: 'pro' },
  }
  const page = { hostname: 'example.com', path: '/', path_fidelity: 'exact', path_transform_version: 'path/v1' }
  const conversion = (matcher: object) => ({
    kind: 'conversion',
    conversion_id: ID,
    revision_id: ID,
    revision: 1,
    name: 'Sign up',
    matcher,
  })
  const step = (position: number, definition: object) => ({
    position,
    definition,
    reached_sessions: null,
    reached_quality: 'unknown',
    rate_from_previous: null,
  })
  const single = (second: object) => ({
    meta: funnelMeta,
    funnel: { ...summary, steps: [step(1, { kind: 'page', ...page }), step(2, second)] },
  })
  const event = (rules: object[]) => conversion({ kind: 'event', event_name: 'Sign up', property_rules: rules })

  test('a single funnel holds, with page and conversion steps', () => {
    const schema = Compile(getAnalyticsFunnel.output)
    expect(schema.Check(single(event([rule])))).toBe(true)
    expect(schema.Check(single(conversion({ kind: 'pageview', ...page, property_rules: [] })))).toBe(true)
    expect(schema.Check(single(conversion({ kind: 'pageview', ...page, property_rules: [rule] })))).toBe(false)
    expect(schema.Check(single(event(Array.from({ length: 9 }, () => rule))))).toBe(false)
    expect(schema.Check(single(event([{ ...rule, comparison: { lower: 1, upper: 2 } }])))).toBe(true)
    expect(schema.Check(single(event([{ ...rule, comparison: { values: [] } }])))).toBe(false)
  })

  test('unknown fields are refused at any depth', () => {
    const schema = Compile(getAnalyticsFunnel.output)
    const good = single(event([rule]))
    expect(schema.Check({ ...good, more: 1 })).toBe(false)
    expect(schema.Check({ ...good, meta: { ...funnelMeta, more: 1 } })).toBe(false)
    expect(schema.Check({ ...good, funnel: { ...good.funnel, metrics: { ...summary.metrics, more: 1 } } })).toBe(false)
    expect(schema.Check(single(event([{ ...rule, comparison: { value: 1, more: 1 } }])))).toBe(false)
  })

  test('the list has pagination and its own version, the single funnel neither', () => {
    const list = Compile(getAnalyticsFunnels.output)
    const pagination = { limit: 100, returned_count: 1, total_count: 1, truncated: false }
    const listMeta = { ...funnelMeta, contract_version: 'analytics-funnels/v1', pagination }
    expect(list.Check({ meta: listMeta, funnels: [summary] })).toBe(true)
    expect(list.Check({ meta: funnelMeta, funnels: [summary] })).toBe(false)
    expect(Compile(getAnalyticsFunnel.output).Check({ ...single(event([])), meta: listMeta })).toBe(false)
    expect(list.Check({ meta: listMeta, funnels: Array.from({ length: 101 }, () => summary) })).toBe(false)
  })
})

test('the contract imports typebox and itself, nothing of ours and nothing of Node', async () => {
  const root = new URL('../../src/contract/', import.meta.url)
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const text = await readFile(new URL(file, root), 'utf8')
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from)
    for (const from of imports)
      expect([file, from]).toEqual([file, expect.stringMatching(/^(typebox|\.{1,2}\/.+\.ts)$/)])
  }
})
