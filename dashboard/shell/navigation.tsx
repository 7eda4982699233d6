import { useRouter } from '@tanstack/react-router'
import { PageLink } from '../controls/page-link.tsx'
import type { Session } from '../read/operations.ts'
import { useReportSearch } from '../read/use-report.ts'
import { visibleText } from '../words/foreign-text.ts'
import { keptSearch } from './kept-search.ts'
import { BRAND_ITEMS, footItems, type NavigationItem, SITE_GROUPS } from './navigation-items.ts'
import { OpenFixes, OpenIssues } from './open-counts.tsx'
import type { ShownSubjects } from './shown-subjects.ts'

interface NavigationProps extends ShownSubjects {
  session: Session
}

/** The pages by group; moving inside of a group keeps its filters. */
export function Navigation({ session, site, brand }: NavigationProps) {
  const { routesByPath } = useRouter()
  const exists = ({ to }: NavigationItem) => to in routesByPath
  const brand_shown = session.brands.find(({ id }) => id === brand)
  const brand_items = BRAND_ITEMS.filter(exists)
  const foot = footItems(session)
    .filter(exists)
    .filter(({ to }) => site !== undefined || !to.includes('$site'))
  return (
    <nav aria-label="Pages" className="flex grow flex-col gap-8 low:gap-5">
      {site !== undefined &&
        SITE_GROUPS.map(({ id, label, items }) => {
          const shown = items.filter(exists)
          return shown.length === 0 ? null : <Group key={id} label={label} items={shown} params={{ site }} />
        })}
      {brand_shown !== undefined && brand_items.length > 0 && (
        <Group
          label={`Brand · ${visibleText(brand_shown.name)}`}
          items={brand_items}
          params={{ brand: brand_shown.id }}
        />
      )}
      <Group items={foot} params={site === undefined ? {} : { site }} className="mt-auto" />
    </nav>
  )
}

interface GroupProps {
  label?: string
  items: readonly NavigationItem[]
  params: Record<string, string>
  className?: string
}

function Group({ label, items, params, className = '' }: GroupProps) {
  const search = useReportSearch()
  return (
    <div className={className}>
      {label !== undefined && <p className="truncate px-4 pb-2 text-small text-ink3">{label}</p>}
      <ul>
        {items.map(({ to, label: text }) => (
          <li key={to}>
            <PageLink
              to={to}
              params={params}
              search={keptSearch(to, search)}
              className="flex min-h-15 low:min-h-13 items-center rounded-control px-4 text-ink2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-strong aria-[current=page]:text-ink touch:min-h-22"
            >
              {text}
              {to === '/sites/$site/issues' && params.site !== undefined && <OpenIssues site={params.site} />}
              {to === '/brands/$brand/fixes' && params.brand !== undefined && <OpenFixes brand={params.brand} />}
            </PageLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
