/** The name under which a refused event counts as missing evidence (rules 6.6). */
import type { RefusedEvidenceRow } from '#control/tables.ts'
import type { EventFaultCode } from './collect-refusal.ts'
import { readName } from './read-details.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'

/** Replaces names that no property or conversion in force has, because strangers could send any number of them. */
export const OTHER_NAME = ':other'
/** The name of sales and refunds without a name; it is never replaced. */
export const REVENUE_NAME = 'revenue'

/** The kind and name of a refused event. */
export type RefusedSubject = Pick<RefusedEvidenceRow, 'kind' | 'name'>

export const WITH_REVOKED_KEY: RefusedSubject = { kind: 'key', name: '' }

/** Refusals caused by the owner's declarations: only such events are missing from the numbers. */
const MISSING: ReadonlySet<EventFaultCode> = new Set<EventFaultCode>([
  ...(['undeclared_property', 'wrong_scalar', 'unknown_enum_value', 'too_many_properties'] as const),
])

/** The missing event of a refusal, or null. These codes are checked last, so kind and name are valid. */
export function missingOf(
  code: EventFaultCode,
  { type, name }: Readonly<Record<string, unknown>>,
  { names }: TrackerSite,
): RefusedSubject | null {
  if (!MISSING.has(code)) return null
  const kind = type as 'pageview' | 'event' | 'revenue'
  const read = readName(kind, name)
  return { kind, name: kind === 'pageview' || names.has(read) || read === REVENUE_NAME ? read : OTHER_NAME }
}
