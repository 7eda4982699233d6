import { dayStart } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import type { DayRange } from '#crawlers/coverage/window.ts'
import type { Matcher } from './definitions.ts'

interface Ruled {
  id: string
  effective_from: number
  matchers: readonly Matcher[]
}

/**
 * Ids of those with a rule that looks at a property which was declared only after they count from, and after the window begins. What was
 * sent before was not stored, because only declared properties are: they were met at least as often as it shows.
 */
export async function findLateProperties(
  db: ControlDb,
  site_id: string,
  definitions: readonly Ruled[],
  { from }: DayRange,
): Promise<Set<string>> {
  const rulesOf = ({ matchers }: Ruled) => matchers.flatMap((matcher) => matcher.property_rules)
  const ruled = definitions.filter((definition) => rulesOf(definition).length > 0)
  if (ruled.length === 0) return new Set()
  const declared = await db
    .selectFrom('properties')
    .select(['event_name', 'property_key', 'created_at'])
    .where('site_id', '=', site_id)
    .orderBy('created_at', 'desc')
    .execute()
  // The oldest comes last and stays: later revisions of a property changed its values, not whether it was stored.
  const since = new Map(declared.map((row) => [`${row.event_name}\n${row.property_key}`, row.created_at]))
  const isLate = (definition: Ruled) =>
    rulesOf(definition).some(({ event_name, property_key }) => {
      const declared_at = since.get(`${event_name}\n${property_key}`)
      return declared_at !== undefined && declared_at > Math.max(definition.effective_from, dayStart(from))
    })
  return new Set(ruled.filter(isLate).map(({ id }) => id))
}
