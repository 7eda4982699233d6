import type { ManagementOutput } from '#contract/management-api/index.ts'
import { group, operation } from '../command.ts'
import { argument, optional, required } from '../input/parameters.ts'
import { sitesArgument } from '../input/site-argument.ts'
import { readNameOf } from '../input/value-forms.ts'
import { tableOr } from '../output.ts'
import { issued, secretOperation } from '../secret.ts'

export const keyCommands = group('key', 'create, list and revoke API keys for reading', [
  secretOperation('key.create', 'create a key; its secret is shown only once', {
    parameters: {
      name: required('--name <name>', 'what the key is for, 1 to 64 characters', readNameOf('a key')),
      sites: sitesArgument('domain or id of each site that the key may read (default: every site)'),
      user: optional('--user <user>', 'whose key it is and whose sites it sees: e-mail or id (default: the operator)'),
    },
    ...issued('key', 'key.revoke'),
  }),
  operation('key.list', 'list the keys', {
    text: ({ keys }) =>
      tableOr('No keys yet. Create one: spoor key create --name reading', keys, {
        NAME: 'name',
        PREFIX: 'prefix',
        ID: 'id',
        SEES: ({ sites }) => sitesText(sites),
        'LAST USED': ['last_used_at', 'never'],
        REVOKED: ['revoked_at', 'no'],
      }),
  }),
  operation('key.revoke', 'revoke a key immediately', {
    parameters: { key: argument('<key>', 'its id, prefix or secret') },
    text: ({ name, prefix, revoked_at }) => `Revoked ${name} (${prefix}) at ${revoked_at}`,
  }),
])

function sitesText(sites: ManagementOutput<'key.list'>['keys'][number]['sites']): string {
  if (sites === null) return 'every site'
  return sites.length === 0 ? 'no site' : sites.map((site) => `${site.root_domain} (${site.id})`).join(', ')
}
