/** Accounts, people, their sites and keys. */
import type { EpochMs, Truth } from './scalars.ts'

export interface AccountRow {
  id: string
  name: string
  status: 'active' | 'suspended'
  access: 'subscription' | 'trial' | 'prelaunch' | 'none'
  /** When a trial ends; null for every other access, and for a trial without an end. */
  access_ends_at: EpochMs | null
  /** How many active questions the brands of the account may have together (decisions 6). */
  active_question_limit: number
  created_at: EpochMs
}

export interface UserRow {
  id: string
  account_id: string
  /** Null until the person has been named; the first user of an installation starts without an address. */
  email: string | null
  is_operator: Truth
  /** Admins manage tokens, engine keys, budgets and brands (account API 1). */
  account_role: 'admin' | 'member'
  created_at: EpochMs
}

/** What a person signs in with; no row until one was chosen. */
export interface PasswordRow {
  user_id: string
  /** Algorithm, parameters, salt and tag in the PHC string format; never the password. */
  hash: string
  chosen_at: EpochMs
}

/** The one link in force with which a person chooses a password; a newer one replaces it, its use deletes it. */
export interface OneTimeLinkRow {
  user_id: string
  token_sha256: string
  /** 1: in force only until anybody has a password (rules 7). */
  is_first_run: Truth
  created_at: EpochMs
  expires_at: EpochMs
}

/** A browser that a person signed in with; the secret in its cookie is never stored. */
export interface SessionRow {
  id: string
  user_id: string
  secret_sha256: string
  /** As the browser called itself when it signed in, 200 characters at most; null when it said nothing. */
  user_agent: string | null
  created_at: EpochMs
  /** To within five minutes. */
  last_used_at: EpochMs
  /** When the password was last given in it. */
  confirmed_at: EpochMs
}

/** A link that signs a person in once, without a password. */
export interface SignInLinkRow {
  token_sha256: string
  user_id: string
  expires_at: EpochMs
}

/** A try to sign in that failed, or is being judged; forgotten after 15 minutes. */
export interface SignInTryRow {
  id: string
  /** Of the client's network or of the e-mail address: neither is stored. */
  subject_sha256: string
  tried_at: EpochMs
}

export interface SiteRow {
  id: string
  account_id: string
  /** Lower case, punycode, no `www.` (rules 1); unique per account among sites that are not removed. */
  root_domain: string
  created_at: EpochMs
  /** How many days evidence is kept (decisions 8). */
  retention_days: number
}

/** A former name of a site that still finds it (rules 1). */
export interface SiteAliasRow {
  site_id: string
  root_domain: string
  created_at: EpochMs
}

export interface MemberRow {
  site_id: string
  user_id: string
  role: 'owner' | 'editor' | 'viewer'
  created_at: EpochMs
}

/** A surface A key. The secret itself is never stored (decisions 2). */
export interface SiteKeyRow {
  id: string
  user_id: string
  name: string
  prefix: string
  secret_sha256: string
  /** 1: sees only the sites named in site_key_sites; 0: sees every site of its member. */
  is_restricted: Truth
  created_at: EpochMs
  revoked_at: EpochMs | null
  last_used_at: EpochMs | null
}

export interface SiteKeySiteRow {
  key_id: string
  site_id: string
}

/** A token of surface B and MCP. It ends with the person it was made for; its secret is never stored. */
export interface AccountTokenRow {
  id: string
  user_id: string
  name: string
  prefix: string
  secret_sha256: string
  scope: 'read' | 'write'
  created_at: EpochMs
  revoked_at: EpochMs | null
  last_used_at: EpochMs | null
}

/** How often a token called a deprecated route of surface B (account API 2.6). */
export interface DeprecatedUseRow {
  token_id: string
  /** Its id in the contract, such as `listVisibility`. */
  operation: string
  requests: number
  last_used_at: EpochMs
}
