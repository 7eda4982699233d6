import type { ControlContext } from '#control/context.ts'
import { accountTokenSecrets } from './account-tokens.ts'
import { hashSecret, isSameHash } from './bearer-secret.ts'
import type { AccountTokenCaller } from './caller.ts'
import type { KeyUses } from './key-uses.ts'

export interface TokenAuthenticationContext extends ControlContext {
  /** Where uses are collected for `last_used_at`. */
  uses?: KeyUses
}

/**
 * The caller that a secret of surface B stands for, or null: another kind of key, unknown, or revoked. The state of
 * the account is returned with it and refused later, because it is another answer (account API 1). Nothing is
 * remembered between requests.
 */
export async function authenticateAccountToken(
  { control, clock, uses }: TokenAuthenticationContext,
  secret: string,
): Promise<AccountTokenCaller | null> {
  if (!accountTokenSecrets.looksLike(secret)) return null
  const secret_sha256 = hashSecret(secret)
  const token = await control.db
    .selectFrom('account_tokens')
    .innerJoin('users', 'users.id', 'account_tokens.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['account_tokens.id as token_id', 'account_tokens.secret_sha256', 'account_tokens.scope'])
    .select(['users.id as user_id', 'users.account_role', 'users.account_id'])
    .select(['accounts.status', 'accounts.access', 'accounts.access_ends_at'])
    .where('account_tokens.secret_sha256', '=', secret_sha256)
    .where('account_tokens.revoked_at', 'is', null)
    .executeTakeFirst()
  if (token === undefined || !isSameHash(token.secret_sha256, secret_sha256)) return null
  uses?.record(token.token_id, clock.now())
  const { token_id, user_id, account_role, account_id, scope, status, access, access_ends_at } = token
  return {
    kind: 'account_token',
    token_id,
    user_id,
    account_role,
    account_id,
    site_ids: null,
    may_write: scope === 'write',
    account: { status, access, access_ends_at },
  }
}
