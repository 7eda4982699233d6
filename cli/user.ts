import type { Command } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { jsonText, note, printJson, printLine, printTable } from './output.ts'
import { keptIn, type Secret, shown } from './secret.ts'
import { reached } from './site.ts'

interface LinkOptions extends CommonOptions {
  secretFile?: string
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('add, list and remove people, and make their one-time links')

  withLinkOptions(
    user
      .command('add')
      .description('add a person; the link to choose their password is shown this once')
      .argument('<email>', 'the e-mail address they sign in with')
      .option('--operator', 'let them steer the installation itself'),
  ).action(async (email: string, options: LinkOptions & { operator?: true }) => {
    const input = { email, is_operator: options.operator === true }
    await showLink(options, 'Added', () => reached(options, (way) => way.run('user.add', input)))
  })

  withCommonOptions(user.command('list').description('list the people')).action(async (options: CommonOptions) => {
    const { users } = await reached(options, (way) => way.run('user.list', {}))
    if (options.json) return printJson({ users })
    const table = users.map((row) => [
      nameOf(row),
      row.id,
      row.is_operator ? 'yes' : 'no',
      String(row.sites),
      row.has_password ? 'yes' : 'no',
      row.created_at,
    ])
    printTable(['E-MAIL', 'ID', 'OPERATOR', 'SITES', 'PASSWORD', 'ADDED'], table)
  })

  withLinkOptions(
    user
      .command('reset-link')
      .description('make a link to choose a password; the person’s earlier link ends')
      .argument('[user]', 'e-mail or id; left out: the operator'),
  ).action(async (text: string | undefined, options: LinkOptions) => {
    const input = text === undefined ? {} : { user: text }
    await showLink(options, 'A new link for', () => reached(options, (way) => way.run('user.reset_link', input)))
  })

  withCommonOptions(
    user
      .command('remove')
      .description('remove a person with their memberships, keys and password, for good')
      .argument('<user>', 'e-mail or id'),
  ).action(async (text: string, options: CommonOptions) => {
    const removed = await reached(options, (way) => way.run('user.remove', { user: text }))
    if (options.json) printJson(removed)
    else printLine(`Removed ${nameOf(removed)}; keys that ended: ${removed.revoked_key_ids.length}`)
  })
}

function withLinkOptions(command: Command): Command {
  return withCommonOptions(
    command.option('--secret-file <file>', 'write the link to a new file (mode 0600) instead of printing it'),
  )
}

/** The link alone is on standard output, so that it can be piped to where it is needed. */
async function showLink(
  { secretFile, json }: LinkOptions,
  what: string,
  make: () => Promise<ManagementOutput<'user.add'>>,
): Promise<void> {
  const secret: Secret<ManagementOutput<'user.add'>> = {
    what: 'link',
    make,
    secretOf: ({ link }) => link,
    // A newer link ends this one, and nobody can guess it until then.
    takeBack: async (made) => `make another link: spoor user reset-link ${made.email ?? made.id}`,
  }
  if (secretFile === undefined) {
    const made = await shown(secret, (one) => (json ? jsonText(one) : one.link))
    if (json) return
    note(`${what} ${nameOf(made)}. The link above chooses their password, once, until ${made.link_expires_at}.`)
    note('It opens while the service runs, and is shown only now.')
  } else {
    const { link: _secret, ...told } = await keptIn(secretFile, secret)
    if (json) printJson({ ...told, secret_file: secretFile })
    else printLine(`${what} ${nameOf(told)}; the link is in ${secretFile}`)
  }
}

function nameOf({ email, id }: { email: string | null; id: string }): string {
  return email ?? `(no e-mail yet) ${id}`
}
