import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../forms/select.tsx'
import { sessionQuery } from '../read/queries.ts'

export const NO_SITE = 'none'

interface SiteFieldProps {
  /** The id of a site, or `NO_SITE`. */
  selected: string
  onSelect: (site: string) => void
}

/** The site of a brand, among those that the person may see. */
export function SiteField({ selected, onSelect }: SiteFieldProps) {
  const { data: session } = useQuery(sessionQuery())
  const sites = session?.sites ?? []
  return (
    <SelectField
      label="Site"
      selected={selected}
      options={[
        { key: NO_SITE, label: 'No site' },
        ...sites.map(({ id, root_domain }) => ({ key: id, label: root_domain })),
      ]}
      onSelect={onSelect}
    />
  )
}
