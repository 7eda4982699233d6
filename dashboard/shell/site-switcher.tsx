import { useNavigate, useRouterState } from '@tanstack/react-router'
import { SelectField } from '../forms/select.tsx'
import type { SessionSite } from '../read/operations.ts'
import { useReportSearch } from '../read/use-report.ts'

const ALL = 'all'

/** Another site on the same page with the same filters. */
export function SiteSwitcher({ sites, site }: { sites: readonly SessionSite[]; site: string | undefined }) {
  const navigate = useNavigate()
  const search = useReportSearch()
  const path = useRouterState({ select: ({ matches }) => String(matches.at(-1)?.fullPath) })
  const choose = (chosen: string) => {
    if (chosen === ALL) return navigate({ to: '/sites' } as never)
    // A page about one thing of the old site, such as a page or an issue, has no counterpart.
    const to = /^\/sites\/\$site\/[\w-]+\/?$/.test(path) ? path : '/sites/$site/performance'
    const { window, purpose } = search
    return navigate({ to, params: { site: chosen }, search: { window, purpose } } as never)
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
