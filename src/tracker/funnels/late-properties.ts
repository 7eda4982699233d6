import { dayStart } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import type { DayRange } from '#crawlers/coverage/window.ts'
import type { FunnelRevision } from '../definitions/definitions.ts'

/**
 * Ids of revisions with a conversion step whose rule looks at a property that was declared only after sessions count for it. What was
 * sent before was not stored, because only declared properties are: such steps were met at least as often as they show.
 */
export async function lateProperties(
  db: ControlDb,
  site_id: string,
  revisions: readonly FunnelRevision[],
  { from }: DayRange,
): Promise<Set<string>> {
  const rulesOf = ({ steps }: FunnelRevision) =>
    steps.flatMap((step) => (step.kind === 'conversion' ? step.matcher.property_rules : []))
  const ruled = revisions.filter((revision) => rulesOf(revision).length > 0)
  if (ruled.length === 0) return new Set()
  const declared = await db
    .selectFrom('properties')
    .select(['event_name', 'property_key', (eb) => eb.fn.min('created_at').as('since')])
    .where('site_id', '=', site_id)
    .groupBy(['event_name', 'property_key'])
    .execute()
  const since = new Map(declared.map((row) => [`${row.event_name}\n${row.property_key}`, Number(row.since)]))
  const isLate = (revision: FunnelRevision) =>
    rulesOf(revision).some(({ event_name, property_key }) => {
      const declared_at = since.get(`${event_name}\n${property_key}`)
      return declared_at !== undefined && declared_at > Math.max(revision.effective_from, dayStart(from))
    })
  return new Set(ruled.filter(isLate).map(({ id }) => id))
}
