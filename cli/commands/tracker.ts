import { Argument, Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { readDevelopmentOrigin } from '#tracker/development/development-origin.ts'
import { judgedBy } from '../bad-usage.ts'
import { type CommandContext, group, operation } from '../command.ts'
import { asTypedHere } from '../host/program-name.ts'
import { argument, mapped, option, positional } from '../input/parameters.ts'
import { lines, table, tableOr } from '../output.ts'
import { secretOperation, takenBack } from '../secret.ts'
import { siteArgument as site } from './site.ts'

const KEY_COLUMNS = {
  KIND: 'kind',
  KEY: 'prefix',
  ID: 'id',
  CREATED: 'created_at',
  REVOKED: ['revoked_at', 'no'],
} as const
const setting = new Argument('[setting]', 'honour: leave them out, the default; ignore: count them')
const kind = new Option('--kind <kind>', 'server: a secret for /collect/server; public: an id for another snippet')

const trackerKeyCommands = group('key', 'public ids for snippets, and keys that servers send events with', [
  secretOperation('tracker.key_create', 'create another key; a server key is shown only once', {
    parameters: {
      site,
      kind: option<'public' | 'server'>(kind.choices(['server', 'public']).default('server')),
    },
    what: 'key',
    secretOf: ({ secret }) => secret,
    // A public key can be shown again.
    isSecret: ({ kind }) => kind === 'server',
    notes: ({ id, kind }) => [
      kind === 'server'
        ? `Created server key ${id}. The key above is shown only now: store it safely.`
        : `Created public key ${id}. The key above is not secret: spoor tracker show prints it again.`,
    ],
    text: ({ id, kind }, file) => `Created ${kind} key ${id}; it is in ${file}`,
    takeBack: ({ id: key }, { site }, run) =>
      takenBack(
        run('tracker.key_revoke', { site, key }),
        'the key was revoked. Make another one when it can be written: spoor tracker key create',
        `revoking the key failed as well; revoke it: spoor tracker key revoke ${site} ${key}`,
      ),
  }),
  operation('tracker.key_list', 'list the keys of a tracker', {
    parameters: { site },
    text: ({ keys }) =>
      tableOr('No tracker keys yet. Make the first one: spoor tracker enable SITE', keys, KEY_COLUMNS),
  }),
  operation('tracker.key_revoke', 'revoke a key; events sent with it are refused within seconds', {
    parameters: { site, key: argument('<key>', 'its id, prefix or whole text') },
    text: ({ kind, prefix, revoked_at }) => `Revoked ${kind} key ${prefix} at ${revoked_at}`,
  }),
])

const origin = argument(
  '<origin>',
  'scheme, host and port, for example http://localhost:3000',
  judgedBy(readDevelopmentOrigin),
)

const trackerOriginCommands = group(
  'origin',
  'development origins, such as http://localhost:3000: their events are kept apart',
  [
    operation('tracker.origin_add', 'accept events of pages there; prints the snippet to try it with', {
      parameters: { site, origin },
      text: ({ root_domain, origin, snippet }) =>
        lines(
          `Events from ${origin} are accepted for ${root_domain} and kept apart from visitors’ events.`,
          snippet === null
            ? asTypedHere(`The site has no public key yet. Make one: spoor tracker enable ${root_domain}`)
            : `Put this into the head of your pages there:\n\n  ${snippet}\n\nThen open one, and ask for what it sent: GET /v1/sites/${root_domain}/overview?include=development`,
        ),
    }),
    operation('tracker.origin_list', 'list the development origins of a site', {
      parameters: { site },
      text: ({ root_domain, origins }) =>
        tableOr(
          `No development origins yet. Add one: spoor tracker origin add ${root_domain} http://localhost:3000`,
          origins,
          { ORIGIN: 'origin', ADDED: 'added_at' },
        ),
    }),
    operation('tracker.origin_remove', 'refuse further events from an origin; stored events are kept', {
      parameters: { site, origin },
      text: ({ root_domain, origin }) => `Events from ${origin} are no longer accepted for ${root_domain}.`,
    }),
  ],
)

export const trackerCommands = group(
  'tracker',
  'the script that counts visits: enable, disable, keys, development origins',
  [
    operation('tracker.enable', 'start counting visits of a site; prints the snippet for its pages', {
      parameters: { site },
      text: (tracker) => lines(stateText(tracker), snippetText(tracker)),
      notes: unreachableNotes,
    }),
    operation('tracker.disable', 'stop accepting events until it is enabled again; earlier counts are kept', {
      parameters: { site },
      text: stateText,
    }),
    operation('tracker.show', 'show the state of a tracker, its snippet and its keys', {
      parameters: { site },
      text: trackerText,
      notes: unreachableNotes,
    }),
    operation('tracker.opt_out', 'show or set whether visitors whose browsers send Sec-GPC or DNT are left out', {
      parameters: {
        site,
        honours_opt_out: mapped(positional<string | undefined>(setting.choices(['honour', 'ignore'])), (setting) =>
          setting === undefined ? undefined : setting === 'honour',
        ),
      },
      text: ({ root_domain, honours_opt_out }) =>
        `${root_domain} ${honours_opt_out ? 'leaves out' : 'counts'} visitors whose browsers send Sec-GPC or DNT.`,
    }),
    trackerKeyCommands,
    trackerOriginCommands,
  ],
)

type Tracker = ManagementOutput<'tracker.show'>

function stateText({ root_domain, state }: Tracker): string {
  return `The tracker of ${root_domain} is ${state}.`
}

function trackerText(tracker: Tracker): string {
  const { root_domain, state, disabled_at, first_event_at, last_event_at } = tracker
  return lines(
    `The tracker of ${root_domain} is ${state}${disabled_at === null ? '' : ` since ${disabled_at}`}.`,
    first_event_at === null
      ? 'No event yet, not counting development origins.'
      : `First event ${first_event_at}, newest ${last_event_at}.`,
    snippetText(tracker),
    '',
    table(tracker.keys, KEY_COLUMNS),
  )
}

function snippetText({ root_domain, state, snippet }: Tracker): string {
  if (state === 'disabled') {
    const enable = asTypedHere(`Nothing is collected until it is enabled again: spoor tracker enable ${root_domain}`)
    return snippet === null ? enable : `${enable}\nPages can keep their snippet meanwhile:\n\n  ${snippet}`
  }
  return snippet === null
    ? asTypedHere('It has no public id. Make one: spoor tracker enable SITE')
    : `Put this into the head of every page:\n\n  ${snippet}`
}

/** Why browsers cannot load the script from the origin of a snippet, as far as that is known. */
function unreachableNotes({ snippet, state }: Tracker, _input: unknown, { json }: CommandContext): string[] {
  const origin = /src="([^"]+)\/spoor\.js/.exec(snippet ?? '')?.[1]
  if (json || state === 'disabled' || origin === undefined) return []
  const { hostname, protocol } = new URL(origin)
  const is_local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (!is_local && protocol !== 'http:') return []
  const trouble = is_local
    ? `only this machine can reach ${origin}.`
    : `pages that are served by https load nothing from ${origin}.`
  return [
    `Note: ${trouble} Set SPOOR_PUBLIC_URL to where browsers reach the service, restart it, and copy the snippet again.`,
  ]
}
