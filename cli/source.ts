import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { addConnectCommand } from './connect.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { jsonText, note, printJson, printLine, printTable } from './output.ts'
import { keptIn, type Secret, shown } from './secret.ts'
import { addSenderCommands } from './sender.ts'
import { reached } from './site.ts'

interface AddOptions extends CommonOptions {
  name: string
  secretFile?: string
}

/** `source` and its commands for every type of source; what connects one type only is added beside them. */
export function addSourceCommands(program: Command): void {
  const source = program.command('source').description('where evidence comes from: add, list, steer and end sources')
  addAdd(source)
  addConnectCommand(source)
  addList(source)
  addSenderCommands(source.command('sender').description('the programs that deliver to a source'))
  addTokenCommands(source.command('token').description('what senders deliver logs with'))

  withCommonOptions(
    source
      .command('primary')
      .description('let a source count, or not')
      .argument('<source>', 'its id or name')
      .argument('<on|off>', 'whether it counts', onOff),
  ).action(async (text: string, is_primary: boolean, options: CommonOptions) => {
    const changed = await reached(options, (way) => way.run('source.primary', { source: text, is_primary }))
    if (options.json) printJson(changed)
    else printLine(`${changed.name || changed.id} ${is_primary ? 'counts' : 'does not count any more'}`)
  })

  withCommonOptions(
    source
      .command('retire')
      .description('end the unnamed upload of a site beside named servers, or make its days those of one')
      .argument('<source>', 'its id')
      .option('--into <server>', 'the named server whose logs these were; it is made where it is new'),
  ).action(async (text: string, options: CommonOptions & { into?: string }) => {
    const { into } = options
    const input = { source: text, ...(into === undefined ? {} : { into }) }
    const retired = await reached(options, (way) => way.run('source.retire', input))
    if (options.json) printJson(retired)
    else if (into === undefined) printLine(`${retired.id} takes nothing more; what it covered keeps counting`)
    else printLine(`The days of ${retired.id} are those of ${into} now`)
  })

  for (const what of ['disconnect', 'reconnect'] as const) {
    withCommonOptions(
      source
        .command(what)
        .description(
          what === 'disconnect'
            ? 'take nothing more from a source; what it covered keeps counting'
            : 'take a disconnected source back under the same id',
        )
        .argument('<source>', 'its id or name'),
    ).action(async (text: string, options: CommonOptions) => {
      const changed = await reached(options, (way) => way.run(`source.${what}`, { source: text }))
      if (options.json) printJson(changed)
      else printLine(`${changed.name || changed.id} is ${changed.connection_status}`)
    })
  }
}

function addAdd(source: Command): void {
  withCommonOptions(
    source
      .command('add')
      .description('add a source that logs are delivered to over HTTPS; its token is shown this once')
      .argument('<site>', 'domain or id')
      .addOption(new Option('--type <type>', 'kind of source').choices(['https_intake']).default('https_intake'))
      .requiredOption('--name <name>', 'what the source is called, for example the server or the CDN')
      .option('--secret-file <file>', 'write the token to a new file (mode 0600) instead of printing it'),
  ).action(async (site: string, options: AddOptions) => {
    const { name } = options
    await tellSecret(options, {
      what: 'source',
      make: () => reached(options, (way) => way.run('source.add', { site, type: 'https_intake', name })),
      tokenOf: ({ token }) => token,
      without: ({ token: { secret: _secret, ...token }, ...added }) => ({ ...added, token }),
      told: (added) => `Added source ${added.id} of ${added.root_domain}.`,
    })
  })
}

function addList(source: Command): void {
  withCommonOptions(
    source
      .command('list')
      .description('list the sources of a site and their state')
      .requiredOption('--site <site>', 'domain or id'),
  ).action(async (options: CommonOptions & { site: string }) => {
    const { sources } = await reached(options, (way) => way.run('source.list', { site: options.site }))
    if (options.json) printJson({ sources })
    else if (sources.length === 0)
      printLine('No sources yet. Add one: spoor source add DOMAIN --name NAME, or import a log')
    else {
      const table = sources.map((row) => [
        row.name === '' ? '-' : row.name,
        row.source_type,
        row.id,
        stateText(row),
        row.is_primary ? 'yes' : row.has_ended ? 'its days' : 'no',
        row.data_through ?? 'nothing yet',
      ])
      printTable(['NAME', 'TYPE', 'ID', 'STATE', 'COUNTS', 'DATA THROUGH'], table)
    }
  })
}

function addTokenCommands(token: Command): void {
  withCommonOptions(
    token
      .command('create')
      .description('make a further token; it is shown this once')
      .argument('<source>', 'its id or name')
      .requiredOption('--name <name>', 'what the token is for, 1 to 64 characters')
      .option('--secret-file <file>', 'write the token to a new file (mode 0600) instead of printing it'),
  ).action(async (text: string, options: AddOptions) => {
    const { name } = options
    await tellSecret(options, {
      what: 'token',
      make: () => reached(options, (way) => way.run('source.token_create', { source: text, name })),
      tokenOf: (made) => made,
      without: ({ secret: _secret, ...made }) => made,
      told: (made) => `Created token ${made.id}.`,
    })
  })

  withCommonOptions(
    token.command('list').description('list the tokens of a source').argument('<source>', 'its id or name'),
  ).action(async (text: string, options: CommonOptions) => {
    const { tokens } = await reached(options, (way) => way.run('source.token_list', { source: text }))
    if (options.json) printJson({ tokens })
    else {
      const table = tokens.map((row) => [
        row.name,
        row.prefix,
        row.id,
        row.last_used_at ?? 'never',
        row.revoked_at ?? 'no',
      ])
      printTable(['NAME', 'PREFIX', 'ID', 'LAST USED', 'REVOKED'], table)
    }
  })

  withCommonOptions(
    token.command('revoke').description('end a token at once').argument('<token>', 'its id, prefix or secret'),
  ).action(async (text: string, options: CommonOptions) => {
    const revoked = await reached(options, (way) => way.run('source.token_revoke', { token: text }))
    if (options.json) printJson(revoked)
    else printLine(`Revoked ${revoked.name} (${revoked.prefix}) at ${revoked.revoked_at}`)
  })
}

interface MadeWithToken<Made> {
  what: string
  make: () => Promise<Made>
  tokenOf: (made: Made) => { id: string; secret: string }
  /** The same without its secret, for machines. */
  without: (made: Made) => object
  told: (made: Made) => string
}

/** Makes something with a token and shows it once, or keeps it in a file; a token nobody can have seen is revoked again. */
async function tellSecret<Made>(options: AddOptions, { what, make, tokenOf, without, told }: MadeWithToken<Made>) {
  const secret: Secret<Made> = {
    what,
    make,
    secretOf: (made) => tokenOf(made).secret,
    takeBack: (made) => revokeUnseen(options, tokenOf(made).id),
  }
  if (options.secretFile === undefined) {
    const made = await shown(secret, (one) => (options.json ? jsonText(one as object) : tokenOf(one).secret))
    if (!options.json) note(`${told(made)} The token above is shown only now: store it safely.`)
    return
  }
  const made = await keptIn(options.secretFile, secret)
  if (options.json) printJson({ ...without(made), secret_file: options.secretFile })
  else printLine(`${told(made)} Its token is in ${options.secretFile}`)
}

async function revokeUnseen(options: CommonOptions, token: string): Promise<string> {
  try {
    await reached(options, (way) => way.run('source.token_revoke', { token }))
    return 'its token is revoked again. Make another one where it can be written: spoor source token create'
  } catch {
    return `revoke its token, which could not be done here: spoor source token revoke ${token}`
  }
}

function stateText(source: ManagementOutput<'source.list'>['sources'][number]): string {
  const { connection_status, error_code, failed_hours } = source
  const [first] = failed_hours
  const failing =
    first === undefined ? [] : [`${failed_hours.length} hours fail from ${first.hour}: ${first.error_code}`]
  const reasons = [...(error_code === null ? [] : [error_code]), ...failing]
  return reasons.length === 0 ? connection_status : `${connection_status} (${reasons.join('; ')})`
}

function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Give on or off.')
  return text === 'on'
}
