import Type from 'typebox'
import { Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { ROLES } from '../vocabulary.ts'
import { onSite, user } from './define.ts'

const role = oneOf(ROLES)
const Member = Type.Object({
  site_id: Uuid,
  root_domain: Type.String(),
  user_id: Uuid,
  email: orNull(Type.String()),
  role,
  created_at: Instant,
})
const permission = 'manage_members'
const change = { permission, effect: 'write' } as const

export const memberOperations = [
  onSite('member.add', 'Make a person a member of a site', {
    ...change,
    input: { user, role },
    output: Member,
  }),
  onSite('member.list', 'The members of a site', {
    permission,
    output: Type.Object({ members: Type.Array(Member) }),
  }),
  onSite('member.set_role', 'Give a member another role', {
    ...change,
    input: { user, role },
    output: Member,
  }),
  onSite('member.remove', 'Take a person from a site', {
    ...change,
    input: { user },
    output: Type.Object({ ...Member.properties, revoked_key_ids: Type.Array(Uuid) }),
  }),
] as const
