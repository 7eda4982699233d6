/** Members by invitation, and keys of a site, for its owners (decisions 2). */
import Type from 'typebox'
import { Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { site } from '../management-api/define.ts'
import { ROLES } from '../vocabulary.ts'
import { changeOfSite, readOfSite } from './define.ts'

export const invite = changeOfSite('inviteMember', 'Make a person a member; who is new gets a link, shown once', {
  permission: 'manage_members',
  input: Type.Object({ site, email: Type.String({ maxLength: 320 }), role: oneOf(ROLES) }),
  output: Type.Object({
    user_id: Uuid,
    email: Type.String(),
    role: oneOf(ROLES),
    /** Null: the person has a password. */
    link: orNull(Type.String()),
    link_expires_at: orNull(Instant),
  }),
})

const SiteKey = Type.Object({
  id: Uuid,
  /** Whose key it is: it sees what that member sees. */
  email: orNull(Type.String()),
  name: Type.String(),
  prefix: Type.String(),
  /** It opens other sites of the member too. */
  opens_more: Type.Boolean(),
  created_at: Instant,
  last_used_at: orNull(Instant),
  revoked_at: orNull(Instant),
})

const permission = 'manage_keys'

export const findSiteKeys = readOfSite('listSiteKeys', 'The keys that open a site, revoked ones too', {
  permission,
  input: Type.Object({ site }),
  output: Type.Object({ keys: Type.Array(SiteKey) }),
})

export const makeSiteKey = changeOfSite('createSiteKey', 'Make a key that opens one site; its secret is shown once', {
  permission,
  input: Type.Object({ site, name: Type.String({ maxLength: 200 }) }),
  output: Type.Object({ id: Uuid, secret: Type.String(), prefix: Type.String() }),
})

export const endSiteKey = changeOfSite('revokeSiteKey', 'End a key that opens a site', {
  permission,
  input: Type.Object({ site, key: Uuid }),
  output: SiteKey,
})

export const peopleOperations = [invite, findSiteKeys, makeSiteKey, endSiteKey] as const
