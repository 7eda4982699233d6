import type { Session } from '../read/operations.ts'

export interface ShownSubjects {
  site: string | undefined
  brand: string | undefined
}

/**
 * The site and the brand whose pages the navigation, its keys and Find lead to: those of the address, beside a site its
 * brand, and beside a brand its site. Without such a brand it is the first one of the account.
 */
export function shownSubjects(
  { sites, brands }: Pick<Session, 'sites' | 'brands'>,
  named: Partial<ShownSubjects>,
): ShownSubjects {
  const named_brand = brands.find(({ id }) => id === named.brand)
  const site = sites.find(({ id }) => id === named.site) ?? sites.find(({ id }) => id === named_brand?.site_id)
  const brand = named_brand ?? brands.find(({ site_id }) => site_id !== null && site_id === site?.id) ?? brands[0]
  return { site: site?.id, brand: brand?.id }
}
