/** The answers of the analytics reads, in the form in which the visits were counted. */
import type {
  AnalyticsConversions,
  AnalyticsJourneys,
  AnalyticsOverview,
  AnalyticsPages,
  AnalyticsRevenue,
  AnalyticsSources,
  FunnelList,
  SingleFunnel,
} from '#contract/site-api/index.ts'

export interface Answers {
  overview: AnalyticsOverview
  'analytics-sources': AnalyticsSources
  pages: AnalyticsPages
  conversions: AnalyticsConversions
  funnels: FunnelList
  funnel: SingleFunnel
  journeys: AnalyticsJourneys
  revenue: AnalyticsRevenue
}

export function reported(answers: Answers) {
  const { visitor_days, sessions, pageviews, conversions } = answers.overview.metrics
  return {
    overview: { metrics: { visitor_days, sessions, pageviews, conversions }, excluded: answers.overview.excluded },
    'analytics-sources': publishedSources(answers['analytics-sources']),
    pages: answers.pages.pages.map(
      (page) =>
        `${page.hostname}${page.path} ${page.pageviews} sessions ${page.sessions}, entries ${page.entries}, exits ${page.exits}, conversions ${page.conversions}`,
    ),
    conversions: answers.conversions.conversions?.map(
      ({ name, metrics }) =>
        `${name} ${metrics.converted_sessions} of ${metrics.sessions}, ${metrics.conversion_events} events`,
    ),
    funnels: answers.funnels.funnels.map(
      ({ name, metrics }) => `${name}: ${metrics.entered_sessions} entered, ${metrics.completed_sessions} completed`,
    ),
    funnel: answers.funnel.funnel.steps.map(({ reached_sessions }) => reached_sessions),
    journeys: answers.journeys.journeys?.map(({ kind, sessions }) => `${kind} ${sessions}`),
    revenue: publishedRevenue(answers.revenue),
  }
}

function publishedSources({ acquisition, ai_referral, utm }: AnalyticsSources) {
  const block = ({ denominator, rows }: AnalyticsSources['utm']['source']) => [
    denominator,
    rows.map(({ value, sessions }) => `${value} ${sessions}`),
  ]
  return {
    acquisition: Object.fromEntries(
      (acquisition ?? []).map(({ channel, sessions, pageviews }) => [channel, [sessions, pageviews]]),
    ),
    ai_referral: ai_referral?.map(({ platform, evidence, sessions }) => `${platform} ${evidence} ${sessions}`),
    utm: { source: block(utm.source), medium: block(utm.medium), campaign: block(utm.campaign) },
  }
}

function publishedRevenue({ reported, reconciliation }: AnalyticsRevenue) {
  return {
    reported: reported?.map(
      (row) =>
        `${row.currency} ${row.provenance}: ${row.sales_count} sold ${row.sales_amount_minor}, ${row.refunds_count} refunded ${row.refunds_amount_minor}`,
    ),
    classes: reconciliation.classes?.filter((row) => row.orders > 0).map((row) => `${row.class} ${row.orders}`),
  }
}
