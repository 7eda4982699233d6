/** Spoor's own looks at a site: access checks and inspections. */
import Type from 'typebox'
import { Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { AccessCheckOutput } from '../site-api/access-check.ts'
import { onSite } from './define.ts'

const InspectionSummary = Type.Object({
  id: Uuid,
  kind: oneOf(['page', 'snippet']),
  reason: Type.String(),
  host: Type.String(),
  path: Type.String(),
  crawler_id: orNull(Type.String()),
  issue_id: orNull(Type.String()),
  state: oneOf(['queued', 'running', 'done', 'not_made']),
  /** Why it was not made, or not yet: `budget`, `not_possible`, `expired`, `failed`. */
  obstacle: orNull(Type.String()),
  queued_at: Instant,
  ended_at: orNull(Instant),
  is_clean: orNull(Type.Boolean()),
  reproduced: orNull(oneOf(['yes', 'no', 'unknown'])),
  /** Of the request as the crawler, or else as Spoor. */
  final_status: orNull(Type.Integer()),
})

export const inspectionOperations = [
  onSite('check', 'What a URL of the site answers right now', {
    input: { url: Type.String({ description: 'an http or https URL on the site' }) },
    output: AccessCheckOutput,
  }),
  onSite('inspection.list', 'Inspections of the site, the newest first', {
    input: { limit: Type.Integer({ minimum: 1, maximum: 500 }) },
    output: Type.Object({ inspections: Type.Array(InspectionSummary) }),
  }),
] as const
