import Type from 'typebox'
import { Count, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { limit, none } from '../parameters.ts'
import { CONFIDENCES, ISSUE_CAUSES, ISSUE_STATES, ROLLUP_KINDS } from '../vocabulary.ts'

export const EvidenceRef = Type.Union(
  [
    Type.Object({
      kind: oneOf(ROLLUP_KINDS),
      host: Type.String(),
      path_key: Type.String(),
      status: Type.Integer(),
      count: Type.Integer({ minimum: 1 }),
      window: Type.String(),
    }),
    Type.Object({ kind: Type.Literal('inspection'), id: Uuid }),
  ],
  { title: 'EvidenceRef' },
)

/** Observed harm only (spec 1.6, 2.5). */
export const Issue = Type.Object(
  {
    id: Uuid,
    title: Type.String({ description: 'States the observation, never a conclusion.' }),
    state: oneOf(ISSUE_STATES),
    cause: oneOf(ISSUE_CAUSES),
    confidence: oneOf(CONFIDENCES),
    description: Type.Optional(Type.String()),
    path: orNull(Type.String()),
    crawler_id: orNull(Type.String()),
    detected_at: Instant,
    fix_confirmed_at: orNull(Instant),
    evidence_refs: Type.Array(EvidenceRef, { minItems: 1 }),
    fix_prompt: orNull(Type.String()),
  },
  { title: 'Issue' },
)
export type Issue = Type.Static<typeof Issue>

export const getIssues = defineSiteOperation({
  id: 'getIssues',
  method: 'GET',
  path: '/v1/sites/{site}/issues',
  tag: 'Issues',
  summary: 'Observed harm to crawlers',
  params: none,
  query: Type.Object({ limit: limit({ maximum: 50, default: 8, description: 'Most issues to return.' }) }),
  output: Type.Object(
    {
      limit: Type.Integer({ minimum: 1, maximum: 50 }),
      returned_count: Count,
      total_count: Count,
      truncated: Type.Boolean(),
      issues: Type.Array(Issue),
    },
    { title: 'Issues' },
  ),
  refusals: [400, 401, 404, 405, 500],
  mcp: { tool: 'get_issues' },
})
export type Issues = OutputOf<typeof getIssues>
export type IssuesInput = InputOf<typeof getIssues>
