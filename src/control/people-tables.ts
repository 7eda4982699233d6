/** Rows of the control store that speak of accounts and people (decisions 2). */
import type { Instant, Truth } from './tables.ts'

export interface AccountRow {
  id: string
  name: string
  status: 'active' | 'suspended'
  access: 'subscription' | 'trial' | 'prelaunch' | 'none'
  created_at: Instant
}

export interface UserRow {
  id: string
  account_id: string
  /** Null until the person has been named; the first user of an installation starts without an address. */
  email: string | null
  is_operator: Truth
  created_at: Instant
}

/** What a person signs in with; no row until one was chosen. */
export interface PasswordRow {
  user_id: string
  /** Algorithm, parameters, salt and tag in the PHC string format; never the password. */
  hash: string
  chosen_at: Instant
}

/** The one link in force with which a person chooses a password; a newer one replaces it, its use deletes it. */
export interface OneTimeLinkRow {
  user_id: string
  token_sha256: string
  /** 1: in force only until anybody has a password (rules 7). */
  is_first_run: Truth
  created_at: Instant
  expires_at: Instant
}
