import Type from 'typebox'
import { findUser } from '#accounts/users.ts'
import { instantText } from '#clock.ts'
import { ROLES } from '#contract/vocabulary.ts'
import type { MemberRow, UserRow } from '#control/tables.ts'
import { addMember, listMembers, removeMember, setMemberRole } from '#sites/members.ts'
import type { Site } from '#sites/site.ts'
import { findAnySite } from '#sites/visible-sites.ts'
import type { OperatorContext } from './command.ts'
import { command } from './command.ts'

const Membership = Type.Object({ site: Type.String(), user: Type.String() })
const MembershipWithRole = Type.Object({ ...Membership.properties, role: Type.Enum(ROLES) })

/** Who is a member of which site; site by id or domain, user by id or e-mail address. */
export const memberCommands = {
  'member.add': command({
    input: MembershipWithRole,
    async run(ctx, { role, ...texts }) {
      const { site, user } = await findBoth(ctx, texts)
      return memberAnswer(site, user, await addMember(ctx, { site_id: site.id, user_id: user.id, role }))
    },
  }),

  'member.list': command({
    input: Type.Object({ site: Type.String() }),
    async run(ctx, { site: text }) {
      const site = await findAnySite(ctx, text)
      const members = await listMembers(ctx, site.id)
      return { members: members.map((member) => memberAnswer(site, member, member)) }
    },
  }),

  'member.set_role': command({
    input: MembershipWithRole,
    async run(ctx, { role, ...texts }) {
      const { site, user } = await findBoth(ctx, texts)
      return memberAnswer(site, user, await setMemberRole(ctx, { site_id: site.id, user_id: user.id, role }))
    },
  }),

  'member.remove': command({
    input: Membership,
    async run(ctx, texts) {
      const { site, user } = await findBoth(ctx, texts)
      const removed = await removeMember(ctx, { site_id: site.id, user_id: user.id })
      return { ...memberAnswer(site, user, removed), revoked_key_ids: removed.revoked_key_ids }
    },
  }),
}

async function findBoth(ctx: OperatorContext, texts: { site: string; user: string }) {
  return { site: await findAnySite(ctx, texts.site), user: await findUser(ctx.control.db, texts.user) }
}

function memberAnswer(site: Site, { email }: Pick<UserRow, 'email'>, { user_id, role, created_at }: MemberRow) {
  const { id: site_id, root_domain } = site
  return { site_id, root_domain, user_id, email, role, created_at: instantText(created_at) }
}
