/** Pages of the group Crawlers, and the list of sites. */
import { createRoute, redirect } from '@tanstack/react-router'
import { accessChecksRoute } from '../pages/access-checks/route.ts'
import { crawledPageRoute } from '../pages/crawled-page/route.ts'
import { crawlerRoute } from '../pages/crawler/route.ts'
import { crawlersRoute } from '../pages/crawlers/route.ts'
import { issueRoute } from '../pages/issue/route.ts'
import { issuesRoute } from '../pages/issues/route.ts'
import { performanceRoute } from '../pages/performance/route.ts'
import { sitesRoute } from '../pages/sites/route.ts'
import { topPagesRoute } from '../pages/top-pages/route.ts'
import { siteRoute } from './root.tsx'

const siteStartRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/sites/$site/performance', params, replace: true } as never)
  },
})

/** Of one site. */
export const crawlerPages = [
  siteStartRoute,
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
