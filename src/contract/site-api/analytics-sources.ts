/** Where sessions came from, by their first pageview (rules 6). */
import Type from 'typebox'
import { Count, ObservedCount, oneOf, orNull } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { analyticsRead, format, include, window } from '../parameters.ts'
import { envelopeFields } from '../tracker-meta.ts'
import { AI_EVIDENCE, CHANNELS, WINDOWS } from '../vocabulary.ts'

/** What every row counts; a session belongs to one row of each list at most. */
const counts = { sessions: ObservedCount, pageviews: Count }

/** Most rows of one list; a longer one says so. */
export const SOURCE_ROWS = 1_000

/** How long the list really is. */
const length = {
  total_count: orNull(Count, 'Rows there are; null when nothing was measured, or too much to count them.'),
  truncated: Type.Boolean(),
}

const UtmBlock = Type.Object(
  {
    denominator: Type.Union([Count, Type.Null()], {
      description: 'Sessions whose first pageview carried a value of this dimension; null when nothing was measured.',
    }),
    ...length,
    rows: Type.Array(Type.Object({ value: Type.String(), ...counts }), { maxItems: SOURCE_ROWS }),
  },
  { title: 'UtmBlock' },
)

export const AnalyticsSources = Type.Object(
  {
    meta: Type.Object(envelopeFields('analytics-sources/v1', 'sessions/v1', WINDOWS)),
    acquisition: Type.Union([Type.Array(Type.Object({ channel: oneOf(CHANNELS), ...counts })), Type.Null()], {
      description: 'Every session once, by channel; null when nothing was measured.',
    }),
    ai_referral: orNull(
      Type.Array(Type.Object({ platform: Type.String(), evidence: oneOf(AI_EVIDENCE), ...counts }), {
        description:
          'Sessions that an assistant sent, at least: by its page that linked here, a tag in the link, or both. A paid click counts here too.',
      }),
    ),
    ai_platforms_version: Type.String({ description: 'Which list of assistants labelled the sessions.' }),
    referrers: Type.Object(
      {
        ...length,
        rows: Type.Array(Type.Object({ referrer_host: Type.String(), channel: oneOf(CHANNELS), ...counts }), {
          maxItems: SOURCE_ROWS,
        }),
      },
      { description: 'Other sites that linked here, by host and the channel of the session.' },
    ),
    utm: Type.Object({ source: UtmBlock, medium: UtmBlock, campaign: UtmBlock, term: UtmBlock, content: UtmBlock }),
  },
  { title: 'AnalyticsSources' },
)

export const getAnalyticsSources = defineSiteOperation({
  id: 'getAnalyticsSources',
  ...analyticsRead,
  path: '/v1/sites/{site}/analytics-sources',
  summary: 'Tracker acquisition, AI referral and five UTM sources',
  query: Type.Object({ window, format, include }),
  output: AnalyticsSources,
  unavailable_title: 'analytics sources unavailable',
  csv: {
    header: 'record_type,meta_json,dimension,identity_json,metric,value',
    records: ['meta', 'denominator', 'metric'],
  },
  mcp: { tool: 'get_analytics_sources' },
})
export type AnalyticsSources = OutputOf<typeof getAnalyticsSources>
export type AnalyticsSourcesInput = InputOf<typeof getAnalyticsSources>
