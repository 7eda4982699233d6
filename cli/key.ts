import type { Command } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { type CommonOptions, collect, withCommonOptions } from './options.ts'
import { jsonText, note, printJson, printLine, printTable } from './output.ts'
import { keptIn, type Secret, shown } from './secret.ts'
import { reached } from './site.ts'

interface CreateOptions extends CommonOptions {
  name: string
  site: string[]
  user?: string
  secretFile?: string
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('create, list and revoke API keys for reading')

  withCommonOptions(
    key
      .command('create')
      .description('create a key; its secret is shown this once')
      .requiredOption('--name <name>', 'what the key is for, 1 to 64 characters')
      .option(
        '--site <site>',
        'let the key see only this site (domain or id); repeatable; left out: every site',
        collect,
        [],
      )
      .option('--user <user>', 'whose key it is and whose sites it sees (e-mail or id); left out: the operator')
      .option('--secret-file <file>', 'write the secret to a new file (mode 0600) instead of printing it'),
  ).action(async (options: CreateOptions) => {
    const { secretFile, user } = options
    const asked = { name: options.name, sites: options.site, ...(user === undefined ? {} : { user }) }
    const key: Secret<ManagementOutput<'key.create'>> = {
      what: 'key',
      make: () => reached(options, (way) => way.run('key.create', asked)),
      secretOf: ({ secret }) => secret,
      takeBack: ({ id }) => revokeUnseen(options, id),
    }
    if (secretFile === undefined) {
      const { id } = await shown(key, (made) => (options.json ? jsonText(made) : made.secret))
      if (!options.json) note(`Created key ${id}. The secret above is shown only now: store it safely.`)
    } else {
      const { id, prefix } = await keptIn(secretFile, key)
      if (options.json) printJson({ id, prefix, secret_file: secretFile })
      else printLine(`Created key ${id}; its secret is in ${secretFile}`)
    }
  })

  withCommonOptions(key.command('list').description('list the keys')).action(async (options: CommonOptions) => {
    const { keys } = await reached(options, (way) => way.run('key.list', {}))
    if (options.json) printJson({ keys })
    else if (keys.length === 0) printLine('No keys yet. Create one: spoor key create --name reading')
    else {
      const table = keys.map((row) => [
        row.name,
        row.prefix,
        row.id,
        sees(row.sites),
        row.last_used_at ?? 'never',
        row.revoked_at ?? 'no',
      ])
      printTable(['NAME', 'PREFIX', 'ID', 'SEES', 'LAST USED', 'REVOKED'], table)
    }
  })

  withCommonOptions(
    key.command('revoke').description('end a key at once').argument('<key>', 'its id, prefix or secret'),
  ).action(async (text: string, options: CommonOptions) => {
    const revoked = await reached(options, (way) => way.run('key.revoke', { key: text }))
    if (options.json) printJson(revoked)
    else printLine(`Revoked ${revoked.name} (${revoked.prefix}) at ${revoked.revoked_at}`)
  })
}

async function revokeUnseen(options: CommonOptions, id: string): Promise<string> {
  try {
    await reached(options, (way) => way.run('key.revoke', { key: id }))
    return 'the key is revoked again. Create another one where its secret can be written'
  } catch {
    return `revoke the key, which could not be done here: spoor key revoke ${id}`
  }
}

function sees(sites: ManagementOutput<'key.list'>['keys'][number]['sites']): string {
  if (sites === null) return 'every site'
  return sites.length === 0 ? 'no site' : sites.map((site) => `${site.root_domain} (${site.id})`).join(', ')
}
