/** Stores the versions of lists: every content, with the time in which it was known to be in force. */
import { randomUUID } from 'node:crypto'
import { instantText } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { nextNumber } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { Refusal } from '#refusal.ts'
import type { PublishedList } from './read-list.ts'

/** The number that increases whenever a version is stored or confirmed; provers then read the lists again. */
export const LISTS_REVISION = 'ip_lists_revision'

export interface StoredList {
  list_id: string
  sha256: string
  prefixes: number
  /** False: the list already had this content. */
  is_new: boolean
  published_at: number | null
  is_whole_as: boolean
}

/**
 * Stores a list: the same content confirms the current version, other content supersedes it.
 * @throws Refusal conflict: with `refuse_older`, the document has an earlier date than the stored content;
 * invalid_input: its date is in the future, so that later lists would be refused as older.
 */
export async function storeListVersion(
  { control, clock }: ControlContext,
  list_id: string,
  list: PublishedList,
  { refuse_older = false }: { refuse_older?: boolean } = {},
): Promise<StoredList> {
  const now = clock.now()
  refuseAhead(list, now)
  return control.transaction(async (tx) => {
    const current = await tx
      .selectFrom('ip_list_versions')
      .select(['id', 'sha256', 'published_at', 'is_whole_as'])
      .where('list_id', '=', list_id)
      .where('superseded_at', 'is', null)
      .executeTakeFirst()
    if (refuse_older) refuseOlder(list, current?.published_at ?? null)
    const is_whole_as = list.is_whole_as ? 1 : 0
    const is_new = current === undefined || current.sha256 !== list.sha256 || current.is_whole_as !== is_whole_as
    if (!is_new) {
      const published_at = list.published_at ?? current.published_at
      await tx
        .updateTable('ip_list_versions')
        .set({ confirmed_at: now, published_at })
        .where('id', '=', current.id)
        .execute()
    } else {
      if (current !== undefined) {
        await tx.updateTable('ip_list_versions').set({ superseded_at: now }).where('id', '=', current.id).execute()
      }
      await tx
        .insertInto('ip_list_versions')
        .values({
          id: randomUUID(),
          list_id,
          sha256: list.sha256,
          prefixes: list.prefixes.join('\n'),
          is_whole_as,
          published_at: list.published_at,
          loaded_at: now,
          confirmed_at: now,
          superseded_at: null,
        })
        .execute()
    }
    await noteAttempt(tx, list_id, now, null)
    await nextNumber(tx, LISTS_REVISION)
    const { sha256, published_at } = list
    return { list_id, sha256, prefixes: list.prefixes.length, is_new, published_at, is_whole_as: list.is_whole_as }
  })
}

/** Records the result of the last attempt to load a list. The stored content does not change. */
export async function noteAttempt(
  db: ControlStore['db'],
  list_id: string,
  attempted_at: number,
  failure: string | null,
): Promise<void> {
  await db
    .insertInto('ip_list_loads')
    .values({ list_id, attempted_at, failure })
    .onConflict((conflict) => conflict.column('list_id').doUpdateSet({ attempted_at, failure }))
    .execute()
}

/** Deletes a list with all its versions, and returns their number. Proof that is stored with requests stays. */
export async function removeList(control: ControlStore, list_id: string): Promise<number> {
  return control.transaction(async (tx) => {
    const removed = await tx.deleteFrom('ip_list_versions').where('list_id', '=', list_id).executeTakeFirst()
    await tx.deleteFrom('ip_list_loads').where('list_id', '=', list_id).execute()
    await nextNumber(tx, LISTS_REVISION)
    return Number(removed.numDeletedRows)
  })
}

function refuseAhead({ published_at }: PublishedList, now: number): void {
  if (published_at === null || published_at <= now) return
  throw new Refusal(
    'invalid_input',
    `this list is dated ${instantText(published_at)}, ahead of the service clock (${instantText(now)}): check the date of the list and the clock`,
  )
}

function refuseOlder(list: PublishedList, held: number | null): void {
  if (held === null || list.published_at === null || list.published_at >= held) return
  throw new Refusal(
    'conflict',
    `this list is of ${instantText(list.published_at)}, older than the stored one, of ${instantText(held)}: give a newer one`,
  )
}
