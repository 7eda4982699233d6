/**
 * Every branch of every statement, each with small, fixed inputs. The name is the path of its golden file, without
 * `.sql`.
 */

import {
  answerCountBefore,
  answerCounts,
  answeredQuestions,
  answersOfQuestions,
  answerTexts,
  answerTextsAt,
  citedPages,
  classifiedMentions,
  countedBefore,
  deleteAnswersAt,
  deleteAnswersBefore,
  deleteVersionsBefore,
  storedContents,
} from '#brands/answers/answers.sql.ts'
import {
  type AnswerFilter,
  answerPlaces,
  answersAt,
  askedQuestions,
  citationsOf,
  mentionsOf,
} from '#brands/answers/read-answers.sql.ts'
import { answersNaming } from '#brands/fixes/naming-rivals.sql.ts'
import { answeringModels, metricSums, type ReportFilter, runCounts, trackedSums } from '#brands/reports/report.sql.ts'
import {
  aiReports,
  countSearchNames,
  deleteOlderRows,
  deleteSearchDataBefore,
  deleteSearchDataOf,
  searchDataBrands,
  searchSums,
  storedAiRows,
  storedSearchRows,
} from '#brands/search-data/search-data.sql.ts'
import { unclassifiedCounts, unclassifiedPlaces } from '#brands/sentiment/unclassified.sql.ts'
import { storedAnswers } from '#brands/stored-answers.sql.ts'
import { type CitedFilter, citedByQuestion, citedPlaces, observedByQuestion } from '#brands/urls/cited-pages.sql.ts'
import { hostCounts } from '#crawlers/authority/authority.sql.ts'
import { labelsBySpan, largeDays, lastRequest, receivedFacts } from '#crawlers/cached-counts.sql.ts'
import { crawledPages, digestOfRedacted, rankedPages, redactedPages } from '#crawlers/crawled-pages.sql.ts'
import { crawlerDetails, crawlerSums } from '#crawlers/crawler.sql.ts'
import { crawlerCounts } from '#crawlers/crawlers.sql.ts'
import { dailyCounts } from '#crawlers/daily-breakdown.sql.ts'
import { agentsWaitingFor } from '#crawlers/identity/address-proofs.sql.ts'
import { lastRequests } from '#crawlers/last-requests.sql.ts'
import { namedPage, pageDetails } from '#crawlers/page-detail.sql.ts'
import { requestsOfPages } from '#crawlers/page-evidence.sql.ts'
import { requestCounts } from '#crawlers/performance.sql.ts'
import {
  deleteMonthBuilds,
  deleteRollUpBuilds,
  factsByDay,
  insertCrawlerDaily,
  insertMonth,
  insertPageOutcomes,
  repeatedDays,
  rowsOfMonth,
} from '#crawlers/roll-ups/roll-ups.sql.ts'
import type { CrawlerScope } from '#crawlers/scope.sql.ts'
import { servedHosts } from '#crawlers/served-hosts.sql.ts'
import { namesOfTopPages, pageCounts, pageSums } from '#crawlers/top-pages.sql.ts'
import { unregisteredAgents } from '#crawlers/unregistered-agents.sql.ts'
import type { Fragment } from '#evidence/fragment.ts'
import { deletePages, pagesWithoutFacts } from '#evidence/page-names.ts'
import { Statement } from '#evidence/sql.ts'
import { countStored, insertFacts, insertPages, movedLines, stagedDays, stagedRows } from '#intake/import/commit.sql.ts'
import { dayHarms } from '#issues/detection/day-harms.sql.ts'
import { labelsOfDays } from '#issues/evidence/day-labels.sql.ts'
import type { OutcomeScope } from '#issues/evidence/detection-scope.ts'
import {
  type EligibilityInput,
  eligibleAgents,
  eligibleFromRows,
  eligibleFromTables,
} from '#issues/evidence/eligible-agents.sql.ts'
import { hostAnswers } from '#issues/evidence/host-answers.sql.ts'
import { pagesNamed, pagesServedSince, servedPages } from '#issues/evidence/named-pages.sql.ts'
import {
  exactOutcomes,
  impostorRefusals,
  namesOfPages,
  outcomesOfFacts,
  pageOutcomes,
  priorPageviews,
  priorSuccesses,
  sourcesWithEdgeActions,
} from '#issues/evidence/page-outcomes.sql.ts'
import { MOVED_TABLES, type MovedTable } from '#move/moved-tables.ts'
import {
  columnsOfTables,
  deletePieces,
  isOfMonth,
  pieceFingerprints,
  piecesInParts,
  rowsOfPieces,
  storedParts,
} from '#move/pieces.sql.ts'
import { type SeenQuestion, seenNames, seenPages } from '#seen/seen.sql.ts'
import { storedDays, storedEvents, storedRequests } from '#sites/export/evidence.sql.ts'
import { storedEvidence } from '#sites/site-contents.sql.ts'
import { sourceCounts, sourceSums } from '#tracker/acquisition/sources.sql.ts'
import {
  type ClosedBatch,
  conversionCounts,
  type FactBatch,
  storedConversions,
} from '#tracker/conversions/conversions.sql.ts'
import { convertedToStore } from '#tracker/conversions/converted.sql.ts'
import type { ConvertedPlan } from '#tracker/conversions/converted.ts'
import { deleteDefinitionBuilds } from '#tracker/definitions/definition-builds.sql.ts'
import type { Matcher } from '#tracker/definitions/definitions.ts'
import type { Evaluation } from '#tracker/definitions/evaluated-days.ts'
import { type EventCountsInput, eventCounts } from '#tracker/events.sql.ts'
import { type FunnelBatch, funnelCounts } from '#tracker/funnels/funnels.sql.ts'
import { journeyCounts, pagesOfFacts, pagesOfJourneys } from '#tracker/journeys.sql.ts'
import { dayCounts } from '#tracker/overview.sql.ts'
import { namesOfVisitedPages, pageviewCounts, pageviewSums } from '#tracker/pages.sql.ts'
import { revenueCounts } from '#tracker/revenue.sql.ts'
import type { TrackerScope } from '#tracker/scope.ts'
import { deleteEvents, deleteSessionBuilds, insertBuild } from '#tracker/sessions/session-sums.sql.ts'
import { eventsBefore, longSessions } from '#tracker/sessions/settled-sessions.sql.ts'

const id = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`
const site_id = id(1)
const today = '2026-03-03'
const noon = Date.parse(`${today}T12:00:00Z`)

const brand = { account_id: id(61), id: id(62) }
const searchSet = {
  source: 'google' as const,
  property: 'sc-domain:example.com',
  search_type: 'web',
  dimensions: 'page',
}
const searchSpan = { from: '2026-03-01', to: '2026-03-10', is_daily: true }
const foundBrand = {
  ...brand,
  site_id: null,
  name: 'Acme',
  aliases: [],
  alias_rules: [],
  domains: ['acme.example'],
  created_at: 0,
  archived_at: null,
}
const allAnswers: AnswerFilter = {
  brand: foundBrand,
  days: null,
  answer_id: null,
  engines: null,
  country: null,
  question_ids: null,
  removed_question_ids: [],
  status: null,
  mentioned: null,
  cited: null,
  mentions_version: 3,
}
const listed: AnswerFilter = {
  ...allAnswers,
  days: { from: '2026-03-01', to: today },
  engines: ['chatgpt', 'claude'],
  country: 'CH',
  question_ids: [id(81)],
  status: 'answered',
  mentioned: true,
  cited: false,
}
const reported: ReportFilter = { ...allAnswers, days: { from: '2026-03-01', to: today } }
const cited: CitedFilter = { answers: reported, dimension: 'url', source: null, rivals: ['zenith.example'] }
const movedTable = (named: string) => MOVED_TABLES.find(({ name }) => name === named) as MovedTable
const [movedFacts, movedPages, movedBuilds] = [
  movedTable('requests'),
  movedTable('pages'),
  movedTable('page_outcomes_daily'),
]
const movedColumns = [
  { name: 'site_id', type: 'UUID' },
  { name: 'day', type: 'Date' },
  { name: 'edge_action', type: "Nullable(Enum8('none' = 1))" },
]
const answerKeys = [{ day: today, answer_id: id(71) }]
const answerPage = { after: null, from_revision: 0, limit: 2_000 }
const builds = [
  { day: '2026-03-01', build: 11 },
  { day: '2026-03-02', build: 12 },
]

const window: TrackerScope = { site_id, builds, fact_days: [today], cutoff: noon }
const closed: TrackerScope = { ...window, fact_days: [] }
const open: TrackerScope = { ...window, builds: [] }
const closedDays = { site_id, builds }

const page: Matcher = {
  kind: 'pageview',
  hostname: 'example.com',
  path: '/pricing',
  path_fidelity: 'exact',
  path_transform_version: 'path/v1',
  property_rules: [],
}
const event: Matcher = { kind: 'event', event_name: 'signup', property_rules: [] }
const rule = { event_name: 'signup', property_revision: 1 }
const ruled: Matcher = {
  kind: 'event',
  event_name: 'signup',
  property_rules: [
    { ...rule, property_key: 'plan', scalar_kind: 'enum', operator: 'one_of', comparison: { values: ['pro', 'team'] } },
    {
      ...rule,
      property_key: 'seats',
      scalar_kind: 'integer',
      operator: 'between',
      comparison: { lower: 2, upper: 50 },
    },
    { ...rule, property_key: 'trial', scalar_kind: 'boolean', operator: 'equals', comparison: { value: false } },
  ],
}
const always = { from: 0, to: Number.MAX_SAFE_INTEGER }

const evaluation: Evaluation = {
  scope: window,
  definition_ids: [id(21), id(22)],
  stored: [{ day: '2026-03-01', build: 31 }],
  missing: { definition_ids: [id(22)], builds: [{ day: '2026-03-02', build: 12 }] },
}
const evaluationOf = (scope: TrackerScope): Evaluation => ({
  scope,
  definition_ids: [id(21)],
  stored: [],
  missing: { definition_ids: [], builds: [] },
})
const ofFacts: FactBatch = { matchers: [page, event], in_force: null, of: open }
const openServers = { days: open.fact_days, until: open.cutoff }
const closedServers = { days: builds.map(({ day }) => day), until: null }
const ofClosed: ClosedBatch = { matchers: [page, event], in_force: null, of: closedDays }
const in_force = [always, { from: noon - 60_000, to: noon }]
const converted: ConvertedPlan = {
  measured_days: ['2026-03-01', '2026-03-02', today],
  stored: { ...evaluation, missing: { definition_ids: [], builds: [] } },
  closed: { ...ofClosed, of: { site_id, builds: [{ day: '2026-03-02', build: 12 }] } },
  facts: ofFacts,
}

const steps: FunnelBatch = { matchers: [page, event], firsts: [0], effective_periods: [] }
const effective_periods = [
  { from: 0, bits: [0, 1] },
  { from: noon - 60_000, bits: [] },
]
const funnels = (of: TrackerScope | typeof closedDays, batch: FunnelBatch) =>
  funnelCounts(evaluation, [{ batch: 0, funnels: batch, of }])

const requests: CrawlerScope = {
  site_id,
  registry_version: '2026-03-01',
  purposes: ['search', 'training'],
  slices: [
    { days: [{ from: '2026-03-01', to: today }], source_ids: [id(41)], hosts: null },
    {
      days: [{ from: '2026-03-01', to: '2026-03-01' }],
      source_ids: [id(42)],
      hosts: { only: ['*.example.com', 'example.org'], named: ['shop.example.com'] },
    },
    { days: [{ from: today, to: today }], source_ids: [id(42)], hosts: { except: ['example.org'] } },
  ],
  builds,
  months: [],
  fact_days: [today],
  outdated_days: [],
  readings: [7],
  facts_version: null,
  as_of: noon,
}
const march = { month: '2026-03-01', build: 21, from: '2026-03-01', to: '2026-03-02' }
const rolledUp: CrawlerScope = { ...requests, fact_days: [], slices: requests.slices.slice(0, 1) }
const summed: CrawlerScope = { ...requests, months: [march] }
const facts: CrawlerScope = { ...requests, builds: [], slices: requests.slices.slice(0, 1) }

const events: EventCountsInput = {
  scope: window,
  counted: ['signup\nplan', 'signup\ntrial'],
  summed: ['signup\nseats'],
  privacy_floor: 5,
  limit: 200,
}
const seen: SeenQuestion = { crawlers: requests, visitors: window, search: 'pri', limit: 51 }
const ofSnapshot: TrackerScope = {
  ...closed,
  builds: [3, 4, 5, 6].map((build) => ({ day: today, build })),
  snapshot: { day: today, ended: 5, growing: 6 },
}
const snapshotBuild = {
  site_id,
  day: today,
  build: 5,
  growing: { cutoff: noon, build: 6 },
  settling: { day: today, after: noon - 60_000, by: null, known: { from: noon - 3_600_000, builds: [3, 4] } },
}
const copyingBuild = {
  ...snapshotBuild,
  growing: { ...snapshotBuild.growing, copied: [7, 8] },
  settling: { ...snapshotBuild.settling, active_after: noon - 30_000 },
}
const settling: TrackerScope = { ...open, settling: { day: today, after: noon - 60_000, by: null } }
const knownSettling: TrackerScope = {
  ...open,
  settling: { day: today, after: noon - 60_000, by: null, known: { from: noon - 3_600_000, builds: [3, 4] } },
}
const unvisited: TrackerScope = { ...window, builds: [], fact_days: [] }
const exported = { site_id, as_of: noon }
const dayPart = { day: today, index: 1, of: 4 }
const dayBuild = { site_id, day: '2026-03-01', build: 11 }
const [insertSessions, insertTrackerDaily, insertSourceDaily, insertTrackerPages, insertJourneys] =
  insertBuild(dayBuild)
const rollUp = { site_id, days: ['2026-03-01'], readings: [7], build: 11, has_one_thread: false }
const staged = {
  delivery_id: id(51),
  site_id,
  source_id: id(41),
  month: 202603,
  from_day: '2026-03-01',
  to_day: '2026-03-02',
  has_local_times: false,
  is_one_of_several: false,
}

const eligibility: EligibilityInput = {
  scope: { ...rolledUp, registry_version: '2026-03-01' },
  published: [{ crawler_id: 'gptbot', list: '0a1b2c3d4e' }],
}
const met: OutcomeScope = {
  ...eligibility,
  edge_source_ids: [id(41)],
  eligible: eligibleFromTables(eligibility),
  as_of: noon,
}
const listedAgents = eligibleFromRows([{ agent_key: '901', crawler_id: 'gptbot', rank: 1, is_waiting: 0 }])
const metDay = { day: '2026-03-02', build: 12 }
const pages = ['101', '102']

const all: Record<string, Statement<unknown> | Fragment | undefined> = {
  'tracker/overview/closed-days': dayCounts(closed, null),
  'tracker/overview/open-day': dayCounts(open, null),
  'tracker/overview/with-conversions': dayCounts(window, converted),
  'tracker/overview/open-day-with-development': dayCounts({ ...open, with_development: true }, null),
  'tracker/pages/closed-days': pageviewCounts(closed, 50, null),
  'tracker/pages/open-day': pageviewCounts(open, 50, null),
  'tracker/pages/with-conversions': pageviewCounts(window, 50, converted),
  'tracker/pages/sums-of-closed-days': pageviewSums(closed, null, 100_000),
  'tracker/pages/sums-of-open-day': pageviewSums(open, converted, 100_000),
  'tracker/pages/names': namesOfVisitedPages(site_id, ['101', '102']),
  'tracker/pages/crawled-pages': crawledPages(requests, ['101', '102']),
  'tracker/pages/digest-of-redacted': digestOfRedacted(site_id),
  'tracker/pages/redacted-pages': redactedPages(site_id, 10_001),
  'tracker/pages/ranked-pages': rankedPages(requests, ['101', '102'], 100),
  'tracker/sessions/events-before': eventsBefore(site_id, today, noon, null),
  'tracker/sessions/events-before/of-new-parts': eventsBefore(site_id, today, noon, ['202611_1_1_0']),
  'tracker/sessions/long-sessions': longSessions({ site_id, day: today, by: noon, builds: [3, 4] }),
  'tracker/overview/settling-day': dayCounts(settling, null),
  'tracker/overview/known-settling-day': dayCounts(knownSettling, null),
  'tracker/overview/snapshot': dayCounts(ofSnapshot, null),
  'tracker/journeys/snapshot': journeyCounts(ofSnapshot, { limit: 100, floor: 5 }),
  'tracker/derive/snapshot': insertBuild(snapshotBuild)[0],
  'tracker/derive/copying-snapshot': insertBuild(copyingBuild)[0],
  'tracker/sources/settling-day': sourceSums(settling, 20_001),
  'tracker/conversions/stored-settling-day': storedConversions(evaluationOf(settling)),
  'tracker/sources/closed-days': sourceSums(closed, 20_001),
  'tracker/sources/open-day': sourceSums(open, 20_001),
  'tracker/sources/ranked': sourceCounts(window, { origins: 20_000, values: 1_000 }),
  'tracker/conversions/stored-closed-days': storedConversions(evaluationOf(closed)),
  'tracker/conversions/stored-open-day': storedConversions(evaluationOf(open)),
  'tracker/conversions/stored-window': storedConversions(evaluation),
  'tracker/conversions/open-day': conversionCounts(ofFacts, openServers),
  'tracker/conversions/open-day-in-force-for-a-part': conversionCounts({ ...ofFacts, in_force }, openServers),
  'tracker/conversions/closed-days': conversionCounts(ofClosed, closedServers),
  'tracker/conversions/closed-days-by-properties': conversionCounts(
    { ...ofClosed, matchers: [ruled], in_force: [always] },
    closedServers,
  ),
  'tracker/conversions/converted-to-store': convertedToStore(ofClosed),
  'tracker/funnels/stored': funnelCounts(evaluation, []),
  'tracker/funnels/open-day': funnels(open, steps),
  'tracker/funnels/open-day-in-force-for-a-part': funnels(open, { ...steps, effective_periods }),
  'tracker/funnels/closed-days': funnels(closedDays, steps),
  'tracker/funnels/closed-days-in-force-for-a-part': funnels(closedDays, { ...steps, effective_periods }),
  'tracker/funnels/closed-days-by-properties': funnels(closedDays, { ...steps, matchers: [page, ruled] }),
  'tracker/journeys/counts': journeyCounts(window, { limit: 100, floor: 5 }),
  'tracker/journeys/pages-of-closed-days': pagesOfJourneys(window, ['1002', '1005']),
  'tracker/journeys/pages-of-open-day': pagesOfFacts(window, ['1002', '1005']),
  'tracker/events/window': eventCounts(events),
  'tracker/seen/hosts': seenPages(seen, 'host'),
  'tracker/seen/pages-of-crawlers': seenPages({ ...seen, visitors: unvisited, search: null }, 'page'),
  'tracker/seen/names': seenNames(seen, 5),
  'sites/stored-evidence': storedEvidence(site_id),
  'sites/export-days': storedDays('requests', exported),
  'sites/export-requests': storedRequests(exported, dayPart),
  'sites/export-events': storedEvents(exported, dayPart),
  'brands/stored-answers': storedAnswers(brand.account_id, brand.id),
  'tracker/events/with-development': eventCounts({ ...events, scope: { ...window, with_development: true } }),
  'tracker/revenue/counts': revenueCounts({ site_id, days: [today], cutoff: noon }, 100_000),
  'tracker/derive/sessions': insertSessions,
  'tracker/derive/overview': insertTrackerDaily,
  'tracker/derive/sources': insertSourceDaily,
  'tracker/derive/pages': insertTrackerPages,
  'tracker/derive/journeys': insertJourneys,
  'tracker/delete/builds': deleteSessionBuilds(builds.map((build) => ({ site_id, ...build })))[0],
  'tracker/delete/events': deleteEvents(site_id, ['2026-03-01']),
  'tracker/delete/definitions': deleteDefinitionBuilds([
    { site_id, part: id(21), ...(builds[0] as (typeof builds)[0]) },
  ]),
  'crawlers/performance/closed-days': requestCounts(rolledUp),
  'crawlers/performance/open-day': requestCounts(facts),
  'crawlers/performance/some-hosts': requestCounts(requests),
  'crawlers/performance/first-piece': requestCounts({ ...facts, arrived: { from: 0, to: noon } }),
  'crawlers/performance/later-piece': requestCounts({ ...facts, arrived: { from: noon - 60_000, to: noon } }),
  'crawlers/performance/since-pieces': requestCounts({ ...facts, arrived: { from: noon, to: null } }),
  'crawlers/crawlers/window': crawlerCounts(requests),
  'crawlers/last-requests/window': lastRequests(requests, 'example.com', '/pricing'),
  'crawlers/served-hosts/window': servedHosts(requests, { least: 20, limit: 50 }),
  'crawlers/crawler/closed-days': crawlerDetails(rolledUp, 'gptbot', { limit: 50 }),
  'crawlers/crawler/window': crawlerDetails(requests, 'gptbot', { limit: 50 }),
  'crawlers/crawler/outdated-day': crawlerDetails({ ...rolledUp, outdated_days: ['2026-03-01'] }, 'gptbot', {
    limit: 50,
  }),
  'crawlers/crawler/one-part': crawlerDetails(rolledUp, 'gptbot', { limit: 50, part: { index: 1, of: 4 } }),
  'crawlers/crawler/sums': crawlerSums(rolledUp, 'gptbot', 250_000),
  'crawlers/crawler/sums-of-open-day': crawlerSums(facts, 'gptbot', 250_000),
  'crawlers/unregistered-agents/closed-days': unregisteredAgents(rolledUp, 50),
  'crawlers/unregistered-agents/summed-month': unregisteredAgents(summed, 50),
  'crawlers/unregistered-agents/window': unregisteredAgents(requests, 50),
  'crawlers/top-pages/closed-days': pageCounts(rolledUp, { limit: 50, crawlers: 100 }),
  'crawlers/top-pages/sums': pageSums(rolledUp, { max_pages: 250_000 }),
  'crawlers/top-pages/sums-of-class': pageSums(summed, { max_pages: 250_000, path_class: 'content' }),
  'crawlers/top-pages/names': namesOfTopPages(site_id, ['101', '102']),
  'crawlers/labels-by-span': labelsBySpan('2026-03-01', 0, 10),
  'crawlers/last-request': lastRequest(site_id, [today]),
  'crawlers/large-days': largeDays(today, 200_000, 20),
  'crawlers/received': receivedFacts(site_id, today, 10, null),
  'crawlers/received/of-new-parts': receivedFacts(site_id, today, 10, ['202611_1_1_0']),
  'crawlers/top-pages/summed-month': pageCounts(summed, { limit: 50, crawlers: 100 }),
  'crawlers/top-pages/open-day': pageCounts(facts, { limit: 50, crawlers: 100 }),
  'crawlers/top-pages/of-many-crawlers': pageCounts(requests, { limit: 50, crawlers: 1_000 }),
  'crawlers/top-pages/one-part': pageCounts(requests, { limit: 50, crawlers: 100, part: { index: 1, of: 4 } }),
  'crawlers/top-pages/of-class': pageCounts(rolledUp, { limit: 50, crawlers: 100, path_class: 'content' }),
  'crawlers/daily-breakdown/window': dailyCounts(requests, null),
  'crawlers/daily-breakdown/of-crawler': dailyCounts(rolledUp, 'gptbot'),
  'crawlers/page-detail/name': namedPage({ site_id, host: 'example.com', path: '/pricing' }),
  'crawlers/page-detail/window': pageDetails(requests, { site_id, host: 'example.com', path: '/pricing' }),
  'crawlers/page-detail/of-crawler': pageDetails(
    rolledUp,
    { site_id, host: 'example.com', path: '/pricing' },
    'gptbot',
  ),
  'crawlers/authority/hosts': hostCounts(requests, '2026-03-02'),
  'crawlers/identity/agents-waiting': agentsWaitingFor([id(61)]),
  'crawlers/roll-ups/repeated-days': repeatedDays(rollUp),
  'crawlers/roll-ups/page-outcomes': insertPageOutcomes({ ...rollUp, has_repeats: true, has_one_table: true }),
  'crawlers/roll-ups/page-outcomes-with-one-thread': insertPageOutcomes({
    ...rollUp,
    has_one_thread: true,
    has_repeats: true,
    has_one_table: false,
  }),
  'crawlers/roll-ups/page-outcomes-without-repeats': insertPageOutcomes({
    ...rollUp,
    has_one_thread: true,
    has_repeats: false,
    has_one_table: true,
  }),
  'crawlers/roll-ups/crawlers': insertCrawlerDaily(rollUp),
  'crawlers/roll-ups/crawlers-with-one-thread': insertCrawlerDaily({ ...rollUp, has_one_thread: true }),
  'crawlers/roll-ups/month': insertMonth({ site_id, day: '2026-03-01', builds }, 21, { first: 0n, last: 10n }),
  'crawlers/roll-ups/facts-by-day': factsByDay(rollUp),
  'crawlers/roll-ups/rows-of-month': rowsOfMonth({ site_id, day: '2026-03-01', builds }),
  'crawlers/roll-ups/delete-months': deleteMonthBuilds([{ site_id, day: '2026-03-01', build: 21 }]),
  'crawlers/roll-ups/delete': deleteRollUpBuilds([{ site_id, day: '2026-03-01', build: 11 }])[1],
  'issues/host-answers': hostAnswers(met, ['example.com'], '2026-03-01'),
  'issues/day-labels': labelsOfDays(met, [metDay]),
  'issues/day-harms': dayHarms(met, metDay, {
    crawlers: ['gptbot'],
    pages: { first: 0n, last: 10n },
    limit: 100,
    is_harm_alone: true,
  }),
  'issues/day-harms-of-one-side': dayHarms({ ...met, edge_source_ids: [] }, metDay, {
    crawlers: ['gptbot'],
    pages: { first: 0n, last: 10n },
    limit: 100,
    is_harm_alone: false,
  }),
  'issues/eligible-agents': eligibleAgents(eligibility, 2_001),
  'issues/page-outcomes': pageOutcomes(met, pages, [metDay]),
  'issues/page-outcomes-of-listed-agents': pageOutcomes({ ...met, eligible: listedAgents }, pages, [metDay]),
  'issues/exact-outcomes': exactOutcomes({ ...met, scope: { ...facts, registry_version: '2026-03-01' } }, pages),
  'issues/outcomes-of-facts': outcomesOfFacts({ ...met, scope: { ...facts, registry_version: '2026-03-01' } }, pages),
  'issues/prior-successes': priorSuccesses(met, pages, '2026-03-01'),
  'issues/prior-pageviews': priorPageviews(site_id, builds, pages),
  'issues/names-of-pages': namesOfPages(site_id, pages),
  'issues/pages-named': pagesNamed(site_id, [{ host: 'example.com', path: '/robots.txt' }]),
  'issues/served-pages': servedPages(met, {
    host: 'example.com',
    crawlers: ['gptbot'],
    from: '2026-03-01',
    limit: 100,
  }),
  'issues/pages-served-since': pagesServedSince(met, {
    host: 'example.com',
    crawler_id: 'gptbot',
    vantage: 'origin',
    limit: 100,
    since: Date.parse('2026-03-04T10:00:00Z'),
  }),
  'issues/impostor-refusals': impostorRefusals(met, '2026-03-01', 100),
  'issues/sources-with-edge-actions': sourcesWithEdgeActions(met, [id(42)], '2026-03-01'),
  'intake/import/staged-days': stagedDays(id(51)),
  'intake/import/staged-rows': stagedRows(staged),
  'intake/import/stored': countStored(staged),
  'intake/import/moved': movedLines({ ...staged, has_local_times: true }),
  'intake/import/pages': insertPages(staged),
  'intake/import/facts': insertFacts(staged, noon),
  'intake/import/facts-of-local-times': insertFacts({ ...staged, has_local_times: true }, noon),
  'intake/import/facts-of-several': insertFacts({ ...staged, is_one_of_several: true }, noon),
  'brands/answers/list': answerPlaces(listed, { after: null, limit: 51 }),
  'brands/answers/list-next': answerPlaces(
    { ...listed, country: 'none' },
    { after: { at: noon, id: id(71) }, limit: 51 },
  ),
  'brands/answers/place': answerPlaces({ ...allAnswers, answer_id: id(71) }, { after: null, limit: 1 }),
  'brands/answers/shown': answersAt(foundBrand, answerKeys, { whole: false }),
  'brands/answers/one': answersAt(foundBrand, answerKeys, { whole: true }),
  'brands/answers/citations': citationsOf(foundBrand, answerKeys),
  'brands/answers/mentions': mentionsOf(foundBrand, 3, answerKeys),
  'brands/answers/asked-questions': askedQuestions(reported),
  'brands/answers/without-removed-questions': askedQuestions({ ...reported, removed_question_ids: [id(81)] }),
  'brands/search-data/stored': storedSearchRows(brand, searchSet, ['2026-03-01', '2026-03-02']),
  'brands/search-data/delete-older': deleteOlderRows(brand, searchSet, ['2026-03-01'], 1_772_000_000_000),
  'brands/search-data/pages': searchSums(brand, searchSet, searchSpan, {
    by: 'page',
    page: null,
    limit: 50,
    offset: 0,
  }),
  'brands/search-data/queries-of-period': searchSums(
    brand,
    { ...searchSet, dimensions: 'page,query' },
    { ...searchSpan, is_daily: false },
    { by: 'query', page: ['https://example.com/a'], limit: 50, offset: 0 },
  ),
  'brands/search-data/count': countSearchNames(brand, searchSet, searchSpan, { by: 'page', page: null }),
  'brands/search-data/ai-reports': aiReports(brand, searchSpan, ['https://example.com/a']),
  'brands/search-data/stored-ai': storedAiRows(brand, { kind: 'ai_citations', source: 'bing', ...searchSpan }),
  'brands/search-data/brands': searchDataBrands,
  'brands/search-data/delete-rows-of': deleteSearchDataOf([id(70)])[0],
  'brands/search-data/delete-ai-rows-of': deleteSearchDataOf([id(70)])[1],
  'brands/search-data/delete-rows-before': deleteSearchDataBefore('2026-03-01')[0],
  'brands/search-data/delete-ai-rows-before': deleteSearchDataBefore('2026-03-01')[1],
  'brands/answers/stored-contents': storedContents(brand, 3, [id(71), id(72)]),
  'brands/answers/texts/first-page': answerTexts(brand, answerPage),
  'brands/answers/texts/next-page': answerTexts(brand, { ...answerPage, after: { day: today, answer_id: id(71) } }),
  'brands/answers/classified-mentions': classifiedMentions(brand, 3, answerKeys),
  'brands/answers/cited-pages': citedPages(brand, answerKeys),
  'brands/answers/questions': answeredQuestions,
  'brands/answers/counts': answerCounts(brand),
  'brands/answers/of-questions': answersOfQuestions(brand, [id(81)], 5_000),
  'brands/reports/runs': runCounts(reported),
  'brands/reports/runs-of-country': runCounts({ ...reported, country: 'CH' }),
  'brands/reports/models': answeringModels(reported),
  'brands/sentiment/counts': unclassifiedCounts(allAnswers),
  'brands/sentiment/first-places': unclassifiedPlaces(listed, { after: null, limit: 50 }),
  'brands/sentiment/next-places': unclassifiedPlaces(allAnswers, {
    after: { day: today, answer_id: id(71) },
    limit: 50,
  }),
  'brands/answers/texts/of-answers': answerTextsAt(brand, answerKeys),
  'brands/reports/sums-by-day': metricSums(reported, 'day'),
  'brands/reports/sums-by-week': metricSums(reported, 'week'),
  'brands/reports/sums-by-month': metricSums(reported, 'month'),
  'brands/reports/sums-of-window': metricSums(reported, 'window'),
  'brands/reports/tracked': trackedSums(reported),
  'brands/fixes/answers-naming': answersNaming(reported, [id(81)]),
  'brands/urls/places': citedPlaces(cited, { limit: 50, offset: 50 }),
  'brands/urls/own-places': citedPlaces({ ...cited, source: 'own' }, { limit: 50, offset: 0 }),
  'brands/urls/domains': citedPlaces({ ...cited, dimension: 'domain' }, { limit: 50, offset: 0 }),
  'brands/urls/by-question': citedByQuestion(cited, ['acme.example/a']),
  'brands/urls/observed': observedByQuestion(cited),
  'crawlers/page-evidence': requestsOfPages(requests, [{ host: 'acme.example', path: '/a' }]),
  'brands/answers/delete-old-mentions': deleteVersionsBefore(brand, 3)[0],
  'brands/answers/delete-moved': deleteAnswersAt(brand, answerKeys)[3],
  'brands/answers/counted-before': countedBefore(brand, 3),
  'brands/answers/count-before': answerCountBefore(brand, today),
  'evidence/pages-without-facts': pagesWithoutFacts(site_id),
  'evidence/delete-pages': deletePages(site_id, ['7', '8']),
  'move/columns': columnsOfTables,
  'move/parts': storedParts,
  'move/pieces-in-parts': piecesInParts(movedFacts, ['202603_1_1_0']),
  'move/fingerprints-of-a-month': pieceFingerprints(movedFacts, movedColumns, isOfMonth(movedFacts, 202603)),
  'move/fingerprints-of-names': pieceFingerprints(
    movedPages,
    [{ name: 'path', type: 'String' }],
    isOfMonth(movedPages, null),
  ),
  'move/rows-of-builds': rowsOfPieces(movedBuilds, movedColumns.slice(0, 2), [[site_id, today, '11']]),
  'move/delete-pieces': deletePieces(movedFacts, [[site_id, today]]),
  'brands/answers/delete-before': deleteAnswersBefore(brand, today)[3],
}

/** Name and fragment of each. */
export const BRANCHES: [name: string, fragment: Fragment][] = Object.entries(all).map(([name, branch]) => {
  if (branch === undefined) throw new Error(`${name} has no statement.`)
  return [name, branch instanceof Statement ? branch.fragment : branch]
})
