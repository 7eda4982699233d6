/** Surface A: every operation, in the order of the specification's table, those added since after it (spec 4.2). */
import { runAccessCheck } from './access-check.ts'
import { getAnalyticsPages } from './analytics-pages.ts'
import { getAnalyticsSources } from './analytics-sources.ts'
import { getAnalyticsConversions } from './conversions.ts'
import { getCrawler } from './crawler.ts'
import { getCrawlers } from './crawlers.ts'
import { getAnalyticsEvents } from './events.ts'
import { getAnalyticsFunnel, getAnalyticsFunnels } from './funnels.ts'
import { getIssues, verifyIssue } from './issues.ts'
import { getAnalyticsJourneys } from './journeys.ts'
import { getAnalyticsOverview } from './overview.ts'
import { getPerformance } from './performance.ts'
import { getAnalyticsRevenue } from './revenue.ts'
import { listSites } from './sites.ts'
import { getSources } from './sources.ts'
import { getTopPages } from './top-pages.ts'
import { getUnregisteredAgents } from './unregistered-agents.ts'

export const operations = [
  listSites,
  getPerformance,
  getCrawlers,
  getTopPages,
  getIssues,
  getSources,
  getAnalyticsOverview,
  getAnalyticsSources,
  getAnalyticsPages,
  getAnalyticsConversions,
  getAnalyticsFunnels,
  getAnalyticsFunnel,
  getAnalyticsJourneys,
  getAnalyticsRevenue,
  getAnalyticsEvents,
  runAccessCheck,
  getCrawler,
  getUnregisteredAgents,
  verifyIssue,
] as const

export type SiteOperation = (typeof operations)[number]
export type SiteOperationId = SiteOperation['id']

export type { Gap, Meta, Source } from '../meta.ts'
export type { AccessCheck, AccessCheckInput } from './access-check.ts'
export type { AnalyticsPages, AnalyticsPagesInput } from './analytics-pages.ts'
export type { AnalyticsSources, AnalyticsSourcesInput } from './analytics-sources.ts'
export type { AnalyticsConversions, AnalyticsConversionsInput } from './conversions.ts'
export type { CrawlerAnswer, CrawlerInput } from './crawler.ts'
export type { Crawler, Crawlers, CrawlersInput } from './crawlers.ts'
export type { AnalyticsEvents, AnalyticsEventsInput } from './events.ts'
export type { FunnelList, FunnelListInput, SingleFunnel, SingleFunnelInput } from './funnels.ts'
export type { Issue, Issues, IssuesInput, IssueVerification, VerifyIssueInput } from './issues.ts'
export type { AnalyticsJourneys, AnalyticsJourneysInput } from './journeys.ts'
export type { AnalyticsOverview, AnalyticsOverviewInput } from './overview.ts'
export type { DailyRow, Outcome, Performance, PerformanceInput } from './performance.ts'
export type { AnalyticsRevenue, AnalyticsRevenueInput } from './revenue.ts'
export type { SiteList, SiteMembership } from './sites.ts'
export type { Sources, SourcesInput } from './sources.ts'
export type { Page, TopPages, TopPagesInput } from './top-pages.ts'
export type { UnregisteredAgents, UnregisteredAgentsInput } from './unregistered-agents.ts'
