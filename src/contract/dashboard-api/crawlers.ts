/** Reads about crawlers that only the dashboard has, on the same counts as the site API (decisions 7.4). */
import Type from 'typebox'
import { Count, Day, ObservedCount, oneOf, orNull, Share, Uuid } from '../fields.ts'
import { site } from '../management-api/define.ts'
import { Meta } from '../meta.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { limit, purpose, window } from '../parameters.ts'
import { Outcome } from '../site-api/performance.ts'
import { getTopPages } from '../site-api/top-pages.ts'
import { COVERAGE_REASONS, IDENTITIES, OUTCOMES, PATH_CLASSES, PATH_FIDELITIES, PURPOSES } from '../vocabulary.ts'
import { ofPerson, readOfSite } from './define.ts'

const CoverageDay = Type.Object({
  date: Day,
  state: oneOf(['complete', 'partial', 'gap']),
  minutes: orNull(Type.Integer({ minimum: 0, maximum: 1_440 }), 'Covered minutes of the day; null for a gap.'),
  sampling: orNull(Share, 'The lowest share of requests that was looked at; null: all of them.'),
  reasons: Type.Array(oneOf(COVERAGE_REASONS), { description: 'Why it is less than complete.' }),
  source_id: orNull(Uuid, 'What counts it; of several that count together the first; null: none, or several.'),
})
export type CoverageDay = Type.Static<typeof CoverageDay>

export const getCoverage = readOfSite('getCoverage', 'How each host of a site was covered on each day', {
  input: Type.Object({
    site,
    window,
    limit: limit({ maximum: 200, default: 50, description: 'Most hosts to list.' }),
  }),
  output: Type.Object({
    meta: Meta,
    /** Of all hosts; minutes of the host that was covered least. */
    days: Type.Array(CoverageDay),
    limit: Count,
    returned_count: Count,
    total_count: Count,
    truncated: Type.Boolean(),
    /** By name; `*` is every host that has no coverage of its own. */
    hosts: Type.Array(Type.Object({ host: Type.String(), days: Type.Array(CoverageDay) })),
  }),
})
export type Coverage = OutputOf<typeof getCoverage>
export type CoverageQuestion = InputOf<typeof getCoverage>

const DailyOutcome = Type.Object({ date: Day, outcome: oneOf(OUTCOMES), observed_request_count: ObservedCount })
const Identified = Type.Object({ identity: oneOf(IDENTITIES), observed_request_count: ObservedCount })

export const getDailyBreakdown = readOfSite(
  'getDailyBreakdown',
  'Days by identity and by outcome, crawlers by outcome, and the sources that counted; of one crawler or of all',
  {
    input: Type.Object({ site, window, purpose, crawler_id: Type.Optional(Type.String({ maxLength: 64 })) }),
    output: Type.Object({
      meta: Meta,
      crawler_id: orNull(Type.String()),
      observed_request_count: orNull(Count),
      /** `unknown`: the address refutes the claim. */
      daily_identities: Type.Array(
        Type.Object({ date: Day, identity: oneOf(IDENTITIES), observed_request_count: ObservedCount }),
      ),
      daily_outcomes: Type.Array(DailyOutcome),
      crawler_outcomes: Type.Array(
        Type.Object({ crawler_id: Type.String(), outcome: oneOf(OUTCOMES), observed_request_count: ObservedCount }),
      ),
      sources: Type.Array(Type.Object({ source_id: Uuid, observed_request_count: ObservedCount })),
    }),
  },
)
export type DailyBreakdown = OutputOf<typeof getDailyBreakdown>
export type DailyBreakdownInput = InputOf<typeof getDailyBreakdown>

export const getPage = readOfSite('getPage', 'One page: its days by outcome, its crawlers and their statuses', {
  input: Type.Object({
    site,
    window,
    host: Type.String({ minLength: 1, maxLength: 253 }),
    path: Type.String({ minLength: 1, maxLength: 4_096 }),
    /** Left out: all crawlers. */
    crawler_id: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  output: Type.Object({
    meta: Meta,
    host: Type.String(),
    path: Type.String(),
    path_class: oneOf(PATH_CLASSES),
    path_fidelity: oneOf(PATH_FIDELITIES),
    observed_request_count: orNull(Count),
    daily_outcomes: Type.Array(DailyOutcome),
    http_outcomes: Type.Array(Outcome),
    crawlers: Type.Array(
      Type.Object({
        crawler_id: Type.String(),
        purpose: oneOf(PURPOSES),
        observed_request_count: ObservedCount,
        /** `unknown`: the address refutes the claim. */
        identities: Type.Array(Type.Object({ ...Identified.properties, http_outcomes: Type.Array(Outcome) })),
        http_outcomes: Type.Array(Outcome),
      }),
    ),
  }),
})
export type PageDetail = OutputOf<typeof getPage>
export type PageDetailInput = InputOf<typeof getPage>

export const getTopPagesOfClass = readOfSite(
  'getTopPagesOfClass',
  'The pages of one class that crawlers asked for most',
  {
    input: Type.Object({
      site,
      window,
      purpose,
      limit: limit({ maximum: 50, default: 50, description: 'Most pages to return.' }),
      path_class: oneOf(PATH_CLASSES),
    }),
    /** Shares are of the requests for pages of that class. */
    output: getTopPages.output,
  },
)

export const getRegistryFacts = ofPerson(
  'getRegistryFacts',
  'How many crawlers the registry in force names, and what its entry of one rests on',
  {
    effect: 'read',
    input: Type.Object({ crawler_id: Type.Optional(Type.String({ maxLength: 64 })) }),
    output: Type.Object({
      version: Type.String(),
      crawlers: Count,
      /** Null: none was asked for, or the registry has no crawler of that id. */
      crawler: orNull(
        Type.Object({
          crawler_id: Type.String(),
          /** The page on which the vendor declares the purpose; null: it declares none. */
          purpose_source: orNull(
            Type.Object({
              url: Type.String(),
              evidence: oneOf(['vendor_page', 'vendor_page_via_dated_copy', 'vendor_page_paraphrased_by_reviewer']),
              checked_on: orNull(Day),
            }),
          ),
          /** Where the rest of the entry is described. */
          source_url: Type.String(),
        }),
      ),
    }),
  },
)
export type RegistryFacts = OutputOf<typeof getRegistryFacts>

export const crawlerReads = [getCoverage, getDailyBreakdown, getPage, getTopPagesOfClass, getRegistryFacts] as const
