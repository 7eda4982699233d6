/** Permissions, as data of operations; `accounts/roles.ts` says which role on a site holds which (decisions 2). */

export const SITE_PERMISSIONS = [
  /** Everything of the site: answers, definitions, sources, issues. */
  'read',
  'import_logs',
  /** Properties, conversions and funnels. */
  'edit_definitions',
  'edit_questions',
  'act_on_fixes',
  'manage_sources',
  /** API keys, and public ids and server keys of the tracker. */
  'manage_keys',
  /** Enabling and disabling it. */
  'switch_tracker',
  'manage_members',
  'choose_primary',
  'assign_authority',
  'set_gates',
  'set_retention',
  'set_privacy_floor',
  /** Whether visitors who ask not to be counted are left out. */
  'set_opt_out',
  'rename_site',
  'delete_site',
  'export_site',
  'verify_fixes',
  /** Saying that a refusal is wanted. */
  'mark_intended',
  /** Who is alerted of changes, and what became of the alerts. */
  'manage_alerts',
] as const
export type SitePermission = (typeof SITE_PERMISSIONS)[number]

/** `use_account`: everybody of the account; `administer_account`: its admins (account API 1). */
export const ACCOUNT_PERMISSIONS = ['use_account', 'administer_account'] as const

/** `operate`: managing the installation itself. No role on a site has it; operators do. */
export type Permission = SitePermission | (typeof ACCOUNT_PERMISSIONS)[number] | 'operate'
