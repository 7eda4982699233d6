import type { AccountRole, Role } from '../../src/contract/vocabulary.ts'

export const ROLE_WORDS: Record<Role, string> = { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' }

export const ROLE_ABOUT: Record<Role, string> = {
  owner: 'Everything, including sources, keys, members and deletion.',
  editor: 'Uploads logs, edits conversions, funnels and questions, acts on fixes.',
  viewer: 'Reads everything.',
}

export const ACCOUNT_ROLE_WORDS: Record<AccountRole, string> = { admin: 'Admin', member: 'Member' }
