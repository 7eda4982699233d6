/** What the command line reports about a site: reads of surface A, for the operator and without a key. */
import type Type from 'typebox'
import { getCrawler } from '../site-api/crawler.ts'
import { getCrawlers } from '../site-api/crawlers.ts'
import { getAnalyticsEvents } from '../site-api/events.ts'
import { getPerformance } from '../site-api/performance.ts'
import { getTopPages } from '../site-api/top-pages.ts'
import { getUnregisteredAgents } from '../site-api/unregistered-agents.ts'
import { onSite } from './define.ts'

const reportOf = <const Id extends string, I extends Type.TProperties, O extends Type.TSchema>(
  id: Id,
  read: { summary: string; input: Type.TObject<I>; output: O },
) => onSite(id, read.summary, { input: read.input.properties, output: read.output })

export const reportOperations = [
  reportOf('report.performance', getPerformance),
  reportOf('report.crawlers', getCrawlers),
  reportOf('report.top_pages', getTopPages),
  reportOf('report.crawler', getCrawler),
  reportOf('report.unregistered_agents', getUnregisteredAgents),
  reportOf('report.events', getAnalyticsEvents),
] as const
