/** Pages of the group Crawlers, and the list of sites. */
import { crawlerRoute } from '../pages/crawler/route.ts'
import { crawlersRoute } from '../pages/crawlers/route.ts'
import { performanceRoute } from '../pages/performance/route.ts'
import { sitesRoute } from '../pages/sites/route.ts'
import { topPagesRoute } from '../pages/top-pages/route.ts'

/** Of one site. */
export const crawlerPages = [performanceRoute, crawlersRoute, crawlerRoute, topPagesRoute]
export const overallPages = [sitesRoute]
