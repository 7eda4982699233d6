/** The published lists that are stored, for answers that report the basis of identities (rules 2). */

import type { AddressListState } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { RegistryEntry } from '../../registry/document.ts'
import { isInForce } from './list-versions.ts'

/** Ids (URLs in the registry) of the lists that judge today's requests, except lists of a whole AS. */
export async function readHeldLists(ctx: ControlContext): Promise<ReadonlySet<string>> {
  const today = dayStart(utcDay(ctx.clock.now()))
  const versions = await ctx.control.db
    .selectFrom('ip_list_versions')
    .select(['list_id', 'loaded_at', 'confirmed_at', 'superseded_at'])
    .where('is_whole_as', '=', 0)
    .execute()
  return new Set(versions.filter((version) => isInForce(version, today)).map(({ list_id }) => list_id))
}

/** Whether the list of a crawler's vendor is stored. */
export function addressListOf({ verification }: RegistryEntry, held: ReadonlySet<string>): AddressListState {
  if (verification.ip_ranges_url === null) return 'not_published'
  return held.has(verification.ip_ranges_url) ? 'held' : 'not_held'
}
