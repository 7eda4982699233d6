import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Command } from 'commander'
import { Refusal } from '#refusal.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { note, printJson, printLine, printTable } from './output.ts'
import { reached } from './site.ts'

interface CreateOptions extends CommonOptions {
  name: string
  site: string[]
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
      .option('--secret-file <file>', 'write the secret to a new file (mode 0600) instead of printing it'),
  ).action(async (options: CreateOptions) => {
    const { secretFile } = options
    const create = () => reached(options, (way) => way.run('key.create', { name: options.name, sites: options.site }))
    const created = secretFile === undefined ? await create() : await keptIn(secretFile, create)
    const { id, secret, prefix } = created
    if (options.json) printJson(secretFile === undefined ? created : { id, prefix, secret_file: secretFile })
    else if (secretFile === undefined) {
      printLine(secret)
      note(`Created key ${id}. The secret above is shown only now: store it safely.`)
    } else printLine(`Created key ${id}; its secret is in ${secretFile}`)
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
        row.sites === null ? 'every site' : row.sites.join(' '),
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

function collect(value: string, before: string[]): string[] {
  return [...before, value]
}

/** Makes a key with its secret in a new file, never over an existing one: that may be another key's secret. No file, no key. */
async function keptIn<K extends { secret: string }>(file: string, create: () => Promise<K>): Promise<K> {
  const descriptor = openNew(file)
  try {
    const created = await create()
    writeSync(descriptor, `${created.secret}\n`)
    return created
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function openNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Refusal(
      'invalid_input',
      `the secret file cannot be made (${cause}), so no key was created: name a new file`,
    )
  }
}
