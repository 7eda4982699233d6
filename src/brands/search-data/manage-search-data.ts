/** Search data of a brand as operations of people. */
import { type Clock, instantOrNull } from '#clock.ts'
import type { ManagementOperationOf, ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { SearchConnectionRow } from '#control/tables/search-data.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { Implementations } from '../../implementation.ts'
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
      throw new Refusal('reader_unavailable', 'Nothing may go outside under a simulated clock: serve without --clock.')
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
    const stored = await db
      .selectFrom('search_days')
      .select(['source', 'property', 'search_type', 'dimensions as grouping'])
      .select(({ fn }) => [fn.min('day').as('from'), fn.max('last_day').as('to'), fn.countAll().as('days')])
      .where('brand_id', '=', brand.id)
      .groupBy(['source', 'property', 'search_type', 'dimensions'])
      .orderBy('source')
      .orderBy('property')
      .orderBy('search_type')
      .orderBy('dimensions')
      .execute()
    return {
      connections: connections.map(describe),
      stored: stored.map((row) => ({ ...row, days: Number(row.days) })),
    }
  },
}

function describe(row: SearchConnectionRow): ManagementOutput<'search_data.connect'> {
  const { id, source, property, state, created_at, last_poll_at, error_code, read_from } = row
  return {
    ...{ id, source, property, state, error_code, read_from },
    ...{ created_at: new Date(created_at).toISOString(), last_poll_at: instantOrNull(last_poll_at) },
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
