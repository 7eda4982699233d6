/** What a role on a site permits: the one table that the server and its tests read (decisions 2). */
import type { MemberRow } from '#control/tables.ts'

export type MemberRole = MemberRow['role']

export const PERMISSIONS = {
  /** Everything of the site: answers, definitions, sources, issues. */
  read: ['owner', 'editor', 'viewer'],
  import_logs: ['owner', 'editor'],
  /** Properties, conversions and funnels. */
  edit_definitions: ['owner', 'editor'],
  edit_questions: ['owner', 'editor'],
  act_on_fixes: ['owner', 'editor'],
  manage_sources: ['owner'],
  /** API keys, and public ids and server keys of the tracker. */
  manage_keys: ['owner'],
  /** Enabling and disabling it. */
  switch_tracker: ['owner'],
  manage_members: ['owner'],
  choose_primary: ['owner'],
  assign_authority: ['owner'],
  set_gates: ['owner'],
  set_retention: ['owner'],
  set_privacy_floor: ['owner'],
  /** Whether visitors who ask not to be counted are left out. */
  set_opt_out: ['owner'],
  delete_site: ['owner'],
  verify_fixes: ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>

export type Permission = keyof typeof PERMISSIONS

export function may(role: MemberRole, permission: Permission): boolean {
  const roles: readonly MemberRole[] = PERMISSIONS[permission]
  return roles.includes(role)
}
