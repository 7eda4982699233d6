/** Search data of a brand as operations of people. */
import { type Clock, instantOrNull } from '#clock.ts'
import type { ManagementOperationOf, ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { SearchConnectionRow, SearchDayRow } from '#control/tables/search-data.ts'
import { eachDay } from '#days/windows.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import { readDay } from '../day-range.ts'
import { connectSearchEngine } from './connect.ts'
import { disconnect } from './connections.ts'
import { importSearchData } from './import-search-data.ts'
import type { SearchApis } from './read-source.ts'

interface Services {
  control: ControlStore
  clock: Clock
  secrets: SecretBox
  search_apis: SearchApis | null
  pollSearchSoon(): void
  /** Opens the evidence store when it is first needed. */
  crawlers(): Promise<{ evidence: EvidenceStore }>
}

type Id = 'search_data.import' | 'search_data.connect' | 'search_data.disconnect' | 'search_data.list'

export const manageSearchData: Implementations<ManagementOperationOf<Id>, Services> = {
  async 'search_data.import'({ control, clock, brand, crawlers }, { document, from, to, ...given }) {
    const { evidence } = await crawlers()
    const { property = null, ai_source = null, dimensions = null, method = null, page = null } = given
    const hints = { property, ai_source, dimensions, method, page, period: readPeriod(from, to) }
    return importSearchData({ control, clock, evidence }, brand, { bytes: Buffer.from(document), hints })
  },

  async 'search_data.connect'(
    { control, clock, secrets, search_apis, pollSearchSoon, brand },
    { source, property, key },
  ) {
    if (search_apis === null) {
      throw new Refusal(
        'reader_unavailable',
        'Under a simulated clock Spoor sends no requests to other servers: start the service without --clock.',
      )
    }
    const asked = { brand, source, property, key }
    const connection = await connectSearchEngine({ control, clock, secrets, search_apis }, asked)
    pollSearchSoon()
    return describe(connection)
  },

  async 'search_data.disconnect'({ control, brand }, { source, property = null }) {
    return describe(await disconnect({ control }, { brand, source, property }))
  },

  async 'search_data.list'({ control: { db }, brand }) {
    const connections = await db
      .selectFrom('search_connections')
      .selectAll()
      .where('brand_id', '=', brand.id)
      .orderBy('source')
      .orderBy('property')
      .execute()
    const spans = await db
      .selectFrom('search_days')
      .select(['source', 'property', 'search_type', 'dimensions as grouping', 'day', 'last_day'])
      .where('brand_id', '=', brand.id)
      .orderBy('source')
      .orderBy('property')
      .orderBy('search_type')
      .orderBy('dimensions')
      .orderBy('day')
      .execute()
    const sets = Map.groupBy(spans, ({ source, property, search_type, grouping }) =>
      JSON.stringify([source, property, search_type, grouping]),
    )
    return { connections: connections.map(describe), stored: [...sets.values()].map(storedDaysOf) }
  },
}

type Span = Pick<SearchDayRow, 'source' | 'property' | 'search_type' | 'day' | 'last_day'> & { grouping: string }

/** @param spans at least one, by their first days; totals of several days may overlap. */
function storedDaysOf(spans: readonly Span[]): ManagementOutput<'search_data.list'>['stored'][number] {
  const [{ source, property, search_type, grouping, day: from }] = spans as [Span]
  const days = new Set(spans.flatMap((span) => eachDay({ from: span.day, to: span.last_day })))
  const to = spans.reduce((last, { last_day }) => (last_day > last ? last_day : last), from)
  return { source, property, search_type, grouping, from, to, days: days.size }
}

function describe(row: SearchConnectionRow): ManagementOutput<'search_data.connect'> {
  const { id, source, property, state, created_at, last_poll_at, error_code, read_from } = row
  return {
    id,
    source,
    property,
    state,
    error_code,
    read_from,
    created_at: new Date(created_at).toISOString(),
    last_poll_at: instantOrNull(last_poll_at),
  }
}

/** Both days, or one that is both. @throws Refusal invalid_input. */
function readPeriod(from: string | undefined, to: string | undefined): { from: string; to: string } | null {
  const period = { from: from ?? to, to: to ?? from }
  if (period.from === undefined || period.to === undefined) return null
  const wrong = [period.from, period.to].find((day) => readDay(day) === null)
  if (wrong !== undefined) {
    throw new Refusal('invalid_input', `"${wrong.slice(0, 40)}" is not a day: write it like 2026-11-18`)
  }
  if (period.from > period.to) {
    throw new Refusal('invalid_input', `the first day ${period.from} comes after the last day ${period.to}: swap them`)
  }
  return { from: period.from, to: period.to }
}
