import type { MemberRow } from '#control/tables.ts'

/** A site as one of its members sees it (spec 2.1). */
export interface Site {
  /** Immutable uuid, lower case. */
  id: string
  account_id: string
  root_domain: string
  role: MemberRow['role']
}
