import type { AccountState } from './account-access.ts'

/** Whose sites a request may see: a member, on all of their sites or on named ones. */
export interface Viewer {
  readonly user_id: string
  /** Null: every site of the member. A list: those of them that the member still has. */
  readonly site_ids: readonly string[] | null
}

/** The bearer of a site key, as one request's key says; never kept for the next request (decisions 2). */
export interface SiteKeyCaller extends Viewer {
  readonly kind: 'site_key'
  readonly key_id: string
  readonly account_id: string
}

/** A person who signed in. */
export interface SessionCaller extends Viewer {
  readonly kind: 'session'
  readonly account_id: string
  readonly account_role: 'admin' | 'member'
  readonly is_operator: boolean
  readonly session_id: string
  /** When the password was last given, epoch milliseconds. */
  readonly confirmed_at: number
}

/** The bearer of an account token: a program that acts for a member. */
export interface AccountTokenCaller extends Viewer {
  readonly kind: 'account_token'
  readonly token_id: string
  readonly account_id: string
  readonly account_role: 'admin' | 'member'
  readonly may_write: boolean
  /** As of the request; a closed account is refused before anything else is looked at (account API 1). */
  readonly account: AccountState
}

/** The person at the machine: every site of the installation with an owner's role, and the installation (rules 7). */
export interface OperatorCaller {
  readonly kind: 'operator'
  readonly account_id: string
}

/** Who calls an operation. */
export type Caller = SiteKeyCaller | SessionCaller | AccountTokenCaller | OperatorCaller
