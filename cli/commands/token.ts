import { Option } from 'commander'
import { TOKEN_SCOPES } from '#contract/vocabulary.ts'
import { formatCount } from '#quantities.ts'
import { group, operation } from '../command.ts'
import { argument, option, optional, required } from '../input/parameters.ts'
import { readNameOf } from '../input/value-forms.ts'
import { tableOr } from '../output.ts'
import { issued, secretOperation, takenBack } from '../secret.ts'

const scope = new Option('--scope <scope>', 'what the token may do').choices(TOKEN_SCOPES).makeOptionMandatory()
const token = argument('<token>', 'its id, prefix or secret')

export const tokenCommands = group(
  'token',
  'account tokens for the account API and MCP: create, list, rotate, revoke',
  [
    secretOperation('token.create', 'create a token; its secret is shown only once', {
      parameters: {
        name: required('--name <name>', 'what the token is for, 1 to 64 characters', readNameOf('a token')),
        scope: option<'read' | 'write'>(scope),
        user: optional('--user <user>', 'whose token it is (e-mail or id); left out: the operator'),
      },
      ...issued('token', 'token.revoke'),
    }),
    operation('token.list', 'list the tokens', {
      text: ({ tokens }) =>
        tableOr('No tokens yet. Create one: spoor token create --name reading --scope read', tokens, {
          NAME: 'name',
          SCOPE: 'scope',
          PREFIX: 'prefix',
          ID: 'id',
          OF: (row) => row.email ?? row.user_id,
          'LAST USED': ['last_used_at', 'never'],
          'DEPRECATED CALLS': ({ deprecated_uses: uses }) =>
            uses.map(({ operation, requests }) => `${operation} ${formatCount(requests)}`).join(', ') || 'none',
          REVOKED: ['revoked_at', 'no'],
        }),
    }),
    operation('token.revoke', 'revoke a token immediately', {
      parameters: { token },
      text: ({ name, prefix, revoked_at }) => `Revoked ${name} (${prefix}) at ${revoked_at}`,
    }),
    secretOperation(
      'token.rotate',
      'create a token in place of another and revoke that one; the new secret is shown only once',
      {
        parameters: { token },
        what: 'token',
        secret_name: 'secret',
        secretOf: ({ secret }) => secret,
        notes: ({ id, revoked }) => [
          `Created token ${id} and revoked ${revoked.prefix}. The secret above is shown only now: store it safely.`,
        ],
        text: ({ id, revoked }, file) =>
          `Created token ${id} and revoked ${revoked.prefix}; the new secret is in ${file}`,
        takeBack: ({ id, revoked }, _input, run) =>
          takenBack(
            run('token.revoke', { token: id }),
            `the new token was revoked, and so was ${revoked.prefix}; to make another one: spoor token create`,
            `revoking the new token failed as well; revoke it: spoor token revoke ${id}`,
          ),
      },
    ),
  ],
)
