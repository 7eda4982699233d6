/** Pages of the group Visitors, all of one site. */
import { analyticsSourcesRoute } from '../pages/analytics-sources/route.ts'
import { conversionRoute, conversionsRoute, newConversionRoute, propertiesRoute } from '../pages/conversions/route.ts'
import { funnelRoute } from '../pages/funnel/route.ts'
import { editFunnelRoute, funnelsRoute, newFunnelRoute } from '../pages/funnels/route.ts'
import { journeysRoute } from '../pages/journeys/route.ts'
import { overviewRoute } from '../pages/overview/route.ts'
import { pagesRoute } from '../pages/pages/route.ts'
import { revenueRoute } from '../pages/revenue/route.ts'
import { trackerRoute } from '../pages/tracker/route.ts'

export const visitorPages = [
  ...[overviewRoute, analyticsSourcesRoute, pagesRoute],
  ...[conversionsRoute, newConversionRoute, propertiesRoute, conversionRoute],
  ...[funnelsRoute, newFunnelRoute, funnelRoute, editFunnelRoute],
  ...[journeysRoute, revenueRoute, trackerRoute],
] as const
