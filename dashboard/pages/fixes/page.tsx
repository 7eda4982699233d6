import { useQuery } from '@tanstack/react-query'
import type { FixList } from '../../../src/contract/account-api/index.ts'
import { BrandPage } from '../../brand/brand-page.tsx'
import { Pager } from '../../brand/pager.tsx'
import { Segments } from '../../controls/segments.tsx'
import { FIX_STATUSES, useBrandId, useBrandSearch } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { isBehindLast, NoMoreRows } from '../../states/no-more-rows.tsx'
import { Panel } from '../../states/panel.tsx'
import { footWords } from '../../tables/data-table.tsx'
import { FIX_STATUS_WORDS } from '../../words/brand.ts'
import { FixCard } from './fix-card.tsx'
import { FIXES_A_PAGE, fixesInput } from './route.ts'

type FixStatusFilter = (typeof FIX_STATUSES)[number]

/** What would make engines name and cite the brand more often? */
export function FixesPage() {
  const brand = useBrandId()
  const search = useBrandSearch()
  const fixes = useQuery(readQuery('listFixes', fixesInput(brand, search)))
  const current = (search.status ?? 'open') as FixStatusFilter
  return (
    <BrandPage
      title="Fixes"
      error={fixes.error}
      filters={
        <Segments
          is_wide
          label="State"
          current={current}
          items={FIX_STATUSES.map((key) => ({
            key,
            label: key === 'all' ? 'All' : FIX_STATUS_WORDS[key],
            search: (key === 'open' ? {} : { status: key }) as never,
          }))}
        />
      }
    >
      <Async
        query={fixes}
        skeleton={
          <Panel title="Fixes">
            <SkeletonRows rows={4} height={120} />
          </Panel>
        }
      >
        {(list) => <FixListBlock brand={brand} list={list} status={current} />}
      </Async>
    </BrandPage>
  )
}

interface FixListBlockProps {
  brand: string
  list: FixList
  status: FixStatusFilter
}

export function FixListBlock({ brand, list, status }: FixListBlockProps) {
  if (list.fixes.length === 0) {
    return (
      <Panel title="Fixes">
        <p className="px-8 pb-8 text-ink2 max-tablet:px-6">
          {isBehindLast(list) ? <NoMoreRows what="fixes" /> : emptyWords(status)}
        </p>
      </Panel>
    )
  }
  return (
    <>
      <ul className="space-y-8">
        {list.fixes.map((fix) => (
          <li key={fix.id}>
            <FixCard brand={brand} fix={fix} />
          </li>
        ))}
      </ul>
      <p className="flex items-center justify-between text-dense text-ink2">
        {footWords(list.fixes.length, list.total_count, list.truncated)}
        <Pager offset={list.offset} limit={FIXES_A_PAGE} total={list.total_count} />
      </p>
    </>
  )
}

function emptyWords(status: FixStatusFilter): string {
  if (status === 'all') {
    return 'No fix has been proposed yet. Fixes come from harm to crawlers, from answers that name rivals, and from pages that are not cited.'
  }
  return status === 'open'
    ? 'No fix is open. Fixes come from harm to crawlers, from answers that name rivals, and from pages that are not cited.'
    : `No fix is ${FIX_STATUS_WORDS[status].toLowerCase()}.`
}
