import Type from 'typebox'
import { Count, Instant, oneOf, Uuid } from '../fields.ts'
import { installationOperation, none } from './define.ts'

const Account = Type.Object({
  id: Uuid,
  name: Type.String(),
  status: oneOf(['active', 'suspended']),
  access: oneOf(['subscription', 'trial', 'prelaunch', 'none']),
  created_at: Instant,
})

export const showAccount = installationOperation({
  id: 'account.show',
  summary: 'The account, and how many people and sites it has',
  effect: 'read',
  input: none,
  output: Type.Object({ ...Account.properties, users: Count, sites: Count }),
})

export const suspendAccount = installationOperation({
  id: 'account.suspend',
  summary: 'Refuse the site keys of the account; evidence is accepted all the same',
  effect: 'write',
  input: none,
  output: Account,
})

export const activateAccount = installationOperation({
  id: 'account.activate',
  summary: 'End the suspension of the account',
  effect: 'write',
  input: none,
  output: Account,
})

export const accountOperations = [showAccount, suspendAccount, activateAccount] as const
