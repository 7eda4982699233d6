import { Option } from 'commander'
import { ROLES, type Role } from '#contract/vocabulary.ts'
import { group, operation } from '../command.ts'
import { option, required } from '../input/parameters.ts'
import { table } from '../output.ts'
import { siteArgument as site } from './site.ts'

const user = required('--user <user>', 'e-mail or id')
const role = option<Role>(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())

export const memberCommands = group('member', 'list, add and remove the members of a site', [
  operation('member.add', 'add a person to a site', {
    parameters: { site, user, role },
    text: roleText,
  }),
  operation('member.list', 'list the members of a site', {
    parameters: { site },
    text: ({ members }) =>
      table(members, { 'E-MAIL': ['email', '(no e-mail yet)'], ID: 'user_id', ROLE: 'role', SINCE: 'created_at' }),
  }),
  operation('member.set_role', 'give a member another role', {
    parameters: { site, user, role },
    text: roleText,
  }),
  operation('member.remove', 'remove a person from a site; their keys can no longer read it', {
    parameters: { site, user },
    text: ({ email, user_id, root_domain, revoked_key_ids }) =>
      `${email ?? user_id} is no longer a member of ${root_domain}; keys revoked: ${revoked_key_ids.length}`,
  }),
])

function roleText(member: { email: string | null; user_id: string; role: Role; root_domain: string }): string {
  return `${member.email ?? member.user_id} is ${member.role} of ${member.root_domain}`
}
