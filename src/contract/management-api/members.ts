import Type from 'typebox'
import { Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { ROLES } from '../vocabulary.ts'
import { site, siteOperation, user } from './define.ts'

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

export const addMember = siteOperation({
  id: 'member.add',
  summary: 'Make a person a member of a site',
  permission,
  effect: 'write',
  input: Type.Object({ site, user, role }),
  output: Member,
})

export const listMembers = siteOperation({
  id: 'member.list',
  summary: 'The members of a site',
  permission,
  effect: 'read',
  input: Type.Object({ site }),
  output: Type.Object({ members: Type.Array(Member) }),
})

export const setMemberRole = siteOperation({
  id: 'member.set_role',
  summary: 'Give a member another role',
  permission,
  effect: 'write',
  input: Type.Object({ site, user, role }),
  output: Member,
})

export const removeMember = siteOperation({
  id: 'member.remove',
  summary: 'Take a person from a site',
  permission,
  effect: 'write',
  input: Type.Object({ site, user }),
  output: Type.Object({ ...Member.properties, revoked_key_ids: Type.Array(Uuid) }),
})

export const memberOperations = [addMember, listMembers, setMemberRole, removeMember] as const
