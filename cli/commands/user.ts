import { Argument, Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { ACCOUNT_ROLES, type AccountRole } from '#contract/vocabulary.ts'
import { group, operation } from '../command.ts'
import { argument, flag, option, positional } from '../input/parameters.ts'
import { readEmail } from '../input/value-forms.ts'
import { table, yesOrNo } from '../output.ts'
import { secretOperation } from '../secret.ts'

export const userCommands = group('user', 'add, list and remove people, and make their one-time links', [
  secretOperation('user.add', 'add a person; the link to choose their password is shown only once', {
    parameters: {
      email: argument('<email>', 'the e-mail address they sign in with', readEmail),
      is_operator: flag('--operator', 'make them an operator of the installation'),
      account_role: option<AccountRole | undefined>(
        new Option('--account-role <role>', 'admins manage tokens and brands (default: member)').choices(ACCOUNT_ROLES),
      ),
    },
    ...linkTexts('Added'),
  }),
  operation('user.list', 'list the people', {
    text: ({ users }) =>
      table(users, {
        'E-MAIL': nameOf,
        ID: 'id',
        OPERATOR: (row) => yesOrNo(row.is_operator),
        ACCOUNT: 'account_role',
        SITES: 'sites',
        PASSWORD: (row) => yesOrNo(row.has_password),
        ADDED: 'created_at',
      }),
  }),
  secretOperation('user.reset_link', 'make a link to choose a password; the person’s earlier link stops working', {
    parameters: { user: argument('[user]', 'e-mail or id (default: the operator)') },
    ...linkTexts('A new link for'),
  }),
  operation('user.set_account_role', 'make a person an admin of the account, or a member', {
    parameters: {
      user: argument('<user>', 'e-mail or id'),
      account_role: positional<AccountRole>(new Argument('<role>', 'their role').choices(ACCOUNT_ROLES)),
    },
    text: (user) => `${nameOf(user)} is ${user.account_role} of the account`,
  }),
  operation('user.remove', 'remove a person with their memberships, keys, tokens and password, for good', {
    parameters: { user: argument('<user>', 'e-mail or id') },
    text: (removed) =>
      `Removed ${nameOf(removed)}; keys revoked: ${removed.revoked_key_ids.length}, tokens: ${removed.revoked_token_ids.length}`,
  }),
])

type UserWithLink = ManagementOutput<'user.add'>

function linkTexts(done: string) {
  return {
    what: 'link',
    secretOf: ({ link }: UserWithLink) => link,
    notes: (made: UserWithLink) => [
      `${done} ${nameOf(made)}. With the link above they choose their password, once, until ${made.link_expires_at}.`,
      'It works while the service runs, and is shown only now.',
    ],
    text: (made: UserWithLink, file: string) => `${done} ${nameOf(made)}; the link is in ${file}`,
    // A newer link replaces this one, which cannot be guessed in the meantime.
    takeBack: async ({ email, id }: UserWithLink) => `make another link: spoor user reset-link ${email ?? id}`,
  }
}

function nameOf({ email, id }: { email: string | null; id: string }): string {
  return email ?? `(no e-mail yet) ${id}`
}
