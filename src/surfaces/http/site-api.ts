/** Surface A as a table: each operation with the function that answers it. The registrar checks requests in order. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SiteKeyCaller } from '#accounts/caller.ts'
import type { HttpOperation } from '#contract/operation.ts'
import { operations, type SiteOperation } from '#contract/site-api/index.ts'
import { readCrawler } from '#crawlers/crawler.ts'
import { readCrawlers } from '#crawlers/crawlers.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import { readUnregisteredAgents } from '#crawlers/unregistered-agents.ts'
import type { Implementations, ResolvedSubject } from '#implementation.ts'
import { type AccessCheckServices, checkAccess } from '#inspections/access-check.ts'
import { readIssues } from '#issues/read-issues.ts'
import { type VerifyContext, verifyFix } from '#issues/verify-fix.ts'
import { Refusal } from '#refusal.ts'
import { listVisibleSites } from '#sites/list-sites.ts'
import { readSources } from '#sources/read-sources.ts'
import { readAnalyticsSources } from '#tracker/analytics-sources.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { readConversions } from '#tracker/conversions.ts'
import { readEvents } from '#tracker/events.ts'
import { readFunnel } from '#tracker/funnel.ts'
import { readFunnels } from '#tracker/funnels.ts'
import { readJourneys } from '#tracker/journeys.ts'
import { readOverview } from '#tracker/overview.ts'
import { readAnalyticsPages } from '#tracker/pages.ts'
import { readRevenue } from '#tracker/revenue.ts'
import { csvAnswer } from '../csv/csv-answer.ts'
import type { ListedObject } from '../csv/list-forms.ts'
import { type OperationTable, registerOperations, validatorOf } from '../register-operations.ts'
import { authenticate } from './authenticate.ts'
import { decodeInput } from './decode-input.ts'
import { ignoredParameters } from './ignored-parameters.ts'
import { answerTo } from './problems.ts'
import { checkUrlIsOnSite, readBody } from './read-body.ts'
import { queryOf } from './request-target.ts'

/** What the functions of surface A work with beside the caller and the site. */
export interface SiteApiServices extends Omit<TrackerContext, 'site'>, Pick<VerifyContext, 'verification'> {
  access: AccessCheckServices
}

export const siteApiImplementations: Partial<Implementations<SiteOperation, SiteApiServices>> = {
  listSites: listVisibleSites,
  getPerformance: readPerformance,
  getCrawlers: readCrawlers,
  getTopPages: readTopPages,
  getIssues: readIssues,
  getSources: readSources,
  getAnalyticsOverview: readOverview,
  getAnalyticsSources: readAnalyticsSources,
  getAnalyticsPages: readAnalyticsPages,
  getAnalyticsConversions: readConversions,
  getAnalyticsFunnels: readFunnels,
  getAnalyticsFunnel: readFunnel,
  getAnalyticsJourneys: readJourneys,
  getAnalyticsRevenue: readRevenue,
  runAccessCheck: checkAccess,
  getCrawler: readCrawler,
  getUnregisteredAgents: readUnregisteredAgents,
  getAnalyticsEvents: readEvents,
  verifyIssue: verifyFix,
}

/** The domain as surface A needs it. */
export interface SiteApi<Services> extends Omit<OperationTable<SiteOperation, Services>, 'unbuilt'> {
  /** The caller of a site key, or null when it is unknown, revoked, of another kind or of a suspended account. */
  authenticate(bearer: string): Promise<SiteKeyCaller | null>
}

/** Registers every operation, built or not, and 405 for every other method of its path. */
export function registerSiteApi<Services>(app: FastifyInstance, api: SiteApi<Services>): void {
  registerOperations(app, {
    ...api,
    operations,
    unbuilt,
    route: ({ method, path }) => ({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }),
    authenticate: ({ headers }) => authenticate(headers.authorization, (bearer) => api.authenticate(bearer)),
    headers: (operation, { raw }) => ignoredParameters(operation, queryOf(raw.url ?? '')),
    readInput,
    writeOutput: ({ id }, { format }, output) =>
      format === 'csv'
        ? csvAnswer(id, output as ListedObject)
        : { type: 'application/json; charset=utf-8', body: JSON.stringify(output) },
    describeFailure: answerTo,
  })
}

async function readInput(
  operation: HttpOperation,
  request: FastifyRequest,
  { site }: ResolvedSubject,
): Promise<Readonly<Record<string, unknown>>> {
  const input = decodeInput(operation, request.params as Record<string, string>, queryOf(request.raw.url ?? ''))
  if (operation.body === undefined) return input
  const { body: schema, may_lack_body: may_be_missing } = operation
  const body = await readBody(request.raw, validatorOf(schema), { may_be_missing })
  if (site !== undefined && 'url' in body) checkUrlIsOnSite(body.url, site.root_domain)
  return { ...input, ...body }
}

/** The refusal of an operation that has no function yet. */
export function unbuilt({ id, unavailable_title }: HttpOperation): Refusal {
  if (unavailable_title !== undefined) {
    return new Refusal('reader_unavailable', 'This reader is not built yet; no evidence is lost by that.')
  }
  return new Refusal('not_built', `${id} is not built yet in this version of the service.`)
}
