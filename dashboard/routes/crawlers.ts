/** Pages of the group Crawlers, and the list of sites. */
import { accessChecksRoute } from '../pages/access-checks/route.ts'
import { crawledPageRoute } from '../pages/crawled-page/route.ts'
import { crawlerRoute } from '../pages/crawler/route.ts'
import { crawlersRoute } from '../pages/crawlers/route.ts'
import { issueRoute } from '../pages/issue/route.ts'
import { issuesRoute } from '../pages/issues/route.ts'
import { performanceRoute } from '../pages/performance/route.ts'
import { sitesRoute } from '../pages/sites/route.ts'
import { topPagesRoute } from '../pages/top-pages/route.ts'

/** Of one site. */
export const crawlerPages = [
  performanceRoute,
  crawlersRoute,
  crawlerRoute,
  topPagesRoute,
  crawledPageRoute,
  issuesRoute,
  issueRoute,
  accessChecksRoute,
]
export const overallPages = [sitesRoute]
