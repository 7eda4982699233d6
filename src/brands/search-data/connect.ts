/** Connects a brand to a search engine: tests the key on the property, then seals it (account API 3, connections). */
import type { SearchSource } from '#contract/vocabulary.ts'
import type { SearchConnectionRow } from '#control/tables/search-data.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import { saveConnection } from './connections.ts'
import { checkPropertyOf } from './property-names.ts'
import { pacificDay, type SearchApis, tryKey } from './read-source.ts'
import { SearchFailure } from './search-failure.ts'
import type { OfBrand, SearchDataContext } from './store-search-rows.ts'

export interface ConnectSearchContext extends Pick<SearchDataContext, 'control' | 'clock'> {
  secrets: SecretBox
  search_apis: SearchApis
}

/** @throws Refusal invalid_input: the key or the property is not accepted; reader_unavailable: there is no response. */
export async function connectSearchEngine(
  ctx: ConnectSearchContext,
  asked: { brand: OfBrand; source: SearchSource; property: string; key: string },
): Promise<SearchConnectionRow> {
  const { source, property } = asked
  checkPropertyOf(asked)
  const key = asked.key.trim()
  const now = ctx.clock.now()
  await tryKey(ctx.search_apis, { source, property, key, now, day: pacificDay(now, -3) }).catch(refuse)
  return saveConnection(ctx, { ...asked, key })
}

/** A failure that the caller can fix is invalid input; other failures are the provider's. */
function refuse(error: unknown): never {
  if (!(error instanceof SearchFailure)) throw error
  if (error.fault === 'key_rejected' || error.fault === 'not_permitted') {
    throw new Refusal('invalid_input', `${error.message} Nothing was connected.`)
  }
  throw new Refusal('reader_unavailable', `${error.message} Nothing was connected: try again in some minutes.`)
}
