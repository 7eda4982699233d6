/** Issues: what is recorded, what is inspected now, and which harm the owner wants. */
import Type from 'typebox'
import { Count, Day, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { Issue, VerifiedIssue } from '../site-api/issues.ts'
import { HARMS, LIFE_CHANGES, LIFE_STATES } from '../vocabulary.ts'
import { onSite } from './define.ts'

const issue = Type.String({ description: 'id of the issue' })

const ListedIssue = Type.Object({ ...Issue.properties, state: oneOf(LIFE_STATES) })

const Inspection = Type.Object({
  id: Uuid,
  reason: Type.String(),
  state: Type.String(),
  /** Why it was not made, or not yet. */
  obstacle: orNull(Type.String()),
  due_at: Instant,
  ended_at: orNull(Instant),
  is_clean: orNull(Type.Boolean()),
  reproduced: orNull(Type.String()),
})

const IntendedMark = Type.Object({
  id: Uuid,
  host: Type.String(),
  path_key: Type.String(),
  /** Null: every crawler. */
  crawler_id: orNull(Type.String()),
  harm: oneOf(HARMS),
  created_at: Instant,
  revoked_at: orNull(Instant),
})

export const issueOperations = [
  onSite('issue.list', 'Issues of a site, the worst first, and refusals that only impostors met', {
    input: { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })) },
    output: Type.Object({
      total_count: Count,
      issues: Type.Array(ListedIssue),
      impostor_refusals: Type.Array(
        Type.Object({
          host: Type.String(),
          path: Type.String(),
          crawler_id: Type.String(),
          requests: Count,
          first_day: Day,
          last_day: Day,
        }),
      ),
    }),
  }),
  onSite('issue.show', 'One issue, also one that has ended, with its changes and inspections', {
    input: { issue },
    output: Type.Object({
      issue: ListedIssue,
      ended_at: orNull(Instant),
      previous_id: orNull(Uuid),
      paths: Type.Array(Type.String()),
      path_count: Count,
      changes: Type.Array(Type.Object({ at: Instant, change: oneOf(LIFE_CHANGES), inspection_id: orNull(Uuid) })),
      inspections: Type.Array(Inspection),
    }),
  }),
  onSite('issue.verify', 'Inspect what an issue is about now, and say what the issue is then', {
    permission: 'verify_fixes',
    effect: 'write',
    input: { issue },
    output: Type.Object({
      ...VerifiedIssue.properties,
      inspection: orNull(Inspection, 'What it found; null: none was made.'),
    }),
  }),
  onSite('issue.intended', 'Say that harm is wanted: nothing opens there, and what is open leaves the list', {
    permission: 'mark_intended',
    effect: 'write',
    input: {
      host: Type.String(),
      /** A path, or a prefix that ends with `*`. */
      path: Type.String(),
      harm: oneOf(HARMS),
      crawler: Type.Optional(Type.String()),
    },
    output: IntendedMark,
  }),
  onSite('issue.intended_list', 'Harm that the owner wants, revoked marks too', {
    output: Type.Object({ marks: Type.Array(IntendedMark) }),
  }),
  onSite('issue.intended_revoke', 'Revoke such a mark: evidence after that opens a new issue', {
    permission: 'mark_intended',
    effect: 'write',
    input: { mark: Type.String() },
    output: IntendedMark,
  }),
] as const
