import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FailureStatus } from '#contract/operation.ts'
import { Problem } from '#contract/problem.ts'
import { operations, type SiteOperationId } from '#contract/site-api/index.ts'
import { history } from '#demo/history.ts'
import { sql } from '#evidence/sql.ts'
import { setGate } from '#sites/gates.ts'
import type { Site } from '#sites/site.ts'
import { type GatedReader, gateOf } from '#tracker/coverage/readers.ts'
import { readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { addIssue } from '../support/issues.ts'
import { type Answer, openTestService, type TestService } from '../support/service.ts'
import { enableTracker } from '../support/tracker.ts'
import { askOperation, everyOperation, ISSUE_ID, kindOf, pathOf, RIGHT, SLUG, type TestedOperation } from './ask.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const site = await service.addSite('example.com')
  await service.createKey()
  await defineFunnel(service, site)
  await addIssue(service.installation.control, site, { id: ISSUE_ID })
  await service.importText(site, history().on('2026-03-09').humans().crawler('oai-searchbot').requests(3))
})
afterAll(() => service.close())

/** How a status is provoked, and the kind of problem it then carries (200 carries none). */
interface Case {
  kind?: string
  provoke: (operation: TestedOperation) => Promise<Answer>
}
type Cases = Partial<Record<200 | FailureStatus, Case>>

const right: Case = { provoke: (operation) => askOperation(service, operation) }
const withQuery = (kind: string, query: string): Case => ({
  kind,
  provoke: (operation) => askOperation(service, operation, { query }),
})
/** 401, 404, 405 and 500 come about in the same way everywhere. */
const everywhere: Cases = {
  401: { kind: 'unauthenticated', provoke: (operation) => askOperation(service, operation, { key: null }) },
  405: { kind: 'method_not_allowed', provoke: (operation) => askOperation(service, operation, { method: 'DELETE' }) },
  500: {
    kind: 'internal_error',
    provoke: (operation) => withoutTable('sites', () => askOperation(service, operation)),
  },
}
const ofSite: Cases = {
  ...everywhere,
  404: {
    kind: 'site_not_found',
    provoke: (operation) => askOperation(service, operation, { site: 'missing.example' }),
  },
}
/** Its owner switched the reader off. */
const closedReader = (reader: GatedReader): Case => ({
  kind: 'reader_unavailable',
  provoke: (operation) => withClosed(reader, () => askOperation(service, operation)),
})
const badWindow = withQuery('invalid_parameter', 'window=2d')
const longWindow = withQuery('window_too_long', 'window=90d')
const reads = (reader: GatedReader): Cases => ({ ...ofSite, 200: right, 400: badWindow, 503: closedReader(reader) })

const CASES: Record<SiteOperationId, Cases> = {
  listSites: { ...everywhere, 200: right, 400: withQuery('malformed_request', 'anything=%zz') },
  getPerformance: { ...ofSite, 200: right, 400: badWindow },
  getCrawlers: { ...ofSite, 200: right, 400: withQuery('invalid_parameter', 'purpose=ads') },
  getTopPages: { ...ofSite, 200: right, 400: withQuery('invalid_parameter', 'limit=51') },
  getIssues: { ...ofSite, 200: right, 400: withQuery('invalid_parameter', 'limit=51') },
  getSources: { ...ofSite, 200: right, 400: withQuery('malformed_request', 'anything=%zz') },
  getAnalyticsOverview: reads('overview'),
  getAnalyticsSources: { ...reads('sources'), 400: withQuery('invalid_parameter', 'format=xml') },
  getAnalyticsPages: { ...reads('pages'), 400: withQuery('invalid_parameter', 'limit=101') },
  getAnalyticsConversions: { ...reads('conversions'), 400: withQuery('invalid_parameter', 'limit=0') },
  getAnalyticsFunnels: { ...reads('funnels'), 422: longWindow },
  getAnalyticsFunnel: { ...reads('funnel'), 400: withQuery('invalid_parameter', 'revision=0'), 422: longWindow },
  getAnalyticsJourneys: { ...reads('journeys'), 422: longWindow },
  getAnalyticsRevenue: { ...reads('revenue'), 400: withQuery('window_too_long', 'window=90d') },
  getCrawler: { ...ofSite, 200: right, 400: withQuery('invalid_parameter', 'limit=51') },
  getUnregisteredAgents: { ...ofSite, 200: right, 400: withQuery('invalid_parameter', 'limit=101') },
  getAnalyticsEvents: { ...reads('overview'), 400: withQuery('invalid_parameter', 'include=bots') },
  runAccessCheck: {
    ...ofSite,
    200: right,
    422: {
      kind: 'unprocessable',
      provoke: (operation) => askOperation(service, operation, { body: { url: 'http://example.com:22/' } }),
    },
    400: {
      kind: 'invalid_body',
      provoke: (operation) => askOperation(service, operation, { body: { url: 'https://example.org/' } }),
    },
  },
  verifyIssue: {
    ...ofSite,
    200: right,
    400: {
      kind: 'invalid_body',
      provoke: (operation) =>
        askOperation(service, operation, {
          body: '{"force":true}',
          headers: { 'content-type': 'application/json' },
        }),
    },
  },
}

/** Declared statuses that nothing can provoke yet. Once the operation is built its entry has to become a case. */
const MISSING: Partial<Record<SiteOperationId, Partial<Record<200 | FailureStatus, string>>>> = {}

/** What no answer can be made without. */
const NEEDS_EVIDENCE: readonly SiteOperationId[] = [
  ...(['getPerformance', 'getCrawlers', 'getTopPages', 'getAnalyticsPages'] as const),
  ...(['getCrawler', 'getUnregisteredAgents', 'runAccessCheck'] as const),
]

const matrix = operations.flatMap((operation) =>
  ([200, ...operation.refusals] as const).map(
    (status) => [operation.id, status, operation as TestedOperation] as const,
  ),
)

describe('every declared status of every operation (spec 4.2)', () => {
  test('the matrix has a case or a reason for each, never both, and nothing that is not declared', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(operations.map((operation) => operation.id).toSorted())
    for (const operation of operations) {
      const cases = Object.keys(CASES[operation.id])
      const missing = Object.keys(MISSING[operation.id] ?? {})
      expect([operation.id, ...[...cases, ...missing].toSorted()]).toEqual([
        operation.id,
        ...[200, ...operation.refusals].map(String).toSorted(),
      ])
    }
  })

  test.each(matrix.filter(([id, status]) => CASES[id][status] !== undefined))(
    '%s %i',
    async (id, status, operation) => {
      const { provoke, kind } = CASES[id][status] as Case
      const answer = await provoke(operation)
      expect([answer.status, kindOf(answer)], answer.text).toEqual([status, kind])
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      if (status === 200) {
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
        expect(Compile(operation.output).Errors(answer.json)).toEqual([])
      } else {
        expectProblem(answer)
      }
    },
  )

  test.each(
    matrix.flatMap(([id, status, operation]) => {
      const reason = MISSING[id]?.[status]
      return reason === undefined ? [] : [[id, status, reason, operation] as const]
    }),
  )('%s %i is missing: %s', async (_id, _status, _reason, operation) => {
    const answer = await askOperation(service, operation)
    expect([answer.status, kindOf(answer)]).toEqual([500, 'not_built'])
    expectProblem(answer)
  })

  test('503 carries the title of the specification’s table', async () => {
    for (const [id, operation] of everyOperation.filter(([, one]) => one.unavailable_title !== undefined)) {
      const { provoke } = CASES[id][503] as Case
      expect((await provoke(operation)).json.title).toBe(operation.unavailable_title)
    }
    expect(everyOperation.map(([, operation]) => operation.unavailable_title).filter((title) => title)).toEqual([
      'analytics overview unavailable',
      'analytics sources unavailable',
      'analytics pages unavailable',
      'analytics conversions unavailable',
      'analytics funnels unavailable',
      'analytics funnel unavailable',
      'analytics journeys unavailable',
      'analytics revenue unavailable',
      'analytics events unavailable',
    ])
  })
})

describe('a store that fails', () => {
  test('evidence that cannot be read is 500 on each read that needs it, never a zero or an empty list', async () => {
    const { evidence } = await service.installation.crawlers()
    await evidence.run(sql`RENAME TABLE spoor.agent_labels TO spoor.mislaid`)
    try {
      for (const [id, operation] of everyOperation) {
        const answer = await askOperation(service, operation)
        const needsEvidence = NEEDS_EVIDENCE.includes(id)
        expect([id, answer.status]).toEqual([id, needsEvidence ? 500 : rightHere(id)])
        if (needsEvidence) expect(answer.text).not.toMatch(/agent_labels|spoor\.|SELECT/)
      }
    } finally {
      await evidence.run(sql`RENAME TABLE spoor.mislaid TO spoor.agent_labels`)
    }
  })

  test('afterwards every operation answers as before, and no answer revealed what broke', async () => {
    for (const [id, operation] of everyOperation) {
      const broken = await withoutTable('sites', () => askOperation(service, operation))
      expect(broken.text).not.toMatch(/no such table|sqlite|select/i)
      expect([id, (await askOperation(service, operation)).status]).toEqual([id, rightHere(id)])
    }
  })
})

test('no path of the contract has an operation that this suite does not ask', () => {
  for (const [, operation] of everyOperation) {
    expect(pathOf(operation, '')).not.toMatch(/[{}]/)
  }
})

/** What a right request is answered here, where the funnel and the issue that everybody asks for exist. */
const rightHere = (id: SiteOperationId) => (id === 'getAnalyticsFunnel' || id === 'verifyIssue' ? 200 : RIGHT[id])

async function defineFunnel(of: TestService, site: Site): Promise<void> {
  const { control, clock } = of.installation
  await enableTracker(of, site, { from: '2026-03-01T00:00:00Z', through: '2026-03-10T12:00:00Z' })
  const page = (path: string) => ({ kind: 'page', hostname: 'example.com', path })
  const definition = readFunnelInput({ name: 'Checkout', steps: [page('/cart'), page('/paid')] })
  await addFunnel({ control, clock }, { site, definition })
  await control.db.updateTable('funnels').set({ slug: SLUG }).execute()
}

/** A reader of the site is switched off while `work` runs. */
async function withClosed<T>(reader: GatedReader, work: () => Promise<T>): Promise<T> {
  const { control, clock } = service.installation
  const { id: site_id } = await control.db.selectFrom('sites').select('id').executeTakeFirstOrThrow()
  const turn = (is_open: boolean) =>
    control.transaction((tx) => setGate(tx, { clock }, { site_id, name: gateOf(reader), is_open }))
  await turn(false)
  try {
    return await work()
  } finally {
    await turn(true)
  }
}

/** The service with a damaged control store: a table is away while `work` runs. */
async function withoutTable<T>(table: 'sites', work: () => Promise<T>): Promise<T> {
  const { schema } = service.installation.control.db
  await schema.alterTable(table).renameTo('mislaid').execute()
  try {
    return await work()
  } finally {
    await schema.alterTable('mislaid').renameTo(table).execute()
  }
}

function expectProblem(answer: Answer): void {
  expect(answer.headers['content-type']).toBe('application/problem+json')
  expect(Compile(Problem).Errors(answer.json)).toEqual([])
  expect(answer.json).toEqual({
    type: expect.stringMatching(/^urn:spoor:problem:[a-z_]+$/),
    title: expect.stringMatching(/^[a-z]/),
    status: answer.status,
    detail: expect.stringMatching(/\.$/),
  })
  expect(answer.headers['www-authenticate']).toBe(answer.status === 401 ? 'Bearer' : undefined)
  expect(answer.headers.allow === undefined).toBe(answer.status !== 405)
}
