/** What a role on a site permits: the one table that the server and its tests read (decisions 2). */
import type { SitePermission } from '#contract/permissions.ts'
import type { Role } from '#contract/vocabulary.ts'

export const PERMISSIONS: Record<SitePermission, readonly Role[]> = {
  read: ['owner', 'editor', 'viewer'],
  import_logs: ['owner', 'editor'],
  edit_definitions: ['owner', 'editor'],
  edit_questions: ['owner', 'editor'],
  act_on_fixes: ['owner', 'editor'],
  manage_sources: ['owner'],
  manage_keys: ['owner'],
  switch_tracker: ['owner'],
  manage_members: ['owner'],
  choose_primary: ['owner'],
  assign_authority: ['owner'],
  set_gates: ['owner'],
  set_retention: ['owner'],
  set_privacy_floor: ['owner'],
  set_opt_out: ['owner'],
  rename_site: ['owner'],
  delete_site: ['owner'],
  export_site: ['owner'],
  verify_fixes: ['owner'],
  mark_intended: ['owner'],
  manage_alerts: ['owner'],
}

/** Whether a role on a site grants a permission. */
export const may = (role: Role, permission: SitePermission): boolean => PERMISSIONS[permission].includes(role)
