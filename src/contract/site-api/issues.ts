import Type from 'typebox'
import { Count, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { limit, none } from '../parameters.ts'
import { CONFIDENCES, HARMS, ISSUE_CAUSES, ISSUE_STATES, ROLLUP_KINDS, VERIFICATION_STATES } from '../vocabulary.ts'

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
export type EvidenceRef = Type.Static<typeof EvidenceRef>

/** spec 2.5; `host` and `harm` are additive. */
const issueFields = {
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
  host: Type.Optional(Type.String()),
  harm: Type.Optional(oneOf(HARMS)),
}

/** Observed harm only (spec 1.6, 2.5). */
export const Issue = Type.Object(issueFields, { title: 'Issue' })
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

/** An issue with what became of the request to inspect it now. */
export const VerifiedIssue = Type.Object(
  {
    ...issueFields,
    verification: Type.Object({
      state: oneOf(
        VERIFICATION_STATES,
        'done: an inspection ended. queued: it waits or runs. deferred: none was begun, because one was begun within the last minute, ' +
          'the budget of the hour is used up, or the path cannot be fetched.',
      ),
      inspection_id: orNull(Uuid),
      next_at: orNull(Instant),
    }),
  },
  { title: 'VerifiedIssue' },
)

export const verifyIssue = defineSiteOperation({
  id: 'verifyIssue',
  method: 'POST',
  path: '/v1/sites/{site}/issues/{issue}/verify',
  tag: 'Issues',
  summary: 'Inspect what an issue is about now, and say what the issue is then',
  description: 'For the keys of owners. It waits for the inspection for at most 30 seconds.',
  permission: 'verify_fixes',
  effect: 'write',
  params: Type.Object({
    issue: Type.String({
      minLength: 36,
      maxLength: 36,
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      description: 'id of the issue',
    }),
  }),
  query: none,
  body: Type.Object(
    {},
    { title: 'VerifyIssueRequest', additionalProperties: false, description: 'Empty, or left out.' },
  ),
  may_lack_body: true,
  output: VerifiedIssue,
  refusals: [400, 401, 404, 405, 500],
})
export type IssueVerification = OutputOf<typeof verifyIssue>
export type VerifyIssueInput = InputOf<typeof verifyIssue>
