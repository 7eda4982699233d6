/** Connections to search engines: their rows and their states (account API 3, connections). */
import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { SearchSource } from '#contract/vocabulary.ts'
import type { ControlStore } from '#control/store.ts'
import type { SearchConnectionRow } from '#control/tables/search-data.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { SearchFault } from './search-failure.ts'
import type { OfBrand, SearchDataContext } from './store-search-rows.ts'

/** After this many failed polls in a row a connection shows an error. */
const POLLS_UNTIL_ERROR = 3
const POLL_EVERY_MS = DAY_MS
/** While days of the past are still to be read. */
const BACKFILL_EVERY_MS = HOUR_MS / 6
const FIRST_DELAY_MS = HOUR_MS / 2
const MAX_DELAY_MS = 6 * HOUR_MS
/** Bing's throttling lasts over an hour. */
const LIMIT_DELAY_MS = 2 * HOUR_MS

const contextOf = (id: string) => `search_connection:${id}`

/** Stores a tested key. The same property keeps its connection and its data. */
export async function saveConnection(
  { control, clock, secrets }: Pick<SearchDataContext, 'control' | 'clock'> & { secrets: SecretBox },
  { brand, source, property, key }: { brand: OfBrand; source: SearchSource; property: string; key: string },
): Promise<SearchConnectionRow> {
  return control.transaction(async (trx) => {
    const known = await trx
      .selectFrom('search_connections')
      .selectAll()
      .where('brand_id', '=', brand.id)
      .where('source', '=', source)
      .where('property', '=', property)
      .executeTakeFirst()
    const id = known?.id ?? randomUUID()
    const row: SearchConnectionRow = {
      id,
      brand_id: brand.id,
      source,
      property,
      state: 'pending',
      sealed_key: secrets.seal(key, contextOf(id)),
      created_at: known?.created_at ?? clock.now(),
      last_poll_at: known?.last_poll_at ?? null,
      next_poll_at: clock.now(),
      failed_polls: 0,
      error_code: null,
      read_from: known?.read_from ?? null,
    }
    const { id: _id, ...changing } = row
    await trx
      .insertInto('search_connections')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
      .execute()
    return row
  })
}

/** The key; null if it was sealed with another secret key, or is damaged. */
export function openKey(secrets: SecretBox, { id, sealed_key }: SearchConnectionRow): string | null {
  try {
    return sealed_key === null ? null : secrets.open(sealed_key, contextOf(id))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Ends a connection and deletes its key. Data that was read is kept. @throws Refusal not_found. */
export async function disconnect(
  { control }: Pick<SearchDataContext, 'control'>,
  { brand, source, property }: { brand: OfBrand; source: SearchSource; property: string | null },
): Promise<SearchConnectionRow> {
  return control.transaction(async (trx) => {
    const named = (
      await trx
        .selectFrom('search_connections')
        .selectAll()
        .where('brand_id', '=', brand.id)
        .where('source', '=', source)
        .execute()
    ).filter((row) => property === null || row.property === property)
    // One that has ended is meant only where no other is left.
    const in_force = named.filter(({ state }) => state !== 'disconnected')
    const found = in_force.length > 0 ? in_force : named
    const [one, other] = found
    if (one === undefined) {
      const which = property === null ? '' : ` of ${quoted(property)}`
      throw new Refusal('not_found', `The brand has no connection to ${source}${which}: {next} shows all of them.`, {
        next: { step: 'search_data.list' },
      })
    }
    if (other !== undefined) {
      const names = found.map((row) => row.property).join(', ')
      throw new Refusal('conflict', `The brand has several connections to ${source}: name the property (${names}).`)
    }
    const ended = { state: 'disconnected' as const, sealed_key: null, error_code: null }
    await trx.updateTable('search_connections').set(ended).where('id', '=', one.id).execute()
    return { ...one, ...ended }
  })
}

/** A successful poll makes a connection live, even after an error. */
export function noteGoodSearchPoll(
  control: ControlStore,
  row: SearchConnectionRow,
  { polled_at, read_from, is_whole }: { polled_at: number; read_from: string | null; is_whole: boolean },
): Promise<void> {
  return change(control, row, {
    state: 'live',
    failed_polls: 0,
    error_code: null,
    last_poll_at: polled_at,
    read_from,
    next_poll_at: polled_at + (is_whole ? POLL_EVERY_MS : BACKFILL_EVERY_MS),
  })
}

export function noteFailedSearchPoll(
  control: ControlStore,
  row: SearchConnectionRow,
  { polled_at, fault }: { polled_at: number; fault: SearchFault },
): Promise<void> {
  if (fault === 'key_rejected') {
    return change(control, row, { state: 'revoked', sealed_key: null, error_code: fault, last_poll_at: polled_at })
  }
  const failed_polls = row.failed_polls + 1
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(10, failed_polls - 1))
  return change(control, row, {
    failed_polls,
    error_code: fault,
    last_poll_at: polled_at,
    next_poll_at: polled_at + (fault === 'rate_limited' ? LIMIT_DELAY_MS : delay),
    ...(failed_polls >= POLLS_UNTIL_ERROR ? { state: 'error' as const } : {}),
  })
}

/** Changes nothing if the connection was ended, or got another key, since the poll began. */
async function change(
  control: ControlStore,
  { id, sealed_key }: SearchConnectionRow,
  values: Partial<SearchConnectionRow>,
): Promise<void> {
  await control.transaction(async (trx) => {
    await trx
      .updateTable('search_connections')
      .set(values)
      .where('id', '=', id)
      .where('sealed_key', '=', sealed_key)
      .execute()
  })
}
