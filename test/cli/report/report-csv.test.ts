import { expect, test } from 'vitest'
import type { AnalyticsEvents, Crawlers, Performance, TopPages, UnregisteredAgents } from '#contract/site-api/index.ts'
import examples from '#surfaces/http/reference/examples.json' with { type: 'json' }
import type { SiteReport } from '../../../cli/commands/report.ts'
import { leftOutOfSite, siteCsv } from '../../../cli/report/report-csv.ts'
import { readCsv } from '../../support/csv.ts'

/** Real answers, into which each test writes its case. */
const performance = examples.getPerformance.answer as unknown as Performance
const events = examples.getAnalyticsEvents.answer as unknown as AnalyticsEvents
const report: SiteReport = {
  performance: { ...performance, hidden_by_purpose_filter: [] },
  crawlers: examples.getCrawlers.answer as unknown as Crawlers,
  top_pages: { ...(examples.getTopPages.answer as unknown as TopPages), truncated: false },
  unregistered_agents: {
    ...(examples.getUnregisteredAgents.answer as unknown as UnregisteredAgents),
    truncated: false,
  },
}
const list = { returned_count: 0, total_count: 0, withheld_count: 0, truncated: false, rows: [] }
const nothing = { events: list, outbound_hosts: list, downloads: list }

const eventRecords = (answer: Partial<AnalyticsEvents>) =>
  readCsv(siteCsv({ ...report, events: { ...events, ...nothing, ...answer } })).records.filter(({ record = '' }) =>
    record.startsWith('event_'),
  )

test('events that are unknown, and days without evidence of them, do not look like none', () => {
  const { meta } = events
  const gaps = [{ from: '2026-03-04', to: '2026-03-05' }]
  const unknown = { ...meta, completeness: { ...meta.completeness, state: 'unknown' as const, gaps } }
  expect(eventRecords({ meta: unknown, event_count: null })).toMatchObject([
    { record: 'event_total', coverage: 'unknown', events: '' },
    { record: 'event_gap_day', date: '2026-03-04', coverage: 'unknown', events: '' },
    { record: 'event_gap_day', date: '2026-03-05', coverage: 'unknown', events: '' },
  ])
  const observed = { ...meta, completeness: { ...meta.completeness, state: 'partial' as const, gaps: [] } }
  expect(eventRecords({ meta: observed, event_count: 0 })).toMatchObject([
    { record: 'event_total', coverage: 'partial', events: '0' },
  ])
})

test('what the purpose filter, the length of a list and the privacy floor leave out is said', () => {
  expect(leftOutOfSite(report)).toEqual([])
  const hidden: SiteReport = {
    ...report,
    performance: {
      ...performance,
      hidden_by_purpose_filter: [{ purpose: 'training', observed_request_count: 1_205 }],
    },
    events: {
      ...events,
      privacy_floor: 5,
      events: { ...list, withheld_count: 2 },
      outbound_hosts: { ...list, returned_count: 200, total_count: 1_203, truncated: true },
      downloads: { ...list, total_count: null, withheld_count: null },
    },
  }
  expect(leftOutOfSite(hidden)).toEqual([
    'The table leaves out 1,205 requests for training: --purpose all counts them.',
    'The table leaves out 2 names of events, which fewer than 5 visitors sent.',
    'The table holds 200 of 1,203 outbound hosts, those with the most events.',
  ])
})
