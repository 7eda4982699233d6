/** Under which name a refused event is kept as missing evidence (rules 6.6). */
import type { RefusedEvidenceRow } from '#control/tables.ts'
import type { EventFaultCode } from './collect-refusal.ts'
import { readName } from './read-details.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'

/** Stands for names of neither a property nor a conversion in force: strangers could send any number of them. */
export const OTHER_NAME = ':other'
/** The name of sales and refunds that carry none of their own; it is kept whatever definitions are in force. */
export const REVENUE_NAME = 'revenue'

/** What a refused event would have been. */
export type RefusedSubject = Pick<RefusedEvidenceRow, 'kind' | 'name'>

export const WITH_REVOKED_KEY: RefusedSubject = { kind: 'key', name: '' }

/** Refusals caused by the owner's declarations: the event was real. All others were never wanted. */
const MISSING: ReadonlySet<EventFaultCode> = new Set<EventFaultCode>([
  ...(['undeclared_property', 'wrong_scalar', 'unknown_enum_value', 'too_many_properties'] as const),
])

/** What is missing because of a refusal, or null. The codes above come last: kind and name are valid then. */
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
