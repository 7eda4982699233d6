import { type Command, Option } from 'commander'
import { ROLES, type Role } from '#contract/vocabulary.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { printJson, printLine, printTable } from './output.ts'
import { reached } from './site.ts'

interface SiteOptions extends CommonOptions {
  site: string
}
interface MemberOptions extends SiteOptions {
  user: string
}
interface RoleOptions extends MemberOptions {
  role: Role
}

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('say who sees a site, and in which role')

  withRole(member.command('add').description('make a person a member of a site')).action(
    async ({ site, user, role, ...options }: RoleOptions) => {
      const added = await reached(options, (way) => way.run('member.add', { site, user, role }))
      if (options.json) printJson(added)
      else printLine(`${added.email ?? added.user_id} is ${added.role} of ${added.root_domain}`)
    },
  )

  withSite(member.command('list').description('list the members of a site')).action(
    async ({ site, ...options }: SiteOptions) => {
      const { members } = await reached(options, (way) => way.run('member.list', { site }))
      if (options.json) return printJson({ members })
      const table = members.map((row) => [row.email ?? '(no e-mail yet)', row.user_id, row.role, row.created_at])
      printTable(['E-MAIL', 'ID', 'ROLE', 'SINCE'], table)
    },
  )

  withRole(member.command('set-role').description('give a member another role')).action(
    async ({ site, user, role, ...options }: RoleOptions) => {
      const changed = await reached(options, (way) => way.run('member.set_role', { site, user, role }))
      if (options.json) printJson(changed)
      else printLine(`${changed.email ?? changed.user_id} is ${changed.role} of ${changed.root_domain}`)
    },
  )

  withUser(member.command('remove').description('take a person from a site; their keys see it no more at once')).action(
    async ({ site, user, ...options }: MemberOptions) => {
      const removed = await reached(options, (way) => way.run('member.remove', { site, user }))
      if (options.json) return printJson(removed)
      const { email, user_id, root_domain, revoked_key_ids } = removed
      printLine(
        `${email ?? user_id} is no longer a member of ${root_domain}; keys that ended: ${revoked_key_ids.length}`,
      )
    },
  )
}

function withSite(command: Command): Command {
  return withCommonOptions(command.requiredOption('--site <site>', 'domain or id'))
}

function withUser(command: Command): Command {
  return withSite(command).requiredOption('--user <user>', 'e-mail or id')
}

function withRole(command: Command): Command {
  const role = new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory()
  return withUser(command).addOption(role)
}
