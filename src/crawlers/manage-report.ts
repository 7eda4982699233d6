/** The answers about crawlers as management operations. The first request opens the evidence store. */
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { CalledOnSite, Implementations } from '#implementation.ts'
import type { CrawlerContext, SiteContext } from './context.ts'
import { readCrawler } from './crawler.ts'
import { readCrawlers } from './crawlers.ts'
import { readPerformance } from './performance.ts'
import { readTopPages } from './top-pages.ts'
import { readUnregisteredAgents } from './unregistered-agents.ts'

interface Services {
  crawlers(): Promise<CrawlerContext>
}

type ReportOperation = ManagementOperationOf<
  'report.performance' | 'report.crawlers' | 'report.top_pages' | 'report.crawler' | 'report.unregistered_agents'
>

export const manageReport: Implementations<ReportOperation, Services> = {
  'report.performance': async (ctx, input) => readPerformance(await contextOf(ctx), input),
  'report.crawlers': async (ctx, input) => readCrawlers(await contextOf(ctx), input),
  'report.top_pages': async (ctx, input) => readTopPages(await contextOf(ctx), input),
  'report.crawler': async (ctx, input) => readCrawler(await contextOf(ctx), input),
  'report.unregistered_agents': async (ctx, input) => readUnregisteredAgents(await contextOf(ctx), input),
}

const contextOf = async ({ crawlers, site }: Services & CalledOnSite): Promise<SiteContext> => ({
  ...(await crawlers()),
  site,
})
