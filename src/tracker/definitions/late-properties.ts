import type { PropertyRule } from '#contract/site-api/funnel-definition.ts'
import type { ControlDb } from '#control/store.ts'
import type { PropertyRow } from '#control/tables.ts'
import { overlap, type TimeRange, union } from '#days/intervals.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { Matcher } from './definitions.ts'
import { misfit } from './property-rules.ts'

/** The limitation of definitions whose counts are lower bounds because a property was declared too late. */
export const PROPERTY_DECLARED_LATER = 'property_declared_later'

/** A conversion or funnel, with all matchers that it uses. */
interface DefinitionMatchers {
  id: string
  effective_from: number
  effective_to: number | null
  matchers: readonly Matcher[]
}

/**
 * Ids of the definitions with a property rule that events could not meet during their whole effective period in the
 * window, because its property was not declared, or not with the values of the rule. Properties that were sent then
 * were not stored, so the counts are lower bounds.
 */
export async function findLateProperties(
  db: ControlDb,
  site_id: string,
  definitions: readonly DefinitionMatchers[],
  { from }: DayRange,
): Promise<Set<string>> {
  const rulesOf = ({ matchers }: DefinitionMatchers) => matchers.flatMap((matcher) => matcher.property_rules)
  const ruled = definitions.filter((definition) => rulesOf(definition).length > 0)
  if (ruled.length === 0) return new Set()
  const declared = await db
    .selectFrom('properties')
    .select(['event_name', 'property_key', 'scalar_kind', 'enum_values', 'created_at', 'ended_at'])
    .where('site_id', '=', site_id)
    .execute()
  const isLate = (definition: DefinitionMatchers) => {
    const counts = {
      from: Math.max(definition.effective_from, dayStart(from)),
      to: definition.effective_to ?? Number.POSITIVE_INFINITY,
    }
    return (
      counts.from < counts.to &&
      rulesOf(definition).some((rule) => overlap(declaredRanges(rule, declared), counts) !== 'inside')
    )
  }
  return new Set(ruled.filter(isLate).map(({ id }) => id))
}

type Declared = Omit<PropertyRow, 'id' | 'site_id' | 'revision'>

/** The time ranges in which properties that meet the rule were stored, because a declaration allowed them. */
const declaredRanges = (rule: PropertyRule, declared: readonly Declared[]): TimeRange[] =>
  union(
    declared
      .filter((row) => row.event_name === rule.event_name && row.property_key === rule.property_key && fits(rule, row))
      .map((row) => ({ from: row.created_at, to: row.ended_at ?? Number.POSITIVE_INFINITY })),
  )

const fits = (rule: PropertyRule, { scalar_kind, enum_values }: Declared): boolean =>
  misfit(rule, { scalar_kind, enum_values: enum_values === null ? null : JSON.parse(enum_values) }) === null
