import { useQuery } from '@tanstack/react-query'
import { BrandPage } from '../../brand/brand-page.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { useBrandId } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { ClassifyPanel } from './classify-panel.tsx'
import { CompetitorsPanel } from './competitors-panel.tsx'
import { EndPanel } from './end-panel.tsx'
import { NamesPanel } from './names-panel.tsx'
import { RetentionPanel } from './retention-panel.tsx'
import { ScansPanel } from './scans-panel.tsx'
import { SearchDataPanel } from './search-data-panel.tsx'

/** The names that answers are searched for, when engines are asked, and how long answers are kept. */
export function BrandSettingsPage() {
  const id = useBrandId()
  const brand = useQuery(readQuery('getBrand', { brandId: id }))
  const rules = useQuery(readQuery('getAliasRules', { brand: id }))
  return (
    <BrandPage
      title="Brand settings"
      error={brand.error}
      controls={
        <PageLink to="/settings/brands" className="control">
          All brands
        </PageLink>
      }
    >
      <Async
        query={brand}
        skeleton={
          <Panel title="Names">
            <SkeletonRows rows={6} />
          </Panel>
        }
      >
        {(one) => (
          <>
            <Async query={rules} skeleton={<SkeletonRows rows={6} />}>
              {(known) => (
                <>
                  <NamesPanel key={one.id} brand={one} rules={known} />
                  <CompetitorsPanel brand={one} rules={known} />
                </>
              )}
            </Async>
            <ScansPanel brand={id} />
            <ClassifyPanel brand={id} />
            <SearchDataPanel brand={id} />
            <RetentionPanel brand={id} />
            <EndPanel brand={one} />
          </>
        )}
      </Async>
    </BrandPage>
  )
}
