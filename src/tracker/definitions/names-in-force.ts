import type { ControlDb } from '#control/store.ts'
import { type TimeRange, union } from '#days/intervals.ts'
import { type Matcher, parseMatcher, parseSteps } from './definitions.ts'

/** The time range in which a property, a conversion or a funnel in force named an event, epoch milliseconds. */
interface NamedRange extends TimeRange {
  name: string
}

/** The event names in a site's properties, conversions and funnels in force. limits.ts bounds their number. */
export async function findNamesInForce(db: ControlDb, site_id: string): Promise<Set<string>> {
  const ranges = await findNamed(db, site_id, { with_ended: false })
  return new Set(ranges.map(({ name }) => name))
}

/** When each event name was in force, also in the past: by name, disjoint ranges in ascending order. */
export async function findNamedRanges(db: ControlDb, site_id: string): Promise<Map<string, TimeRange[]>> {
  const ranges = await findNamed(db, site_id, { with_ended: true })
  const by_name = Map.groupBy(ranges, ({ name }) => name)
  return new Map([...by_name].map(([name, parts]) => [name, union(parts)]))
}

async function findNamed(
  db: ControlDb,
  site_id: string,
  { with_ended }: { with_ended: boolean },
): Promise<NamedRange[]> {
  let properties = db
    .selectFrom('properties')
    .select(['event_name', 'created_at', 'ended_at as to'])
    .where('site_id', '=', site_id)
  let conversions = db
    .selectFrom('conversion_revisions')
    .select(['matcher', 'created_at', 'effective_to as to'])
    .where('site_id', '=', site_id)
  let funnels = db
    .selectFrom('funnel_revisions')
    .select(['steps', 'created_at', 'effective_to as to'])
    .where('site_id', '=', site_id)
  if (!with_ended) {
    properties = properties.where('ended_at', 'is', null)
    conversions = conversions.where('effective_to', 'is', null)
    funnels = funnels.where('effective_to', 'is', null)
  }
  const range = (name: string, { created_at, to }: { created_at: number; to: number | null }): NamedRange => ({
    name,
    from: created_at,
    to: to ?? Number.POSITIVE_INFINITY,
  })
  return [
    ...(await properties.execute()).map((row) => range(row.event_name, row)),
    ...(await conversions.execute()).flatMap((row) =>
      eventNames([parseMatcher(row.matcher)]).map((name) => range(name, row)),
    ),
    ...(await funnels.execute()).flatMap((row) =>
      eventNames(parseSteps(row.steps).flatMap((step) => (step.kind === 'conversion' ? [step.matcher] : []))).map(
        (name) => range(name, row),
      ),
    ),
  ]
}

const eventNames = (matchers: readonly Matcher[]): string[] =>
  matchers.flatMap((matcher) => (matcher.kind === 'event' ? [matcher.event_name] : []))
