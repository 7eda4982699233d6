import { randomUUID } from 'node:crypto'
import type { AccountRole } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { UserRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { normalizeEmail } from './email.ts'
import { refuseLastOperator, refuseLastOwner } from './last-of-its-kind.ts'
import { type IssuedLink, issueLink } from './one-time-links.ts'

/** A person as the operator sees them; never a password or a link. */
export interface UserSummary extends UserRow {
  has_password: boolean
  /** How many sites they are a member of. */
  sites: number
}

/**
 * Adds a person to an account, with the link to choose their password.
 * @throws Refusal invalid_input (no e-mail address), conflict (a person of the installation has it).
 */
export async function addUser(
  { control, clock }: ControlContext,
  asked: { account_id: string; email: string; is_operator: boolean; account_role?: AccountRole },
): Promise<{ user: UserRow; link: IssuedLink }> {
  const { account_id, account_role = 'member' } = asked
  const email = normalizeEmail(asked.email)
  const user: UserRow = {
    id: randomUUID(),
    account_id,
    email,
    is_operator: asked.is_operator ? 1 : 0,
    account_role,
    created_at: clock.now(),
  }
  return control.transaction(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('users')
      .values(user)
      .onConflict((conflict) => conflict.column('email').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) {
      throw new Refusal('conflict', `${email} is a person of this installation already: {next} shows them all.`, {
        next: { step: 'user.list' },
      })
    }
    return { user, link: await issueLink(trx, clock, { user_id: user.id }) }
  })
}

/** Everybody of the installation, the longest there first. */
export async function listUsers({ control }: { control: ControlStore }): Promise<UserSummary[]> {
  return control.snapshot(async (trx) => {
    const users = await trx.selectFrom('users').selectAll().orderBy('created_at').orderBy('id').execute()
    const passwords = await trx.selectFrom('passwords').select('user_id').execute()
    const members = await trx.selectFrom('members').select('user_id').execute()
    const chosen = new Set(passwords.map((row) => row.user_id))
    return users.map((user) => ({
      ...user,
      has_password: chosen.has(user.id),
      sites: members.filter((row) => row.user_id === user.id).length,
    }))
  })
}

/** A person by e-mail address or id. @throws Refusal not_found. */
export async function findUser(db: ControlDb, text: string): Promise<UserRow> {
  const by = text.includes('@') ? 'email' : 'id'
  const value = by === 'email' ? normalizeEmail(text) : text.trim().toLowerCase()
  const user = await db.selectFrom('users').selectAll().where(by, '=', value).executeTakeFirst()
  if (user === undefined) {
    throw new Refusal('not_found', 'No person has this e-mail address or id: {next} shows them all.', {
      next: { step: 'user.list' },
    })
  }
  return user
}

/** A new link for a person who lost theirs or their password, which stays in force until another is chosen. */
export async function resetLink(
  { control, clock }: ControlContext,
  text: string,
): Promise<{ user: UserRow; link: IssuedLink }> {
  return control.transaction(async (trx) => {
    const user = await findUser(trx, text)
    return { user, link: await issueLink(trx, clock, { user_id: user.id }) }
  })
}

/**
 * Makes a person an admin of their account, or a member. An account may be without admins: operators can name one
 * again.
 * @throws Refusal not_found.
 */
export async function setAccountRole(
  { control }: { control: ControlStore },
  { user: text, account_role }: { user: string; account_role: AccountRole },
): Promise<UserRow> {
  return control.transaction(async (trx) => {
    const user = await findUser(trx, text)
    await trx.updateTable('users').set({ account_role }).where('id', '=', user.id).execute()
    return { ...user, account_role }
  })
}

/**
 * Removes a person with their memberships, keys, tokens, password and link.
 * @throws Refusal not_found; conflict for the last operator and for the only owner of a site.
 */
export async function removeUser(
  { control }: { control: ControlStore },
  text: string,
): Promise<{ user: UserRow; ended_key_ids: string[]; ended_token_ids: string[] }> {
  return control.transaction(async (trx) => {
    const user = await findUser(trx, text)
    await refuseLastOperator(trx, user.id)
    const owned = await trx
      .selectFrom('members')
      .select('site_id')
      .where((is) => is.and({ user_id: user.id, role: 'owner' }))
      .orderBy('site_id')
      .execute()
    for (const { site_id } of owned) await refuseLastOwner(trx, site_id, user.id)
    const keys = await trx
      .selectFrom('site_keys')
      .select('id')
      .where('user_id', '=', user.id)
      .where('revoked_at', 'is', null)
      .execute()
    const tokens = await trx
      .selectFrom('account_tokens')
      .select('id')
      .where('user_id', '=', user.id)
      .where('revoked_at', 'is', null)
      .execute()
    await trx.deleteFrom('users').where('id', '=', user.id).execute()
    return { user, ended_key_ids: keys.map(({ id }) => id), ended_token_ids: tokens.map(({ id }) => id) }
  })
}
