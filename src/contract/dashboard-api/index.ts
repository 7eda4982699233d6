/** Operations that only the dashboard has; it also calls those of both APIs and of management (decisions 7). */
import { getAliasRules, getPlan } from './brands.ts'
import { contentsReads } from './contents.ts'
import { crawlerReads } from './crawlers.ts'
import { peopleOperations } from './people.ts'
import { seenReads } from './seen.ts'
import { getSession, listSessions } from './session.ts'
import { siteReads } from './sites.ts'
import { uploadReads } from './uploads.ts'
import { visitorReads } from './visitors.ts'

export const dashboardOperations = [
  getSession,
  listSessions,
  getPlan,
  getAliasRules,
  ...siteReads,
  ...crawlerReads,
  ...visitorReads,
  ...seenReads,
  ...contentsReads,
  ...peopleOperations,
  ...uploadReads,
] as const

export type DashboardOperation = (typeof dashboardOperations)[number]
/** The operations of these ids. */
export type DashboardOperationOf<Id extends DashboardOperation['id']> = Extract<DashboardOperation, { id: Id }>
export type DashboardOperationId = DashboardOperation['id']
export type {
  Coverage,
  CoverageDay,
  CoverageQuestion,
  DailyBreakdown,
  DailyBreakdownInput,
  PageDetail,
  PageDetailInput,
  RegistryFacts,
} from './crawlers.ts'
export type { Seen, SeenInput } from './seen.ts'
export { SIGN_IN, type SignInCalls } from './session.ts'
export type { IssueList, IssueListInput, SitesOverview, SitesOverviewInput } from './sites.ts'
export type {
  FunnelPreview,
  FunnelPreviewInput,
  TrackerCoverage,
  TrackerCoverageInput,
} from './visitors.ts'
