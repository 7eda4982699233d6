/** Memberships as operations; the site is resolved, the person is named by id or e-mail address. */
import { findUser } from '#accounts/users.ts'
import { instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { MemberRow, UserRow } from '#control/tables.ts'
import type { Implementations } from '#implementation.ts'
import { addMember, listMembers, removeMember, setMemberRole } from './members.ts'
import type { Site } from './site.ts'

export const manageMembers: Implementations<ManagementOperationOf<`member.${string}`>, ControlContext> = {
  async 'member.add'(ctx, input) {
    const user = await findUser(ctx.control.db, input.user)
    const member = { site_id: ctx.site.id, user_id: user.id, role: input.role }
    return describeMember(ctx.site, user, await addMember(ctx, member))
  },

  async 'member.list'(ctx) {
    const members = await listMembers(ctx, ctx.site.id)
    return { members: members.map((member) => describeMember(ctx.site, member, member)) }
  },

  async 'member.set_role'(ctx, input) {
    const user = await findUser(ctx.control.db, input.user)
    const member = { site_id: ctx.site.id, user_id: user.id, role: input.role }
    return describeMember(ctx.site, user, await setMemberRole(ctx, member))
  },

  async 'member.remove'(ctx, input) {
    const user = await findUser(ctx.control.db, input.user)
    const removed = await removeMember(ctx, { site_id: ctx.site.id, user_id: user.id })
    return { ...describeMember(ctx.site, user, removed), revoked_key_ids: removed.revoked_key_ids }
  },
}

function describeMember(site: Site, { email }: Pick<UserRow, 'email'>, { user_id, role, created_at }: MemberRow) {
  const { id: site_id, root_domain } = site
  return { site_id, root_domain, user_id, email, role, created_at: instantText(created_at) }
}
