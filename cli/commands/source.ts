import { Argument, Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { VANTAGES, type Vantage } from '#contract/vocabulary.ts'
import { countOf, formatCount } from '#quantities.ts'
import { group, operation } from '../command.ts'
import type { RunOperation } from '../folder/client.ts'
import { readOnOff } from '../input/argument-values.ts'
import { argument, option, optional, positional, required } from '../input/parameters.ts'
import { readNameOf, readServer } from '../input/value-forms.ts'
import { table, tableOr } from '../output.ts'
import { secretOperation, takenBack } from '../secret.ts'
import { connectCommand } from './connect.ts'
import { siteArgument as site } from './site.ts'

type ListedSource = ManagementOutput<'source.list'>['sources'][number]

const type = new Option('--type <type>', 'kind of source')
const source = argument('<source>', 'its id or name')

const tokenCommands = group('token', 'the secrets with which senders deliver logs', [
  secretOperation('source.token_create', 'create another token; it is shown only once', {
    parameters: {
      source,
      name: required('--name <name>', 'what the token is for, 1 to 64 characters', readNameOf('a token')),
    },
    what: 'token',
    secretOf: ({ secret }) => secret,
    notes: ({ id }) => [`Created token ${id}. The token above is shown only now: store it safely.`],
    text: ({ id }, file) => `Created token ${id}. Its token is in ${file}`,
    takeBack: ({ id }, _input, run) => revokeUnseen(run, id),
  }),
  operation('source.token_list', 'list the tokens of a source', {
    parameters: { source },
    text: ({ tokens }) =>
      table(tokens, {
        NAME: 'name',
        PREFIX: 'prefix',
        ID: 'id',
        'LAST USED': ['last_used_at', 'never'],
        REVOKED: ['revoked_at', 'no'],
      }),
  }),
  operation('source.token_revoke', 'revoke a token immediately', {
    parameters: { token: argument('<token>', 'its id, prefix or secret') },
    text: ({ name, prefix, revoked_at }) => `Revoked ${name} (${prefix}) at ${revoked_at}`,
  }),
])

/** `source sender`: which programs deliver to a source, and how to retire one that no longer exists. */
const senderCommands = group('sender', 'the programs that deliver to a source', [
  operation('source.sender_list', 'list the senders of a source, and the days that their silence makes partial', {
    parameters: { source: argument('<source>', 'its id or name') },
    text: ({ senders }) =>
      tableOr('No sender has delivered anything yet.', senders, {
        SENDER: (row) => (row.token_name === null ? row.name : `${row.name} (token ${row.token_name})`),
        'LAST DELIVERY': 'last_received_at',
        'EXPECTED UNTIL': (row) => (row.retired_at === null ? row.expected_until : `retired ${row.retired_at}`),
        'SILENT DAYS': silenceText,
      }),
  }),
  operation(
    'source.sender_retire',
    'stop expecting a sender that no longer delivers; what it delivered is still counted',
    {
      parameters: {
        source: argument('<source>', 'id or name of its source'),
        sender: argument('<sender>', 'its name'),
      },
      text: ({ name }) => `${name} is no longer expected; its next delivery makes it expected again`,
    },
  ),
])

/** `source` and its commands for every type of source; commands that connect one type only are in `connect.ts`. */
export const sourceCommands = group('source', 'where evidence comes from: add, list, change and disconnect sources', [
  secretOperation('source.add', 'add a source that receives logs over HTTPS; its token is shown only once', {
    parameters: {
      site,
      type: option<'https_intake'>(type.choices(['https_intake']).default('https_intake')),
      name: required(
        '--name <name>',
        'what the source is called, for example the server or the CDN',
        readNameOf('a source'),
      ),
    },
    what: 'source',
    secret_name: 'token',
    secretOf: ({ token }) => token.secret,
    notes: (added) => [`${addedText(added)} The token above is shown only now: store it safely.`],
    text: (added, file) => `${addedText(added)} Its token is in ${file}`,
    takeBack: ({ token }, _input, run) => revokeUnseen(run, token.id),
  }),
  connectCommand,
  operation('source.list', 'list the sources of a site and their state', {
    parameters: { site },
    text: ({ sources }) =>
      tableOr('No sources yet. Add one: spoor source add DOMAIN --name NAME, or import a log', sources, {
        NAME: (row) => (row.name === '' ? '-' : row.name),
        TYPE: 'source_type',
        ID: 'id',
        STATE: stateText,
        COUNTS: countsText,
        'DATA THROUGH': ['data_through', 'nothing yet'],
      }),
  }),
  senderCommands,
  tokenCommands,
  operation('source.primary', 'choose whether a source counts', {
    parameters: { source, is_primary: argument('<on|off>', 'whether it counts', readOnOff) },
    text: (changed, { is_primary }) => `${nameOf(changed)} ${is_primary ? 'counts' : 'no longer counts'}`,
  }),
  operation('source.vantage', 'choose whether a source sees the answers of the edge or of the origin', {
    parameters: {
      source,
      vantage: positional<Vantage>(new Argument('<edge|origin>', 'what it sees').choices(VANTAGES)),
    },
    text: (changed, { vantage }) => `${nameOf(changed)} sees the ${vantage}`,
  }),
  operation('source.retire', 'end the unnamed upload of a site with named servers, or assign its days to one of them', {
    parameters: {
      source: argument('<source>', 'its id'),
      into: optional(
        '--into <server>',
        'the server that wrote these logs; a new name adds a server',
        readServer('--into'),
      ),
    },
    text: ({ id }, { into }) =>
      into === undefined
        ? `${id} is disconnected; what it covered is still counted`
        : `The days of ${id} now belong to ${into}`,
  }),
  operation('source.disconnect', 'disconnect a source; what it covered is still counted', {
    parameters: { source },
    text: statusText,
  }),
  operation('source.reconnect', 'reconnect a disconnected source under the same id', {
    parameters: { source },
    text: statusText,
  }),
])

function addedText({ id, root_domain }: ManagementOutput<'source.add'>): string {
  return `Added source ${id} of ${root_domain}.`
}

function revokeUnseen(run: RunOperation, token: string): Promise<string> {
  return takenBack(
    run('source.token_revoke', { token }),
    'its token was revoked. Make another one when it can be written: spoor source token create',
    `revoking its token failed as well; revoke it: spoor source token revoke ${token}`,
  )
}

const nameOf = ({ name, id }: { name: string; id: string }) => name || id

function statusText(changed: ManagementOutput<'source.disconnect'>): string {
  return `${nameOf(changed)} is ${changed.connection_status}`
}

function countsText({ is_primary, has_ended }: ListedSource): string {
  if (is_primary) return 'yes'
  return has_ended ? 'its days' : 'no'
}

function stateText(source: ListedSource): string {
  const { connection_status, error_code, failed_hours } = source
  const [first] = failed_hours
  const failing =
    first === undefined
      ? []
      : [`${countOf(failed_hours.length, 'hour')} failed, the first ${first.hour}: ${first.error_code}`]
  const reasons = [...(error_code === null ? [] : [error_code]), ...failing]
  return reasons.length === 0 ? connection_status : `${connection_status} (${reasons.join('; ')})`
}

function silenceText({ silent_days }: ManagementOutput<'source.sender_list'>['senders'][number]): string {
  return silent_days.length === 0 ? '-' : `${formatCount(silent_days.length)}, last ${silent_days.at(-1)}`
}
