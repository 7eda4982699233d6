/** Who sees a site, and in which role (decisions 2, spec 2.1). The caller's permission is checked before. */
import { refuseLastOwner } from '#accounts/last-of-its-kind.ts'
import { revokeOrphanedKeys } from '#accounts/revoke-orphaned-keys.ts'
import type { Role } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import type { MemberRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'

/** Names one membership by ids. */
export interface Membership {
  site_id: string
  user_id: string
}

/**
 * Makes a person a member of a site of their account.
 * @throws Refusal conflict: a member already, or a person of another account.
 */
export async function addMember(
  { control, clock }: ControlContext,
  { site_id, user_id, role }: Membership & { role: Role },
): Promise<MemberRow> {
  const member: MemberRow = { site_id, user_id, role, created_at: clock.now() }
  return control.transaction(async (trx) => {
    await checkAccount(trx, member)
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('members')
      .values(member)
      .onConflict((conflict) => conflict.columns(['site_id', 'user_id']).doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) return member
    throw new Refusal('conflict', 'This person is a member of the site already: change the role with {next}.', {
      next: { step: 'member.set_role' },
    })
  })
}

/** The members of a site, the longest there first. */
export async function listMembers(
  { control }: { control: ControlStore },
  site_id: string,
): Promise<(MemberRow & { email: string | null })[]> {
  return control.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .selectAll('members')
    .select('users.email')
    .where('members.site_id', '=', site_id)
    .orderBy('members.created_at')
    .orderBy('members.user_id')
    .execute()
}

/**
 * Gives a member another role; the same one again changes nothing.
 * @throws Refusal not_found (no member), conflict (the only owner would be none).
 */
export async function setMemberRole(
  { control }: ControlContext,
  { site_id, user_id, role }: Membership & { role: Role },
): Promise<MemberRow> {
  return control.transaction(async (trx) => {
    if (role !== 'owner') await refuseLastOwner(trx, site_id, user_id)
    const member = await trx
      .updateTable('members')
      .set({ role })
      .where((is) => is.and({ site_id, user_id }))
      .returningAll()
      .executeTakeFirst()
    if (member === undefined) throw notMember()
    return member
  })
}

/**
 * Takes a person from a site. Their keys see it no more with the next request, and end with their last site (rules 1).
 * @throws Refusal not_found (no member), conflict (the only owner).
 */
export async function removeMember(
  { control, clock }: ControlContext,
  { site_id, user_id }: Membership,
): Promise<MemberRow & { revoked_key_ids: string[] }> {
  return control.transaction(async (trx) => {
    await refuseLastOwner(trx, site_id, user_id)
    const member = await trx
      .deleteFrom('members')
      .where((is) => is.and({ site_id, user_id }))
      .returningAll()
      .executeTakeFirst()
    if (member === undefined) throw notMember()
    return { ...member, revoked_key_ids: await revokeOrphanedKeys(trx, [user_id], clock.now()) }
  })
}

async function checkAccount(trx: ControlTransaction, { site_id, user_id }: Membership): Promise<void> {
  const pair = await trx
    .selectFrom('sites')
    .innerJoin('users', 'users.account_id', 'sites.account_id')
    .select('sites.id')
    .where((is) => is.and({ 'sites.id': site_id, 'users.id': user_id }))
    .executeTakeFirst()
  if (pair !== undefined) return
  throw new Refusal('conflict', 'Site and person are not of one account: only people of its account can be members.')
}

function notMember(): Refusal {
  return new Refusal('not_found', 'This person is not a member of the site: {next} shows who is.', {
    next: { step: 'member.list' },
  })
}
