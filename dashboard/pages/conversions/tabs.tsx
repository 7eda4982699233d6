import { PageLink } from '../../controls/page-link.tsx'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'

const TABS = [
  { to: '/sites/$site/conversions', label: 'Conversions' },
  { to: '/sites/$site/conversions/properties', label: 'Properties' },
]

/** Tabs for conversions, and for the declared properties that rules may use. */
export function ConversionTabs() {
  const site = useSiteId()
  const keptFor = useKeptSearch()
  return (
    <nav aria-label="Conversions and properties" className="flex gap-8 border-b border-line">
      {TABS.map(({ to, label }) => (
        <PageLink
          key={to}
          to={to}
          params={{ site }}
          search={keptFor(to)}
          exact
          className="-mb-px flex min-h-16 items-center border-b-2 border-transparent px-2 text-ink2 hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-strong aria-[current=page]:text-ink touch:min-h-22"
        >
          {label}
        </PageLink>
      ))}
    </nav>
  )
}
