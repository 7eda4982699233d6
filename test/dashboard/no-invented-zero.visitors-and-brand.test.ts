/** As no-invented-zero.test.ts, for visitors and brand: every number that may be null is null as often as not. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { operations } from '#contract/site-api/index.ts'
import { report } from './brand-answers.ts'
import { basics, SITE, session } from './support/answers.ts'
import { renderPage } from './support/render.ts'
import { zerosOf } from './support/zeros.ts'
import * as tracker from './tracker-answers.ts'

const BRAND = '00000000-0000-4000-8000-00000000000b'
const funnel = () => tracker.singleFunnel('measured')

const ANSWERS: Readonly<Record<string, object>> = {
  getAnalyticsOverview: tracker.overview(),
  getAnalyticsSources: tracker.sources(),
  getAnalyticsPages: tracker.pages(),
  getAnalyticsConversions: tracker.conversions(),
  getAnalyticsFunnels: tracker.funnels([funnel().funnel]),
  getAnalyticsFunnel: funnel(),
  getAnalyticsJourneys: tracker.journeys(),
  getBrandReport: report(),
}
const PAGES = [
  ...['overview', 'analytics-sources', 'pages', 'conversions', 'funnels', `funnels/${funnel().funnel.slug}`].map(
    (page) => `/sites/${SITE}/${page}`,
  ),
  ...[`/sites/${SITE}/journeys`, `/brands/${BRAND}/report`],
]

/** What is used of a schema. */
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

const schemaOf = (id: string): Schema => {
  const found = [...operations, ...accountApiOperations].find((operation) => operation.id === id)
  if (found === undefined) throw new Error(`there is no operation ${id}`)
  return found.output as Schema
}

/** The answer with null wherever its schema allows it for a number and `isNull` says so, and without a zero. */
function withNulls(schema: Schema, value: unknown, isNull: () => boolean): unknown {
  const members = schema.anyOf ?? [schema]
  const may_be_null = members.some(({ type }) => type === 'null')
  if (typeof value === 'number') return may_be_null && isNull() ? null : value === 0 ? 1 : value
  if (Array.isArray(value)) {
    const { items = {} } = members.find(({ type }) => type === 'array') ?? {}
    return value.map((member) => withNulls(items, member, isNull))
  }
  if (value === null || typeof value !== 'object') return value
  const { properties = {} } = members.find((member) => member.properties !== undefined) ?? {}
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withNulls(properties[name] ?? {}, member, isNull)]),
  )
}

test('pages of visitors and brand invent none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 64, maxLength: 64 }), async (choices) => {
      let next = 0
      const isNull = () => choices[next++ % choices.length] === true
      const answers = {
        ...basics(),
        getSession: { ...session(), brands: [{ id: BRAND, name: 'Example', site_id: SITE }] },
        getTrackerCoverage: tracker.coverage(),
        ...Object.fromEntries(
          Object.entries(ANSWERS).map(([id, answer]) => [id, withNulls(schemaOf(id), answer, isNull) as object]),
        ),
      }
      for (const page of PAGES) {
        const { html } = await renderPage(page, answers)
        expect([page, zerosOf(html)]).toEqual([page, []])
      }
    }),
    { numRuns: 4 },
  )
})
