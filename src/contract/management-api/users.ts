import Type from 'typebox'
import { Count, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { ACCOUNT_ROLES } from '../vocabulary.ts'
import { onInstallation, user } from './define.ts'

const account_role = oneOf(ACCOUNT_ROLES)
const userFields = {
  id: Uuid,
  email: orNull(Type.String()),
  is_operator: Type.Boolean(),
  account_role,
  created_at: Instant,
}
/** The link is a secret: it is shown once and kept nowhere. */
const UserWithLink = Type.Object({ ...userFields, link: Type.String(), link_expires_at: Instant })

export const userOperations = [
  onInstallation('user.add', 'Add a person, with the link to choose their password', {
    effect: 'write',
    input: {
      email: Type.String(),
      is_operator: Type.Boolean(),
      /** Left out: member. */
      account_role: Type.Optional(account_role),
    },
    output: UserWithLink,
  }),
  onInstallation('user.list', 'Everybody of the installation', {
    output: Type.Object({
      users: Type.Array(Type.Object({ ...userFields, has_password: Type.Boolean(), sites: Count })),
    }),
  }),
  onInstallation('user.reset_link', 'Make a new link for a person; without one, for the operator', {
    effect: 'write',
    input: { user: Type.Optional(user) },
    output: UserWithLink,
  }),
  onInstallation('user.set_account_role', 'Make a person an admin of the account, or a member', {
    effect: 'write',
    input: { user, account_role },
    output: Type.Object(userFields),
  }),
  onInstallation('user.remove', 'Remove a person with their memberships, keys, tokens, password and link', {
    effect: 'write',
    input: { user },
    output: Type.Object({
      ...userFields,
      revoked_key_ids: Type.Array(Uuid),
      revoked_token_ids: Type.Array(Uuid),
    }),
  }),
] as const
