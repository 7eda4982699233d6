/** Reads the named events of visitors: by name, outbound links, and downloads (rules 6.15). */
import { DAY_MS } from '#clock.ts'
import { MAX_EVENT_ROWS } from '#contract/site-api/events.ts'
import type { AnalyticsEvents, AnalyticsEventsInput } from '#contract/site-api/index.ts'
import type { ControlTransaction } from '#control/store.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { Row } from '#evidence/sql.ts'
import { FILE_KEY, HOST_KEY } from './collection/read-target.ts'
import type { TrackerContext } from './context.ts'
import { envelope } from './coverage/envelope.ts'
import { type OpenedReading, openTrackerReading } from './coverage/open-reading.ts'
import { publishCount, publishVisits } from './coverage/publish-count.ts'
import { withEvidence } from './coverage/with-evidence.ts'
import type { Including } from './development/include.ts'
import { declaredKey, eventCounts } from './events.sql.ts'
import { readTrackerSettings } from './privacy-settings.ts'
import { isEmptyScope } from './scope.ts'

type EventRow = Row<ReturnType<typeof eventCounts>>
type NamedEvent = AnalyticsEvents['events']['rows'][number]
type EventProperty = NamedEvent['properties'][number]
type ListState = Omit<AnalyticsEvents['events'], 'rows'>

/** A property that was declared in the window, with its newest kind. */
interface Declared {
  event_name: string
  key: string
  scalar_kind: EventProperty['scalar_kind']
  /** The values of an enum in all revisions of the window, or `true` and `false`. */
  values: ReadonlySet<string>
}

interface EventFacts {
  privacy_floor: number
  declared: Declared[]
}

export async function readEvents(
  ctx: TrackerContext,
  { window, include }: Pick<AnalyticsEventsInput, 'window'> & Including,
): Promise<AnalyticsEvents> {
  const reading = await openTrackerReading(ctx, {
    window,
    include,
    reader: 'events',
    also: async (tx, range): Promise<EventFacts> => ({
      privacy_floor: (await readTrackerSettings(tx, ctx.site.id)).privacy_floor,
      declared: await findDeclared(tx, ctx.site.id, range),
    }),
  })
  return withEvidence(
    ctx,
    reading,
    async (evidence, limits) => {
      const { scope, also } = reading
      const is_empty = !reading.has_evidence || isEmptyScope(scope)
      const rows = is_empty ? [] : await evidence.all(eventCounts({ scope, ...inputOf(also) }), limits)
      return present(reading, window, rows)
    },
    (unread) => present(unread, window, []),
  )
}

function inputOf({ privacy_floor, declared }: EventFacts) {
  const keysOf = (is_integer: boolean) =>
    declared
      .filter(({ scalar_kind }) => (scalar_kind === 'integer') === is_integer)
      .map(({ event_name, key }) => declaredKey(event_name, key))
  return { counted: keysOf(false), summed: keysOf(true), privacy_floor, limit: MAX_EVENT_ROWS }
}

/** The properties that were declared at any instant of a range. */
async function findDeclared(tx: ControlTransaction, site_id: string, range: DayRange): Promise<Declared[]> {
  const revisions = await tx
    .selectFrom('properties')
    .select(['event_name', 'property_key', 'scalar_kind', 'enum_values'])
    .where('site_id', '=', site_id)
    .where('created_at', '<', dayStart(range.to) + DAY_MS)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', dayStart(range.from))]))
    .orderBy('revision')
    .execute()
  const by_key = Map.groupBy(revisions, (row) => declaredKey(row.event_name, row.property_key))
  return [...by_key.values()].flatMap((of_key) => {
    const newest = of_key.at(-1)
    if (newest === undefined) return []
    const values = of_key.flatMap((row) => (row.enum_values === null ? [] : (JSON.parse(row.enum_values) as string[])))
    const { event_name, property_key: key, scalar_kind } = newest
    return [{ event_name, key, scalar_kind, values: new Set(scalar_kind === 'boolean' ? ['true', 'false'] : values) }]
  })
}

function present(
  reading: OpenedReading<EventFacts>,
  window: AnalyticsEventsInput['window'],
  rows: readonly EventRow[],
): AnalyticsEvents {
  const { privacy_floor, declared } = reading.also
  const ofKey = (key: string) => rows.filter(({ of_key }) => of_key === key)
  const published = (row: EventRow) => ({ events: row.events, visitor_days: publishVisits(reading, row.visitor_days) })
  const named = ofKey('')
  const by_name = Map.groupBy(declared, ({ event_name }) => event_name)
  const by_property = Map.groupBy(rows, ({ of_name, of_key }) => declaredKey(of_name, of_key))
  return {
    meta: envelope(reading, {
      contract_version: 'analytics-events/v1',
      evaluator_version: 'events/v1',
      preset: window,
    }),
    quality: qualityOf(reading),
    privacy_floor,
    event_count: publishCount(reading, named[0] === undefined ? 0 : named[0].list_events),
    events: {
      ...stateOf(reading, named),
      rows: shown(named).map((row) => ({
        name: row.of_name,
        ...published(row),
        server_events: row.server_events,
        properties: (by_name.get(row.of_name) ?? [])
          .flatMap((property) => describeProperty(property, by_property, privacy_floor))
          .sort((a, b) => (a.key < b.key ? -1 : 1)),
      })),
    },
    outbound_hosts: {
      ...stateOf(reading, ofKey(HOST_KEY)),
      rows: shown(ofKey(HOST_KEY)).map((row) => ({ host: row.of_value, ...published(row) })),
    },
    downloads: {
      ...stateOf(reading, ofKey(FILE_KEY)),
      rows: shown(ofKey(FILE_KEY)).map((row) => ({ file_name: row.of_value, ...published(row) })),
    },
  }
}

const shown = (rows: readonly EventRow[]) => rows.filter(({ is_withheld }) => is_withheld === 0)

function stateOf(reading: OpenedReading, list: readonly EventRow[]): ListState {
  const [first] = list
  const withheld_count = first === undefined ? 0 : first.list_withheld
  const total_count = first === undefined ? 0 : first.list_rows - withheld_count
  const returned_count = shown(list).length
  return {
    returned_count,
    total_count: publishCount(reading, total_count),
    withheld_count: publishCount(reading, withheld_count),
    truncated: total_count > returned_count,
  }
}

function qualityOf({ has_evidence, is_whole, missing }: OpenedReading): AnalyticsEvents['quality'] {
  if (!has_evidence) return 'unknown'
  return is_whole && missing.length === 0 ? 'exact' : 'observed_lower_bound'
}

/**
 * Empty if the property was not observed. It is withheld as a whole, because one value could be derived from others.
 */
function describeProperty(
  { event_name, key, scalar_kind, values }: Declared,
  by_property: ReadonlyMap<string, readonly EventRow[]>,
  privacy_floor: number,
): EventProperty[] {
  const is_integer = scalar_kind === 'integer'
  const rows = (by_property.get(declaredKey(event_name, key)) ?? []).filter(
    ({ of_value }) => is_integer || values.has(of_value),
  )
  if (rows.length === 0) return []
  const withheld = privacy_floor > 0 && rows.some(({ is_withheld }) => is_withheld === 1)
  if (withheld) return [{ key, scalar_kind, events: null, values: null, sum: null, withheld }]
  const sum = is_integer ? Number(rows[0]?.total) : null
  return [
    {
      key,
      scalar_kind,
      withheld,
      events: rows.reduce((all, { events }) => all + events, 0),
      values: is_integer ? null : rows.map(({ of_value: value, events }) => ({ value, events })),
      sum: Number.isSafeInteger(sum) ? sum : null,
    },
  ]
}
