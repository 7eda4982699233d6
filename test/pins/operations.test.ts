import { expect, test } from 'vitest'
import type { HttpOperation } from '#contract/operation.ts'
import { operations } from '#contract/site-api/index.ts'

const pinned = (operation: HttpOperation) => {
  const query = Object.entries(operation.query.properties).map(([name, schema]) => {
    const { enum: set, minimum, maximum, items, ...rest } = JSON.parse(JSON.stringify(schema))
    const values = set?.join('|') ?? items?.enum.join(',') ?? `${minimum}..${maximum}`
    return 'default' in rest ? `${name}=${values}=${rest.default}` : `${name}=${values}`
  })
  return [operation.id, operation.method, operation.path, query.join(' '), operation.refusals.join(' ')].join(' · ')
}

/** Frozen: the table of operations with parameters, bounds, defaults and statuses (spec 4.2, rules 8.2). */
test('the operations are exactly these', () => {
  const all = 'window=3d|7d|30d|90d|180d|365d=30d'
  const short = 'window=3d|7d|30d=30d'
  const purpose = 'purpose=search,assistant,training,unknown=search,assistant,unknown'
  const format = 'format=json|csv=json'
  const include = 'include=development='
  const plain = '400 401 404 405 500'
  const reader = `${plain} 503`
  const strict = '400 401 404 405 422 500 503'
  expect(operations.map(pinned)).toEqual([
    'listSites · GET · /v1/sites ·  · 400 401 405 500',
    `getPerformance · GET · /v1/sites/{site}/performance · ${all} ${purpose} · ${plain}`,
    `getCrawlers · GET · /v1/sites/{site}/crawlers · ${all} ${purpose} · ${plain}`,
    `getTopPages · GET · /v1/sites/{site}/top-pages · ${all} ${purpose} limit=1..50=50 · ${plain}`,
    `getIssues · GET · /v1/sites/{site}/issues · limit=1..50=8 · ${plain}`,
    `getSources · GET · /v1/sites/{site}/sources ·  · ${plain}`,
    `getAnalyticsOverview · GET · /v1/sites/{site}/overview · ${all} ${format} ${include} · ${reader}`,
    `getAnalyticsSources · GET · /v1/sites/{site}/analytics-sources · ${all} ${format} ${include} · ${reader}`,
    `getAnalyticsPages · GET · /v1/sites/{site}/pages · ${all} limit=1..100=50 ${format} ${include} · ${reader}`,
    `getAnalyticsConversions · GET · /v1/sites/{site}/conversions · ${all} limit=1..100=100 ${format} ${include} · ${reader}`,
    `getAnalyticsFunnels · GET · /v1/sites/{site}/funnels · ${short} limit=1..100=100 ${format} ${include} · ${strict}`,
    `getAnalyticsFunnel · GET · /v1/sites/{site}/funnels/{funnel} · ${short} revision=1..2147483647 ${format} ${include} · ${strict}`,
    `getAnalyticsJourneys · GET · /v1/sites/{site}/journeys · ${short} limit=1..100=100 ${format} · ${strict}`,
    `getAnalyticsRevenue · GET · /v1/sites/{site}/revenue · ${short} ${format} · ${reader}`,
    `getAnalyticsEvents · GET · /v1/sites/{site}/events · ${all} ${include} · ${reader}`,
    'runAccessCheck · POST · /v1/sites/{site}/access-checks ·  · 400 401 404 405 422 500',
    `getCrawler · GET · /v1/sites/{site}/crawlers/{crawler_id} · ${all} limit=1..50=50 · ${plain}`,
    `getUnregisteredAgents · GET · /v1/sites/{site}/unregistered-agents · ${all} limit=1..100=50 · ${plain}`,
    `verifyIssue · POST · /v1/sites/{site}/issues/{issue}/verify ·  · ${plain}`,
  ])
})
