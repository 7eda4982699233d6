import { useNavigate, useRouterState } from '@tanstack/react-router'
import { SelectField } from '../forms/select.tsx'
import type { SessionSite } from '../read/operations.ts'
import { useReportSearch } from '../read/use-report.ts'
import { onOtherSite } from './kept-search.ts'

const ALL = 'all'

/** Another site on the same page with the same filters. */
export function SiteSwitcher({ sites, site }: { sites: readonly SessionSite[]; site: string | undefined }) {
  const navigate = useNavigate()
  const search = useReportSearch()
  const path = useRouterState({ select: ({ matches }) => String(matches.at(-1)?.fullPath) })
  const choose = (chosen: string) => {
    if (chosen === ALL) return navigate({ to: '/sites' } as never)
    return navigate({ ...onOtherSite(path, search), params: { site: chosen } } as never)
  }
  const options = sites.map(({ id, root_domain }) => ({ key: id, label: root_domain }))
  return (
    <SelectField
      label="Site"
      is_label_hidden
      selected={site ?? ALL}
      options={[{ key: ALL, label: 'All sites' }, ...options]}
      onSelect={choose}
    />
  )
}
