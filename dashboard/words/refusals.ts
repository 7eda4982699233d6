import type { Role } from '../../src/contract/vocabulary.ts'
import type { Refusal } from '../read/refusal.ts'

/** The words of a refusal, or a default if it has none. */
export function refusalWords(refusal: Refusal): string {
  if (refusal.status === 0) return 'The service did not answer. Check the connection and try again.'
  return refusal.detail ?? refusal.title
}

export const READ_FAILED = 'This could not be read. It is unknown for now. Nothing was lost.'
export const REBUILDING = 'Evidence is being rebuilt. No number is shown until it is complete.'
export const SWITCHED_OFF = 'This report is switched off for the site.'
export const STILL_READING = 'Still reading. Longer windows take longer the first time.'
export const NO_SUCH_SITE = 'There is no such site, or you are not a member of it.'
export const OWNERS_ONLY = 'Owners can do this.'
export const OPERATORS_ONLY = 'Operators of the installation can do this.'
export const ADMINS_ONLY = 'Admins of the account can do this.'
export const EDITORS_ONLY = 'Owners and editors can do this.'

/** Why this role may not change definitions; undefined if it may. */
export const editorsOnly = (role: Role | undefined): string | undefined =>
  role === 'owner' || role === 'editor' ? undefined : EDITORS_ONLY
/** The same for actions of owners. */
export const ownersOnly = (role: Role | undefined): string | undefined => (role === 'owner' ? undefined : OWNERS_ONLY)
