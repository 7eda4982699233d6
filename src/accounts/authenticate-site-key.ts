import type { ControlContext } from '#control/context.ts'
import type { ControlStore } from '#control/store.ts'
import { hashSecret, isSameHash } from './bearer-secret.ts'
import type { SiteKeyCaller } from './caller.ts'
import type { KeyUses } from './key-uses.ts'
import { siteKeySecrets } from './site-keys.ts'

export interface AuthenticationContext extends ControlContext {
  /** Where uses are collected for `last_used_at`; the composition gives the one collector that it flushes. */
  uses?: KeyUses
}

/**
 * The caller a surface A secret stands for, or null: another kind of key, unknown, revoked, its account suspended, or
 * its member without any site left (rules 1). Nothing is remembered between requests, so a revoked key ends at once.
 */
export async function authenticateSiteKey(
  { control, clock, uses }: AuthenticationContext,
  secret: string,
): Promise<SiteKeyCaller | null> {
  if (!siteKeySecrets.looksLike(secret)) return null
  const secret_sha256 = hashSecret(secret)
  const rows = await findLiveKey(control, secret_sha256)
  const [key] = rows
  if (key === undefined || !isSameHash(key.secret_sha256, secret_sha256)) return null
  uses?.record(key.key_id, clock.now())
  const named = rows.map((row) => row.site_id).filter((id) => id !== null)
  const { key_id, user_id, account_id } = key
  return { kind: 'site_key', key_id, user_id, account_id, site_ids: key.is_restricted === 1 ? named : null }
}

/** One row for each named site of the key, at least one when it works; one statement, so all of one instant. */
async function findLiveKey({ db }: ControlStore, secret_sha256: string) {
  return db
    .selectFrom('site_keys')
    .innerJoin('users', 'users.id', 'site_keys.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('site_key_sites', 'site_key_sites.key_id', 'site_keys.id')
    .select(['site_keys.id as key_id', 'users.id as user_id', 'accounts.id as account_id', 'site_key_sites.site_id'])
    .select(['site_keys.secret_sha256', 'site_keys.is_restricted'])
    .where('site_keys.secret_sha256', '=', secret_sha256)
    .where('site_keys.revoked_at', 'is', null)
    .where('accounts.status', '=', 'active')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('members').select('members.site_id').whereRef('members.user_id', '=', 'users.id')),
    )
    .execute()
}
