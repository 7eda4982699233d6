import { useQuery } from '@tanstack/react-query'
import type { Role } from '../../src/contract/vocabulary.ts'
import type { Session } from '../read/operations.ts'
import { sessionQuery } from '../read/queries.ts'
import { ADMINS_ONLY, EDITORS_ONLY, OPERATORS_ONLY, OWNERS_ONLY } from '../words/refusals.ts'
import { useSite } from './use-site.ts'

/** Why the person has no permission, as a sentence for `Button forbidden`; undefined if the person has it. */
export interface May {
  own: string | undefined
  edit: string | undefined
  operate: string | undefined
  administer: string | undefined
}

export function mayOf(role: Role | undefined, session: Session | undefined): May {
  return {
    own: role === 'owner' ? undefined : OWNERS_ONLY,
    edit: role === 'owner' || role === 'editor' ? undefined : EDITORS_ONLY,
    operate: session?.installation_role === 'operator' ? undefined : OPERATORS_ONLY,
    administer: session?.user.account_role === 'admin' ? undefined : ADMINS_ONLY,
  }
}

/** What the person may do on the site that is shown, and on the installation. */
export function useMay(): May {
  const { data: session } = useQuery(sessionQuery())
  return mayOf(useSite()?.role, session)
}
