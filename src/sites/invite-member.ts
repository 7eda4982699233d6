import type { Caller } from '#accounts/caller.ts'
import { normalizeEmail } from '#accounts/email.ts'
import { issueLink } from '#accounts/one-time-links.ts'
import { addUser } from '#accounts/users.ts'
import { instantText } from '#clock.ts'
import type { Role } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'
import type { UserRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { addMember } from './members.ts'
import type { Site } from './site.ts'

interface InvitationContext extends ControlContext {
  site: Site
  caller: Caller
  /** The address at which a one-time link is opened. */
  welcomeLink(token: string): string
}

/**
 * Makes a person a member of a site. Who is new gets a link to choose a password, and so does who has none yet, unless
 * the link would open more than the caller's own sites.
 * @throws Refusal invalid_input (no e-mail address), conflict (a member already, a person of another account, or a link
 *   that would open more).
 */
export async function inviteMember(ctx: InvitationContext, given: { email: string; role: Role }) {
  const { control, clock, site } = ctx
  const email = normalizeEmail(given.email)
  const known = await control.db
    .selectFrom('users')
    .leftJoin('passwords', 'passwords.user_id', 'users.id')
    .selectAll('users')
    .select('passwords.user_id as has_password')
    .where('users.email', '=', email)
    .executeTakeFirst()
  if (known !== undefined && known.account_id !== site.account_id) throw ofAnotherAccount()
  const needs_link = known !== undefined && known.has_password === null
  if (needs_link && !(await mayGetLinkOf(control.db, ctx.caller, known))) throw knownElsewhere()
  const { id, link: first } = known === undefined ? await addNew(ctx, email) : { id: known.id, link: null }
  await addMember({ control, clock }, { site_id: site.id, user_id: id, role: given.role })
  const link = needs_link ? await issueLink(control.db, clock, { user_id: id }) : first
  return {
    user_id: id,
    email,
    role: given.role,
    link: link === null ? null : ctx.welcomeLink(link.token),
    link_expires_at: link === null ? null : instantText(link.expires_at),
  }
}

/**
 * Whether the caller may have a link of a person without a password. A person who opens it acts as that person, so it
 * must open nothing that the caller does not own.
 */
async function mayGetLinkOf(
  db: ControlDb,
  caller: Caller,
  { id, is_operator, account_role }: Pick<UserRow, 'id' | 'is_operator' | 'account_role'>,
): Promise<boolean> {
  if (caller.kind === 'operator' || (caller.kind === 'session' && caller.is_operator)) return true
  if (is_operator === 1 || account_role === 'admin') return false
  const foreign = await db
    .selectFrom('members')
    .select('site_id')
    .where('user_id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members as own')
            .select('own.site_id')
            .whereRef('own.site_id', '=', 'members.site_id')
            .where((is) => is.and({ 'own.user_id': caller.user_id, 'own.role': 'owner' })),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return foreign === undefined
}

async function addNew({ control, clock, site }: InvitationContext, email: string) {
  const { user, link } = await addUser({ control, clock }, { account_id: site.account_id, email, is_operator: false })
  return { id: user.id, link }
}

const ofAnotherAccount = () =>
  new Refusal('conflict', 'This person is of another account of this installation: give another e-mail address.')

const knownElsewhere = () =>
  new Refusal(
    'conflict',
    'This person has not chosen a password yet, and the link to choose one would open more than your sites: invite them once they have. An operator can make their link.',
  )
