import { randomUUID } from 'node:crypto'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlStore, ControlTransaction } from '#control/store.ts'
import type { SiteKeyRow } from '#control/tables.ts'
import { checkName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { type IssuedSecret, pickIssued, secretKind, withoutHash } from './bearer-secret.ts'
import { may } from './roles.ts'

/** Secrets of surface A (decisions 2). */
export const siteKeySecrets = secretKind('spoor_site_')

export interface NewSiteKey {
  user_id: string
  name: string
  /** Ids of sites of that member; left out, the key sees every site of the member, later ones too. */
  sites?: readonly string[]
}

/** A key as its owner sees it afterwards; instants in epoch milliseconds. */
export interface SiteKeySummary {
  id: string
  user_id: string
  name: string
  prefix: string
  /** Ids of the named sites; null for every site of the member. */
  sites: string[] | null
  created_at: number
  revoked_at: number | null
  last_used_at: number | null
}

/**
 * Makes a surface A key for a member and shows its secret once (spec 5, decisions 2).
 * @throws Refusal invalid_input (name, empty list, a member without sites), site_not_found (not the member's).
 */
export async function createSiteKey(
  { control, clock }: ControlContext,
  { user_id, name, sites }: NewSiteKey,
): Promise<IssuedSecret> {
  const given = checkName(name, 'a key')
  const named = sites === undefined ? null : [...new Set(sites.map((id) => id.toLowerCase()))]
  const { secret, prefix, secret_sha256 } = siteKeySecrets.draw()
  const id = randomUUID()
  await control.transaction(async (trx) => {
    await checkSites(trx, user_id, named)
    await trx
      .insertInto('site_keys')
      .values({
        id,
        user_id,
        name: given,
        prefix,
        secret_sha256,
        is_restricted: named === null ? 0 : 1,
        created_at: clock.now(),
        revoked_at: null,
        last_used_at: null,
      })
      .execute()
    if (named !== null) {
      const rows = named.map((site_id) => ({ key_id: id, site_id }))
      await trx.insertInto('site_key_sites').values(rows).execute()
    }
  })
  return { id, secret, prefix }
}

/** The keys of an account's members, revoked ones too, oldest first. */
export async function listSiteKeys(
  { control }: { control: ControlStore },
  { account_id }: { account_id: string },
): Promise<SiteKeySummary[]> {
  return control.snapshot(async (trx) => {
    const keys = await keysOfAccount(trx, account_id).orderBy('site_keys.created_at').orderBy('site_keys.id').execute()
    const named = await trx
      .selectFrom('site_key_sites')
      .innerJoin('site_keys', 'site_keys.id', 'site_key_sites.key_id')
      .innerJoin('users', 'users.id', 'site_keys.user_id')
      .select(['site_key_sites.key_id', 'site_key_sites.site_id'])
      .where('users.account_id', '=', account_id)
      .orderBy('site_key_sites.site_id')
      .execute()
    return keys.map((key) => summarise(key, named))
  })
}

/**
 * Ends a key of an account, addressed by its id, its prefix or its whole secret. It stops working with the next
 * request; ending it again changes nothing and keeps the first instant.
 * @throws Refusal not_found, or conflict when a prefix fits several keys.
 */
export async function revokeSiteKey(
  { control, clock }: ControlContext,
  { account_id, key }: { account_id: string; key: string },
): Promise<SiteKeySummary> {
  return control.transaction(async (trx) => {
    const found = await findKey(trx, account_id, key)
    const revoked_at = found.revoked_at === null ? clock.now() : found.revoked_at
    await trx.updateTable('site_keys').set({ revoked_at }).where('id', '=', found.id).execute()
    const named = await trx.selectFrom('site_key_sites').selectAll().where('key_id', '=', found.id).execute()
    return summarise({ ...found, revoked_at }, named)
  })
}

async function checkSites(trx: ControlTransaction, user_id: string, named: string[] | null): Promise<void> {
  if (named !== null && named.length === 0) {
    throw new Refusal('invalid_input', 'No site is named for this key: name at least one, or leave the sites out.')
  }
  const rows = await trx.selectFrom('members').select(['site_id', 'role']).where('user_id', '=', user_id).execute()
  const own = new Set(rows.filter((row) => may(row.role, 'read')).map((row) => row.site_id))
  if (own.size === 0) {
    throw new Refusal(
      'invalid_input',
      'This member has no site yet, so a key would open nothing: add a site first, or make them a member of one.',
    )
  }
  const foreign = named === null ? undefined : named.find((id) => !own.has(id))
  if (foreign !== undefined) {
    throw new Refusal('site_not_found', `The member has no site ${foreign}: name only sites of that member.`)
  }
}

async function findKey(trx: ControlTransaction, account_id: string, key: string): Promise<SiteKeyRow> {
  const unknown = new Refusal('not_found', 'No key of this account has that id or prefix: {next} shows both.', {
    next: { step: 'key.list' },
  })
  return pickIssued(await keysOfAccount(trx, account_id).execute(), key, { what: 'key', unknown })
}

function keysOfAccount(db: ControlDb, account_id: string) {
  return db
    .selectFrom('site_keys')
    .innerJoin('users', 'users.id', 'site_keys.user_id')
    .selectAll('site_keys')
    .where('users.account_id', '=', account_id)
}

function summarise(key: SiteKeyRow, named: { key_id: string; site_id: string }[]): SiteKeySummary {
  const { is_restricted, ...shown } = withoutHash(key)
  const own = named.filter((row) => row.key_id === key.id).map((row) => row.site_id)
  return { ...shown, sites: is_restricted === 1 ? own : null }
}
