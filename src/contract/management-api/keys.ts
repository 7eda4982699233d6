import Type from 'typebox'
import { Instant, orNull, Uuid } from '../fields.ts'
import { onInstallation, site, siteFields, user } from './define.ts'

const SiteKey = Type.Object({
  id: Uuid,
  user_id: Uuid,
  name: Type.String(),
  prefix: Type.String(),
  /** Null: every site of the member. */
  sites: orNull(Type.Array(Type.Object(siteFields))),
  created_at: Instant,
  last_used_at: orNull(Instant),
  revoked_at: orNull(Instant),
})

export const keyOperations = [
  onInstallation('key.create', 'Make a site key; its secret is shown once', {
    effect: 'write',
    input: {
      name: Type.String(),
      /** Empty: every site of the member. */
      sites: Type.Array(site),
      /** Left out: the operator. */
      user: Type.Optional(user),
    },
    output: Type.Object({ id: Uuid, secret: Type.String(), prefix: Type.String() }),
  }),
  onInstallation('key.list', 'The site keys of the account, revoked ones too', {
    output: Type.Object({ keys: Type.Array(SiteKey) }),
  }),
  onInstallation('key.revoke', 'End a site key, named by its id, prefix or secret', {
    effect: 'write',
    input: { key: Type.String() },
    output: SiteKey,
  }),
] as const
