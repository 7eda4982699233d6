import { useQuery } from '@tanstack/react-query'
import type { Role } from '../../src/contract/vocabulary.ts'
import type { Session } from '../read/operations.ts'
import { sessionQuery } from '../read/queries.ts'
import { useBrand } from './brand-page.tsx'

const EDITORS = 'Editors and owners of the brand’s site can do this.'
const EDITORS_OF_ANY = 'Admins of the account and editors of its sites can do this.'
const OWNERS = 'Owners of the brand’s site can do this.'
const OWNERS_OF_ANY = 'Admins of the account and owners of its sites can do this.'
const ADMINS = 'Admins of the account can do this.'

/** Why the person has no permission, as a sentence for `Button forbidden`; undefined if the person has it. */
export interface MayOnBrand {
  edit: string | undefined
  own: string | undefined
  administer: string | undefined
}

/** The roles on the site decide for a brand with a site. Admins and editors of any site edit a brand without one. */
export function mayOnBrand(session: Session | undefined, site_id: string | null | undefined): MayOnBrand {
  const is_admin = session?.user.account_role === 'admin'
  const has = (roles: readonly Role[]) =>
    (site_id === null && is_admin) ||
    session?.sites.some(({ id, role }) => (site_id === null || id === site_id) && roles.includes(role)) === true
  const [editors, owners] = site_id === null ? [EDITORS_OF_ANY, OWNERS_OF_ANY] : [EDITORS, OWNERS]
  return {
    edit: has(['owner', 'editor']) ? undefined : editors,
    own: has(['owner']) ? undefined : owners,
    administer: is_admin ? undefined : ADMINS,
  }
}

export function useMayOnBrand(): MayOnBrand {
  const { data: session } = useQuery(sessionQuery())
  return mayOnBrand(session, useBrand()?.site_id)
}
