import { normalizeEmail } from '#accounts/email.ts'
import { issueLink } from '#accounts/one-time-links.ts'
import { addUser } from '#accounts/users.ts'
import { instantText } from '#clock.ts'
import type { Role } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import { Refusal } from '#refusal.ts'
import { addMember } from './members.ts'
import type { Site } from './site.ts'

interface InvitationContext extends ControlContext {
  site: Site
  /** The address at which a one-time link is opened. */
  welcomeLink(token: string): string
}

/**
 * Makes a person a member of a site. Who is new gets a link to choose a password, and so does who has none yet.
 * @throws Refusal invalid_input (no e-mail address), conflict (a member already, or a person of another account).
 */
export async function inviteMember(ctx: InvitationContext, given: { email: string; role: Role }) {
  const { control, clock, site } = ctx
  const email = normalizeEmail(given.email)
  const known = await control.db
    .selectFrom('users')
    .leftJoin('passwords', 'passwords.user_id', 'users.id')
    .select(['users.id', 'users.account_id', 'passwords.user_id as has_password'])
    .where('users.email', '=', email)
    .executeTakeFirst()
  if (known !== undefined && known.account_id !== site.account_id) throw ofAnotherAccount()
  const { id, link } =
    known === undefined
      ? await addNew(ctx, email)
      : {
          id: known.id,
          link: known.has_password === null ? await issueLink(control.db, clock, { user_id: known.id }) : null,
        }
  await addMember({ control, clock }, { site_id: site.id, user_id: id, role: given.role })
  return {
    user_id: id,
    email,
    role: given.role,
    link: link === null ? null : ctx.welcomeLink(link.token),
    link_expires_at: link === null ? null : instantText(link.expires_at),
  }
}

async function addNew({ control, clock, site }: InvitationContext, email: string) {
  const { user, link } = await addUser({ control, clock }, { account_id: site.account_id, email, is_operator: false })
  return { id: user.id, link }
}

const ofAnotherAccount = () =>
  new Refusal('conflict', 'This person is of another account of this installation: give another e-mail address.')
