import { expect, test } from 'vitest'
import { CoverageCalendar, hostDaySentence } from '../../../../dashboard/charts/days/coverage-calendar.tsx'
import { Connected } from '../../../../dashboard/connect/connect-cloudflare.tsx'
import { FirstRecordLine } from '../../../../dashboard/connect/first-record.tsx'
import { dayOf } from '../../../../dashboard/evidence/day.ts'
import { SourceActions } from '../../../../dashboard/pages/source/source-actions.tsx'
import { SourceFacts } from '../../../../dashboard/pages/source/source-facts.tsx'
import { AuthorityPanels } from '../../../../dashboard/pages/sources/authority-panels.tsx'
import { SourcesTable } from '../../../../dashboard/pages/sources/sources-table.tsx'
import type { ReadOutput } from '../../../../dashboard/read/operations.ts'
import { samplingWords, sourceLimitationWords } from '../../../../dashboard/words/sources.ts'
import type { Coverage } from '../../../../src/contract/dashboard-api/index.ts'
import type { Source, Sources } from '../../../../src/contract/site-api/index.ts'
import { render, SITE, session, textOf } from '../../render.tsx'

const SOURCE: Source = {
  id: SITE,
  source_type: 'https_intake',
  connection_status: 'pending',
  is_primary: true,
  connected_at: null,
  data_through: null,
  evidence_from: null,
  backfill: null,
  hostname_coverage: {},
  completeness: null,
  sampling: null,
  http_status_fidelity: null,
}

test('a source that has reported nothing is unknown in every cell that would be a number', async () => {
  const text = textOf(await render(<SourcesTable sources={[SOURCE]} names={undefined} site={SITE} />))
  expect(text).toContain('Waiting for the first record')
  expect(text.match(/unknown/g)).toHaveLength(4)
})

test('whether an upload counts is unknown until the names say whether it has ended', async () => {
  const upload: Source = { ...SOURCE, source_type: 'log_upload', connection_status: 'live', is_primary: false }
  const text = textOf(await render(<SourcesTable sources={[upload]} names={undefined} site={SITE} />))
  expect(text).toContain('Uploaded logs Live unknown')
})

test('a new source that fails says why, and what to do', async () => {
  const line = <FirstRecordLine state="error" error_code="unreachable" received_at={null} requests={null} />
  expect(textOf(await render(line))).toBe(
    'Failing: unreachable. Cloudflare could not be reached. Check the network of the service.',
  )
})

test('a source that reports shows its sampling, and why it is not complete', async () => {
  const source: Source = {
    ...SOURCE,
    connection_status: 'live',
    data_through: '2026-11-21T08:00:00Z',
    completeness: 'partial',
    sampling: 0.1,
    http_status_fidelity: 'exact',
    coverage_limitations: ['sampled', 'sender_silent:web2', 'new_reason'],
  }
  const html = await render(<SourcesTable sources={[source]} names={[]} site={SITE} />)
  expect(textOf(html)).toContain('21 Nov 2026 08:00 in part 1 in 10 exact')
  expect(html).toContain('The sender web2 is expected but was silent.')
})

const NAMED: ReadOutput<'source.list'>['sources'][number] = {
  id: SITE,
  site_id: SITE,
  source_type: 'log_upload',
  name: '',
  connection_status: 'live',
  is_primary: false,
  created_at: '2026-11-01T00:00:00Z',
  connected_at: '2026-11-01T00:00:00Z',
  data_through: '2026-11-02T00:00:00Z',
  moved_to: null,
  vantage: null,
  has_ended: true,
  tokens: 0,
  error_code: null,
  failed_hours: [],
}

test('an upload that has ended counts on its days, and is not shown as uncounted', async () => {
  const source: Source = { ...SOURCE, source_type: 'log_upload', connection_status: 'live', is_primary: false }
  const table = textOf(await render(<SourcesTable sources={[source]} names={[NAMED]} site={SITE} />))
  expect(table).toContain('Live its days')
  const facts = textOf(await render(<SourceFacts source={source} named={NAMED} />))
  expect(facts).toContain('Counts in answers On its days.')
  const other = textOf(await render(<SourceFacts source={source} named={{ ...NAMED, has_ended: false }} />))
  expect(other).toContain('Counts in answers No: it is stored and compared')
})

test('only an unnamed upload beside named servers can be ended, or its days given to one of them', async () => {
  const unnamed = { ...NAMED, has_ended: false }
  const web1 = { ...unnamed, id: '00000000-0000-4000-8000-000000000011', name: 'web1' }
  const gone = {
    ...web1,
    id: '00000000-0000-4000-8000-000000000012',
    name: 'web2',
    connection_status: 'disconnected' as const,
  }
  const actions = async (source: typeof NAMED, sources: (typeof NAMED)[]) =>
    textOf(await render(<SourceActions source={source} sources={sources} />))
  const both = await actions(unnamed, [unnamed, web1, gone])
  expect(both).toContain('Give its days to this server End this upload')
  for (const [source, sources] of [
    [unnamed, [unnamed]],
    [unnamed, [unnamed, gone]],
    [web1, [unnamed, web1]],
    [{ ...unnamed, connection_status: 'disconnected' as const }, [unnamed, web1]],
  ] as const)
    expect(await actions(source, [...sources])).not.toContain('End this upload')
  const moved = await actions({ ...NAMED, moved_to: web1.id }, [NAMED, web1])
  expect(moved).toContain('Its days belong to the server web1, and it accepts no more logs. Take its days back')
  expect(moved).not.toContain('End this upload')
})

test('a zone that fails says why and what to do, and old evidence has its year', async () => {
  const source: Source = { ...SOURCE, connection_status: 'error', data_through: '2024-03-05T08:00:00Z' }
  const named = { ...NAMED, data_through: source.data_through, error_code: 'zone_missing' }
  const facts = textOf(await render(<SourceFacts source={source} named={named} />))
  expect(facts).toContain('zone_missing The token no longer sees the zone.')
  expect(facts).toContain('Data through 5 Mar 2024 08:00 UTC')
  expect(textOf(await render(<SourcesTable sources={[source]} names={[named]} site={SITE} />))).toContain('5 Mar 2024')
})

test('null sampling means never sampled; a limitation without words is shown as it is', () => {
  expect(samplingWords(null)).toBe('all requests')
  expect(samplingWords(0.25)).toBe('1 in 4')
  expect(sourceLimitationWords('new_reason')).toBe('new_reason')
})

const DAY = { minutes: 1_440, sampling: null, reasons: [], source_id: null }
const COVERAGE: Coverage = {
  meta: {
    as_of: '2026-11-21T08:14:00Z',
    window: { from: '2026-11-19', to: '2026-11-21', timezone: 'UTC' },
    ...{
      coverage_state: 'partial',
      purpose_filter: [],
      registry_version: null,
      sources: [],
      data_through: null,
      gaps: [],
    },
  },
  days: [
    { ...DAY, date: '2026-11-19', state: 'gap', minutes: null },
    { ...DAY, date: '2026-11-20', state: 'complete' },
    { ...DAY, date: '2026-11-21', state: 'partial', minutes: 300 },
  ],
  limit: 1,
  returned_count: 1,
  total_count: 1_000,
  truncated: true,
  hosts: [{ host: 'www.example.com', days: [{ ...DAY, date: '2026-11-20', state: 'complete' }] }],
}

test('the calendar has one row per host, reports cut rows, and is one stop for the keyboard', async () => {
  const html = await render(<CoverageCalendar coverage={COVERAGE} />)
  expect(textOf(html)).toContain('All hosts 1 of 3 www.example.com 1 of 1')
  expect(textOf(html)).toContain('Showing 1 of 1,000 hosts')
  expect(html.match(/tabindex="0"/gi)).toHaveLength(1)
  expect(html).toContain(
    'role="group" aria-label="Coverage of hosts by day. All hosts: 1 of 3 days watched in full, 1 not watched: 19 Nov."',
  )
  expect(textOf(html)).toContain('Left and right read the days, up and down the hosts.')
})

test('each day of a host is read with its evidence', () => {
  const [gap, , partial] = COVERAGE.days.map((day) => dayOf(day, COVERAGE.meta.as_of))
  expect(hostDaySentence('www.example.com', gap)).toBe('www.example.com, 19 November, not watched')
  expect(hostDaySentence('www.example.com', partial)).toBe('www.example.com, 21 November, watched 5 h so far')
})

test('a single row for all hosts is not repeated', async () => {
  const coverage = { ...COVERAGE, truncated: false, hosts: [{ host: '*', days: COVERAGE.days }] }
  expect(textOf(await render(<CoverageCalendar coverage={coverage} />))).not.toContain('Other hosts')
})

test('authority: hosts without a source are unknown, shadows that cannot be compared say why', async () => {
  const host = {
    hostname: 'www.example.com',
    metric: 'observed_request_count',
    authority_state: 'unknown',
    contract_revision_id: null,
    source_connection_id: null,
    provider: null,
    adapter: null,
    interval_start: '2026-11-19T00:00:00Z',
    interval_end: '2026-11-21T00:00:00Z',
    effective_boundary: null,
    available_from: null,
    evidence_state: 'unknown',
    sampling: null,
    path_fidelity: null,
    status_fidelity: null,
    limitation: null,
    coverage_limitations: [],
    disconnect: null,
  }
  const shadow = {
    hostname: 'www.example.com',
    metric: 'observed_request_count',
    day: '2026-11-20',
    authority_contract_revision_id: null,
    shadow_contract_revision_id: SITE,
    authority_provider: null,
    shadow_provider: 'cloudflare',
    interval_start: '',
    interval_end: '',
    authority_coverage_state: 'unknown',
    shadow_coverage_state: 'complete',
    eligible: true,
    comparable: false,
    exact_equal: null,
    reason: 'no_authority',
    authority_count: null,
    shadow_count: 12,
    delta: null,
  }
  const authority = {
    metric: 'observed_request_count',
    evidence_state: 'unknown',
    available_from: null,
    hosts: [host],
    shadow_diagnostics: [shadow],
    shadow_diagnostics_truncated: true,
  } as NonNullable<Sources['authority']>
  const text = textOf(await render(<AuthorityPanels authority={authority} />))
  expect(text).toContain('www.example.com unknown 19 Nov 00:00 – 21 Nov 00:00 unknown unknown unknown unknown')
  expect(text).toContain('not comparable: no source was assigned')
  expect(text).toContain('Showing 1 of unknown')
})

test('Cloudflare: what the token cannot read is unknown', async () => {
  const connected = {
    source_id: SITE,
    zone_id: 'z',
    zone_name: 'example.com',
    connection_status: 'pending' as const,
    read_from: '2026-10-22T00:00:00Z',
    root_domain: 'example.com',
  }
  const site = { id: SITE, root_domain: 'example.com', role: 'owner' as const }
  const of = async (hostnames: { proxied: string[]; unproxied: string[] } | null) =>
    textOf(await render(<Connected site={site} answer={{ ...connected, hostnames }} />, { reads: [session()] }))
  expect(await of(null)).toContain('it is unknown which hosts go through Cloudflare')
  expect(await of({ proxied: ['www'], unproxied: ['mail'] })).toContain(
    '1 host through Cloudflare, 1 host not through it: mail. Requests to these are not observed.',
  )
})
