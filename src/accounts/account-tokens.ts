/** Tokens of surface B and MCP: made, listed, revoked and replaced (spec 5, decisions 2). */
import { randomUUID } from 'node:crypto'
import type { Clock } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlStore, ControlTransaction } from '#control/store.ts'
import type { AccountTokenRow } from '#control/tables.ts'
import { checkName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { type IssuedSecret, pickIssued, secretKind, withoutHash } from './bearer-secret.ts'

/** Secrets of surface B and MCP (decisions 2). */
export const accountTokenSecrets = secretKind('spoor_acct_')

/** Of one account, revoked ones not counted (spec 5, 8). */
export const MAX_ACTIVE_TOKENS = 5

export interface NewAccountToken {
  account_id: string
  /** Whose token it is, with whom it ends. */
  user_id: string
  name: string
  scope: AccountTokenRow['scope']
}

/** A token as admins see it afterwards; instants in epoch milliseconds. */
export interface AccountTokenSummary extends Omit<AccountTokenRow, 'secret_sha256'> {
  email: string | null
}

/**
 * Makes a token for a person of the account and shows its secret once.
 * @throws Refusal invalid_input (name), not_found (the person), limit_reached (5 tokens are active).
 */
export async function createAccountToken(ctx: ControlContext, asked: NewAccountToken): Promise<IssuedSecret> {
  const name = checkName(asked.name, 'a token')
  return ctx.control.transaction(async (trx) => {
    await refuseSixthToken(trx, asked.account_id)
    return insertToken(trx, ctx.clock, { ...asked, name })
  })
}

/** The tokens of an account, revoked ones too, oldest first. */
export async function listAccountTokens(
  { control }: { control: ControlStore },
  { account_id }: { account_id: string },
): Promise<AccountTokenSummary[]> {
  const tokens = await tokensOfAccount(control.db, account_id)
    .orderBy('account_tokens.created_at')
    .orderBy('account_tokens.id')
    .execute()
  return tokens.map(withoutHash)
}

/**
 * Ends a token of an account, named by its id, prefix or whole secret, with its next request; ending it again changes
 * nothing and keeps the first instant.
 * @throws Refusal not_found; conflict when a prefix fits several tokens.
 */
export async function revokeAccountToken(
  { control, clock }: ControlContext,
  { account_id, token }: { account_id: string; token: string },
): Promise<AccountTokenSummary> {
  return control.transaction(async (trx) => {
    const found = await findAccountToken(trx, account_id, token)
    return endToken(trx, found, clock.now())
  })
}

/**
 * Replaces a token by one of the same person, name and scope, and ends it in the same transaction, so that a full
 * account can do it too.
 * @throws Refusal as `revokeAccountToken`; conflict for a token that is revoked already.
 */
export async function rotateAccountToken(
  { control, clock }: ControlContext,
  { account_id, token }: { account_id: string; token: string },
): Promise<IssuedSecret & { revoked: AccountTokenSummary }> {
  return control.transaction(async (trx) => {
    const found = await findAccountToken(trx, account_id, token)
    if (found.revoked_at !== null) {
      throw new Refusal('conflict', 'This token is revoked already: make a new one with {next}.', {
        next: { step: 'token.create' },
      })
    }
    const revoked = await endToken(trx, found, clock.now())
    return { ...(await insertToken(trx, clock, { ...found, account_id })), revoked }
  })
}

async function refuseSixthToken(trx: ControlTransaction, account_id: string): Promise<void> {
  const active = await tokensOfAccount(trx, account_id).where('account_tokens.revoked_at', 'is', null).execute()
  if (active.length < MAX_ACTIVE_TOKENS) return
  throw new Refusal(
    'limit_reached',
    `The account has ${active.length} active tokens, the most that it may have: revoke one first, with: {next}`,
    { next: { step: 'token.revoke' } },
  )
}

async function insertToken(
  trx: ControlTransaction,
  clock: Clock,
  { account_id, user_id, name, scope }: NewAccountToken,
): Promise<IssuedSecret> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where((is) => is.and({ id: user_id, account_id }))
    .executeTakeFirst()
  if (user === undefined)
    throw new Refusal('not_found', 'The person does not belong to this account: name a person of this account.')
  const { secret, prefix, secret_sha256 } = accountTokenSecrets.draw()
  const id = randomUUID()
  const issued = { id, user_id, name, prefix, secret_sha256, scope, created_at: clock.now() }
  await trx
    .insertInto('account_tokens')
    .values({ ...issued, revoked_at: null, last_used_at: null })
    .execute()
  return { id, secret, prefix }
}

type FoundToken = AccountTokenRow & { email: string | null }

async function endToken(trx: ControlTransaction, found: FoundToken, now: number): Promise<AccountTokenSummary> {
  const revoked_at = found.revoked_at === null ? now : found.revoked_at
  await trx.updateTable('account_tokens').set({ revoked_at }).where('id', '=', found.id).execute()
  return withoutHash({ ...found, revoked_at })
}

async function findAccountToken(trx: ControlTransaction, account_id: string, token: string): Promise<FoundToken> {
  const unknown = new Refusal('not_found', 'No token of this account has that id or prefix: {next} shows both.', {
    next: { step: 'token.list' },
  })
  return pickIssued(await tokensOfAccount(trx, account_id).execute(), token, { what: 'token', unknown })
}

function tokensOfAccount(db: ControlDb, account_id: string) {
  return db
    .selectFrom('account_tokens')
    .innerJoin('users', 'users.id', 'account_tokens.user_id')
    .selectAll('account_tokens')
    .select('users.email')
    .where('users.account_id', '=', account_id)
}
