import { Argument, type Command, Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { jsonText, note, printJson, printLine, printTable } from './output.ts'
import { keptIn, type Secret, shown } from './secret.ts'
import { reached } from './site.ts'

interface CreateOptions extends CommonOptions {
  kind: 'public' | 'server'
  secretFile?: string
}

export function addTrackerCommands(program: Command): void {
  const tracker = program
    .command('tracker')
    .description('the script that counts visits: switch it on and off, its keys')

  for (const [name, description] of [
    ['enable', 'let a site be counted; prints the snippet for its pages'],
    ['disable', 'accept nothing more until it is enabled again; what was counted stays'],
    ['show', 'show the state of a tracker, its snippet and its keys'],
  ] as const) {
    withCommonOptions(tracker.command(name).description(description).argument('<site>', 'domain or id')).action(
      async (site: string, options: CommonOptions) => {
        const answer = await reached(options, (way) => way.run(`tracker.${name}`, { site }))
        if (options.json) return printJson(answer)
        if (name === 'show') return printTracker(answer)
        printLine(`The tracker of ${answer.root_domain} is ${answer.state}.`)
        if (name === 'enable') printSnippet(answer)
      },
    )
  }

  withCommonOptions(
    tracker
      .command('opt-out')
      .description('show or set whether visitors whose browsers send Sec-GPC or DNT are left out')
      .argument('<site>', 'domain or id')
      .addArgument(
        new Argument('[setting]', 'honour: leave them out, the default; ignore: count them').choices([
          'honour',
          'ignore',
        ]),
      ),
  ).action(async (site: string, setting: 'honour' | 'ignore' | undefined, options: CommonOptions) => {
    const asked = { site, ...(setting === undefined ? {} : { honours_opt_out: setting === 'honour' }) }
    const settled = await reached(options, (way) => way.run('tracker.opt_out', asked))
    if (options.json) return printJson(settled)
    const does = settled.honours_opt_out ? 'leaves out' : 'counts'
    printLine(`${settled.root_domain} ${does} visitors whose browsers send Sec-GPC or DNT.`)
  })

  addKeyCommands(tracker.command('key').description('public ids for snippets, and keys that servers send events with'))
}

function addKeyCommands(key: Command): void {
  withCommonOptions(
    key
      .command('create')
      .description('make a further key; that of a server is shown this once')
      .argument('<site>', 'domain or id')
      .addOption(
        new Option('--kind <kind>', 'server: a secret for /collect/server; public: an id for another snippet')
          .choices(['server', 'public'])
          .default('server'),
      )
      .option('--secret-file <file>', 'write the key to a new file (mode 0600) instead of printing it'),
  ).action(async (site: string, options: CreateOptions) => {
    const { kind, secretFile } = options
    const made: Secret<ManagementOutput<'tracker.key_create'>> = {
      what: 'key',
      make: () => reached(options, (way) => way.run('tracker.key_create', { site, kind })),
      secretOf: ({ secret }) => secret,
      takeBack: ({ id }) => revokeUnseen(options, site, id),
    }
    if (secretFile === undefined) {
      const { id } = await shown(made, (one) => (options.json ? jsonText(one) : one.secret))
      const secrecy =
        kind === 'server' ? 'is shown only now: store it safely' : 'is no secret: tracker show has it again'
      if (!options.json) note(`Created ${kind} key ${id}. The key above ${secrecy}.`)
      return
    }
    const { secret: _kept, ...shownOf } = await keptIn(secretFile, made)
    if (options.json) printJson({ ...shownOf, secret_file: secretFile })
    else printLine(`Created ${kind} key ${shownOf.id}; it is in ${secretFile}`)
  })

  withCommonOptions(
    key.command('list').description('list the keys of a tracker').argument('<site>', 'domain or id'),
  ).action(async (site: string, options: CommonOptions) => {
    const { keys } = await reached(options, (way) => way.run('tracker.key_list', { site }))
    if (options.json) printJson({ keys })
    else if (keys.length === 0) printLine('No tracker keys yet. Make the first one: spoor tracker enable SITE')
    else printKeys(keys)
  })

  withCommonOptions(
    key
      .command('revoke')
      .description('end a key; events sent with it are refused within seconds')
      .argument('<site>', 'domain or id')
      .argument('<key>', 'its id, prefix or whole text'),
  ).action(async (site: string, text: string, options: CommonOptions) => {
    const revoked = await reached(options, (way) => way.run('tracker.key_revoke', { site, key: text }))
    if (options.json) printJson(revoked)
    else printLine(`Revoked ${revoked.kind} key ${revoked.prefix} at ${revoked.revoked_at}`)
  })
}

type Shown = ManagementOutput<'tracker.show'>

function printTracker(tracker: Shown): void {
  const { root_domain, state, disabled_at, first_event_at, last_event_at } = tracker
  printLine(`The tracker of ${root_domain} is ${state}${disabled_at === null ? '' : ` since ${disabled_at}`}.`)
  printLine(first_event_at === null ? 'No event yet.' : `First event ${first_event_at}, newest ${last_event_at}.`)
  printSnippet(tracker)
  printLine()
  printKeys(tracker.keys)
}

function printSnippet({ snippet }: Shown): void {
  if (snippet === null) {
    printLine('It has no public id: spoor tracker enable SITE makes one.')
    return
  }
  printLine(`Put this into the head of every page:\n\n  ${snippet}`)
  const [, origin = ''] = /src="([^"]+)\/spoor\.js/.exec(snippet) ?? []
  const trouble = unreachable(origin)
  if (trouble === null) return
  note(
    `Note: ${trouble} Set SPOOR_PUBLIC_URL to where browsers reach the service, restart it, and copy the snippet again.`,
  )
}

/** Why browsers would load no script from an origin; null where nothing is known against it. */
function unreachable(origin: string): string | null {
  const { hostname, protocol } = new URL(origin)
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return `only this machine reaches ${origin}.`
  return protocol === 'http:' ? `pages that are served by https load nothing from ${origin}.` : null
}

function printKeys(keys: Shown['keys']): void {
  const table = keys.map((row) => [row.kind, row.prefix, row.id, row.created_at, row.revoked_at ?? 'no'])
  printTable(['KIND', 'KEY', 'ID', 'CREATED', 'REVOKED'], table)
}

async function revokeUnseen(options: CommonOptions, site: string, key: string): Promise<string> {
  try {
    await reached(options, (way) => way.run('tracker.key_revoke', { site, key }))
    return 'it is revoked again. Make another one where it can be written: spoor tracker key create'
  } catch {
    return `revoke it, which could not be done here: spoor tracker key revoke ${site} ${key}`
  }
}
