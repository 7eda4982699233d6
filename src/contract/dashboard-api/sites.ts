/** All sites at a glance, and the issues of one (decisions 7.4). */
import Type from 'typebox'
import { Count, Day, Instant, ObservedCount, oneOf, orNull, Uuid } from '../fields.ts'
import { site } from '../management-api/define.ts'
import { issueOperations } from '../management-api/issues.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { limit, purpose } from '../parameters.ts'
import { CONNECTION_STATUSES, COVERAGE_STATES, LIFE_STATES, ROLES, SOURCE_TYPES } from '../vocabulary.ts'
import { ofPerson, readOfSite } from './define.ts'

const offset = Type.Integer({ minimum: 0, default: 0 })

export const getSitesOverview = ofPerson(
  'getSitesOverview',
  'The sites that the person sees, with their last 30 days',
  {
    effect: 'read',
    input: Type.Object({
      purpose,
      limit: limit({ maximum: 50, default: 50, description: 'Most sites to return.' }),
      offset,
      /** Only sites whose domain holds this text, in any case; counts are of these. */
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    }),
    output: Type.Object({
      as_of: Instant,
      limit: Count,
      offset: Count,
      returned_count: Count,
      total_count: Count,
      truncated: Type.Boolean(),
      sites: Type.Array(
        Type.Object({
          id: Uuid,
          root_domain: Type.String(),
          role: oneOf(ROLES),
          coverage_state: oneOf(COVERAGE_STATES),
          data_through: orNull(Instant),
          observed_request_count: orNull(Count),
          /** Every day of the window; a null count says nothing was observed, and `state` whether anybody looked. */
          days: Type.Array(
            Type.Object({
              date: Day,
              state: oneOf(['complete', 'partial', 'gap']),
              observed_request_count: orNull(ObservedCount),
            }),
          ),
          /** Open or regressed. */
          open_issue_count: Count,
          sources: Type.Array(
            Type.Object({
              id: Uuid,
              source_type: oneOf(SOURCE_TYPES),
              connection_status: oneOf(CONNECTION_STATUSES),
              data_through: orNull(Instant),
            }),
          ),
        }),
      ),
    }),
  },
)
export type SitesOverview = OutputOf<typeof getSitesOverview>
export type SitesOverviewInput = InputOf<typeof getSitesOverview>

const [listed] = issueOperations

export const listIssues = readOfSite('listIssues', 'Issues of a site by state, ended ones too, the worst first', {
  input: Type.Object({
    site,
    state: Type.Optional(Type.Array(oneOf(LIFE_STATES), { minItems: 1 })),
    limit: limit({ maximum: 50, default: 8, description: 'Most issues to return.' }),
    offset,
  }),
  output: Type.Object({
    /** Of every state, whichever are listed; `fix_detected` holds those that are confirmed too. */
    counts: Type.Array(Type.Object({ state: oneOf(LIFE_STATES), issues: Count })),
    limit: Count,
    offset: Count,
    returned_count: Count,
    total_count: Count,
    truncated: Type.Boolean(),
    issues: listed.output.properties.issues,
    impostor_refusals: listed.output.properties.impostor_refusals,
  }),
})
export type IssueList = OutputOf<typeof listIssues>
export type IssueListInput = InputOf<typeof listIssues>

export const siteReads = [getSitesOverview, listIssues] as const
