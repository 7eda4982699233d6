/** What the command line reports about a site: reads of surface A, for the operator and without a key. */
import Type from 'typebox'
import { getCrawler } from '../site-api/crawler.ts'
import { getCrawlers } from '../site-api/crawlers.ts'
import { getAnalyticsEvents } from '../site-api/events.ts'
import { getPerformance } from '../site-api/performance.ts'
import { getTopPages } from '../site-api/top-pages.ts'
import { getUnregisteredAgents } from '../site-api/unregistered-agents.ts'
import { onSite, site } from './define.ts'

export const reportOperations = [
  onSite('report.performance', getPerformance.summary, {
    permission: 'read',
    effect: 'read',
    input: Type.Object({ site, ...getPerformance.input.properties }),
    output: getPerformance.output,
  }),
  onSite('report.crawlers', getCrawlers.summary, {
    permission: 'read',
    effect: 'read',
    input: Type.Object({ site, ...getCrawlers.input.properties }),
    output: getCrawlers.output,
  }),
  onSite('report.top_pages', getTopPages.summary, {
    permission: 'read',
    effect: 'read',
    input: Type.Object({ site, ...getTopPages.input.properties }),
    output: getTopPages.output,
  }),
  onSite('report.crawler', getCrawler.summary, {
    permission: 'read',
    effect: 'read',
    input: Type.Object({ site, ...getCrawler.input.properties }),
    output: getCrawler.output,
  }),
  onSite('report.unregistered_agents', getUnregisteredAgents.summary, {
    permission: 'read',
    effect: 'read',
    input: Type.Object({ site, ...getUnregisteredAgents.input.properties }),
    output: getUnregisteredAgents.output,
  }),
  onSite('report.events', getAnalyticsEvents.summary, {
    permission: 'read',
    effect: 'read',
    input: Type.Object({ site, ...getAnalyticsEvents.input.properties }),
    output: getAnalyticsEvents.output,
  }),
] as const
