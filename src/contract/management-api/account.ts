import Type from 'typebox'
import { Count, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { onInstallation } from './define.ts'

const Account = Type.Object({
  id: Uuid,
  name: Type.String(),
  status: oneOf(['active', 'suspended']),
  access: oneOf(['subscription', 'trial', 'prelaunch', 'none']),
  access_ends_at: orNull(Instant),
  active_question_limit: Count,
  created_at: Instant,
})

export const accountOperations = [
  onInstallation('account.show', 'The account, and how many people and sites it has', {
    output: Type.Object({ ...Account.properties, users: Count, sites: Count }),
  }),
  onInstallation(
    'account.suspend',
    'Refuse the site keys and tokens of the account; evidence is accepted all the same',
    {
      effect: 'write',
      output: Account,
    },
  ),
  onInstallation('account.set_question_limit', 'How many active questions the brands of the account may have', {
    effect: 'write',
    input: { limit: Type.Integer({ minimum: 0, maximum: 10_000 }) },
    output: Account,
  }),
  onInstallation('account.activate', 'End the suspension of the account', {
    effect: 'write',
    output: Account,
  }),
] as const
