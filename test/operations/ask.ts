/** How each operation of surface A is asked rightly, so that the tests of this folder can walk all of them. */
import type { HttpOperation } from '#contract/operation.ts'
import { addressesSite } from '#contract/operation.ts'
import { operations, type SiteOperationId } from '#contract/site-api/index.ts'
import { IGNORED_PARAMETERS } from '#surfaces/http/ignored-parameters.ts'
import type { Answer, AskOptions, TestService } from '../support/service.ts'

export interface TestedOperation extends HttpOperation {
  readonly id: SiteOperationId
}

export const everyOperation: readonly (readonly [id: SiteOperationId, operation: TestedOperation])[] = operations.map(
  (operation) => [operation.id, operation],
)
export const siteOperations = everyOperation.filter(([, operation]) => addressesSite(operation))

export const SLUG = `checkout-${'0123456789abcdef'.repeat(2)}`
/** Of an issue that is recorded nowhere unless a test does. */
export const ISSUE_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3309'

export interface OperationRequest extends AskOptions {
  /** As it stands in the path, percent-encoded here. */
  site?: string
  /** Root domain of the site, for the body of an access check. */
  domain?: string
  /** Query string without the question mark. */
  query?: string
}

/** Asks an operation with everything it needs, about example.com; `request` says what differs. */
export function askOperation(service: TestService, operation: TestedOperation, request: OperationRequest = {}) {
  const { site = 'example.com', domain = 'example.com', query, ...options } = request
  const path = pathOf(operation, encodeURIComponent(site))
  const { body: schema } = operation
  const body = schema !== undefined && 'url' in schema.properties ? { body: { url: `https://${domain}/` } } : {}
  const method = { method: operation.method }
  return service.ask(query === undefined ? path : `${path}?${query}`, { ...method, ...body, ...options })
}

/** The path of an operation; `site` is written into it as it is. */
export function pathOf(operation: TestedOperation, site = 'example.com'): string {
  const named = { '{site}': site, '{funnel}': SLUG, '{issue}': ISSUE_ID, '{crawler_id}': 'gptbot' }
  return operation.path.replace(/\{\w+\}/g, (name) => named[name as keyof typeof named] ?? name)
}

/**
 * What an operation answers to a right request: 200, 404 of a funnel or an issue that does not exist, or what it says
 * until it is built. An operation that is missing here, or that was built without its cases, fails the suite.
 */
export const RIGHT: Readonly<Record<SiteOperationId, 200 | 404 | 500>> = {
  listSites: 200,
  getPerformance: 200,
  getCrawlers: 200,
  getTopPages: 200,
  getSources: 200,
  getIssues: 200,
  runAccessCheck: 200,
  getAnalyticsOverview: 200,
  getAnalyticsSources: 200,
  getAnalyticsPages: 200,
  getAnalyticsConversions: 200,
  getAnalyticsFunnels: 200,
  getAnalyticsFunnel: 404,
  getAnalyticsJourneys: 200,
  getAnalyticsRevenue: 200,
  getCrawler: 200,
  getUnregisteredAgents: 200,
  verifyIssue: 404,
  getAnalyticsEvents: 200,
}

/** The kind of a problem: the last word of its type. */
export function kindOf(answer: Answer): string | undefined {
  return typeof answer.json.type === 'string' ? answer.json.type.split(':').at(-1) : undefined
}

/**
 * Everything by which a client can distinguish two answers, except the name of the request, the time and ignored
 * parameters.
 */
export function visible({ status, headers, text }: Answer) {
  const { 'x-request-id': _id, date: _date, [IGNORED_PARAMETERS]: _ignored, ...rest } = headers
  return { status, headers: rest, text }
}
