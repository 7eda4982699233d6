import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageLink } from '../controls/page-link.tsx'
import { useBrandId } from '../read/brand-search.ts'
import { sessionQuery } from '../read/queries.ts'
import { isRefusal } from '../read/refusal.ts'
import { PageTitle } from '../shell/title.tsx'
import { Panel } from '../states/panel.tsx'
import { visibleText } from '../words/foreign-text.ts'
import { refusalWords } from '../words/refusals.ts'

interface BrandPageProps {
  title: string
  controls?: ReactNode
  filters?: ReactNode
  /** Error of the page's main query. If the address has invalid values, the page shows only that error. */
  error?: Error | null
  children: ReactNode
}

/** The layout of every page of a brand: title and controls, filters, and the content. */
export function BrandPage({ title, controls, filters, error = null, children }: BrandPageProps) {
  const brand = useBrand()
  return (
    <div className="space-y-8">
      <PageTitle title={title} site={brand === undefined ? undefined : visibleText(brand.name)} controls={controls}>
        {title}
      </PageTitle>
      {filters !== undefined && (
        <div className="flex flex-wrap items-center gap-4 max-tablet:grid max-tablet:grid-cols-2 max-tablet:[&>nav]:col-span-2">
          {filters}
        </div>
      )}
      {isRefusal(error, 400) ? (
        <Panel title="The address of this page has invalid values">
          <div className="space-y-6 px-8 pb-8 max-tablet:px-6">
            <p className="text-ink2">{faultsOf(error)}</p>
            <PageLink to="." className="control">
              Use the defaults
            </PageLink>
          </div>
        </Panel>
      ) : (
        children
      )}
    </div>
  )
}

const faultsOf = (error: Parameters<typeof refusalWords>[0]) =>
  error.errors.length === 0 ? refusalWords(error) : error.errors.map(({ detail }) => detail).join(' ')

/** The brand of the current page, from the session. */
export function useBrand() {
  const id = useBrandId()
  return useQuery(sessionQuery()).data?.brands.find((brand) => brand.id === id)
}
