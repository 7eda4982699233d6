import Type from 'typebox'
import { closed, described, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'
import { FIX_KINDS, FIX_STATUS_FILTERS, FIX_STATUSES, FIX_VERIFICATIONS } from '../vocabulary.ts'
import { brandPath, defineAccountOperation, listFields, listMeta, REFUSALS } from './define.ts'
import { INCOMPARABLE_REASONS, Ratio } from './metrics.ts'
import { ROUTE_PARAMETERS } from './parameters.ts'

const EvidenceRef = Type.Union([
  Type.Object({ kind: oneOf(['issue', 'answer', 'question']), id: Uuid }),
  Type.Object({ kind: oneOf(['url']), url: Type.String() }),
])
export type FixEvidenceRef = Type.Static<typeof EvidenceRef>

export const Fix = Type.Object(
  {
    id: Uuid,
    brand_id: Uuid,
    kind: oneOf(FIX_KINDS),
    title: Type.String(),
    description: Type.String(),
    evidence_refs: Type.Array(EvidenceRef, { minItems: 1 }),
    fix_prompt: Type.String({ description: 'For whoever repairs it, a person or an agent.' }),
    status: oneOf(FIX_STATUSES),
    version: Type.Integer({ minimum: 1, description: 'Rises with every change.' }),
    created_at: Instant,
    updated_at: Instant,
    accepted_at: orNull(Instant),
    completed_at: orNull(Instant),
    dismissed_at: orNull(Instant),
    dismissed_reason: orNull(Type.String()),
    verification: Type.Object({
      state: oneOf(FIX_VERIFICATIONS),
      checked_at: orNull(Instant),
      before: orNull(Ratio),
      after: orNull(Ratio),
      reason: orNull(oneOf([...INCOMPARABLE_REASONS, 'issue_ended']), 'Why it is not_comparable.'),
    }),
    replaces: orNull(Uuid, 'The completed fix of the same subject before this one; null: none.'),
  },
  { title: 'Fix' },
)
export type Fix = Type.Static<typeof Fix>

export const listFixes = defineAccountOperation({
  id: 'listFixes',
  method: 'GET',
  path: '/api/v1/brands/{brandId}/fixes',
  tag: 'Fixes',
  summary: 'What would make engines name and cite a brand more often, newest first',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  params: closed(brandPath),
  query: Type.Object(ROUTE_PARAMETERS.fixes),
  output: Type.Object(
    {
      meta: listMeta({ kind: orNull(oneOf(FIX_KINDS)), status: oneOf(FIX_STATUS_FILTERS) }),
      fixes: Type.Array(Fix),
      ...listFields,
    },
    { title: 'FixList' },
  ),
  refusals: REFUSALS,
  mcp: { tool: 'list_fixes' },
})

const fixPath = closed({ ...brandPath, id: described(Uuid, 'Id of the fix.') })

export const getFix = defineAccountOperation({
  id: 'getFix',
  method: 'GET',
  path: '/api/v1/brands/{brandId}/fixes/{id}',
  tag: 'Fixes',
  summary: 'One fix with its evidence and what became of it',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  params: fixPath,
  query: none,
  output: Fix,
  refusals: REFUSALS,
})

const MAX_REASON_CHARACTERS = 500
const change = closed({
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Refused unless the fix still has it.' }),
  ),
  reason: Type.Optional(orNull(Type.String({ maxLength: MAX_REASON_CHARACTERS }), 'Kept where a fix is dismissed.')),
})

const onFix = <const Id extends string, const Tool extends string>(
  id: Id,
  action: string,
  tool: Tool,
  summary: string,
) =>
  defineAccountOperation({
    id,
    method: 'POST',
    path: `/api/v1/brands/{brandId}/fixes/{id}/${action}`,
    tag: 'Fixes',
    summary,
    subject: 'brand',
    permission: 'act_on_fixes',
    effect: 'write',
    params: fixPath,
    query: none,
    body: change,
    may_lack_body: true,
    output: Fix,
    refusals: [...REFUSALS, 409],
    mcp: { tool },
  })

export const acceptFix = onFix('acceptFix', 'accept', 'accept_fix', 'Take on an open fix. Repeating it changes nothing')
export const dismissFix = onFix(
  'dismissFix',
  'dismiss',
  'dismiss_fix',
  'Drop an open or accepted fix; it is not made again. Repeating it changes nothing',
)
export const completeFix = onFix(
  'completeFix',
  'complete',
  'complete_fix',
  'Say that an accepted fix is done; later evidence then judges it. Repeating it changes nothing',
)

export type FixListInput = InputOf<typeof listFixes>
export type FixList = OutputOf<typeof listFixes>
export type FixChangeInput = InputOf<typeof acceptFix>
