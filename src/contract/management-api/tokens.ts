import Type from 'typebox'
import { Count, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { TOKEN_SCOPES } from '../vocabulary.ts'
import { onAccount, user } from './define.ts'

const AccountToken = Type.Object({
  id: Uuid,
  user_id: Uuid,
  email: orNull(Type.String()),
  name: Type.String(),
  prefix: Type.String(),
  scope: oneOf(TOKEN_SCOPES),
  created_at: Instant,
  last_used_at: orNull(Instant),
  revoked_at: orNull(Instant),
})

const ListedToken = Type.Object({
  ...AccountToken.properties,
  /** Calls of routes that end, the newest first (account API 2.6). */
  deprecated_uses: Type.Array(Type.Object({ operation: Type.String(), requests: Count, last_used_at: Instant })),
})

const issued = { id: Uuid, secret: Type.String(), prefix: Type.String() }
/** An account token by its id, prefix or secret. */
const token = Type.String({ description: 'id, prefix or secret' })

export const tokenOperations = [
  onAccount('token.create', 'Make an account token; its secret is shown once', {
    effect: 'write',
    input: {
      name: Type.String(),
      scope: oneOf(TOKEN_SCOPES),
      /** Left out: the caller. */
      user: Type.Optional(user),
    },
    output: Type.Object(issued),
  }),
  onAccount('token.list', 'The account tokens, revoked ones too', {
    output: Type.Object({ tokens: Type.Array(ListedToken) }),
  }),
  onAccount('token.revoke', 'End an account token', {
    effect: 'write',
    input: { token },
    output: AccountToken,
  }),
  onAccount('token.rotate', 'Replace an account token by a new one of the same name and scope', {
    effect: 'write',
    input: { token },
    output: Type.Object({ ...issued, revoked: AccountToken }),
  }),
] as const
