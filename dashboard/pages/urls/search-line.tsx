import type { UrlReport } from '../../../src/contract/account-api/index.ts'
import type { SearchDataState } from '../../../src/contract/vocabulary.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { LineFrame, Part } from '../../evidence/evidence-line.tsx'
import { useBrandId } from '../../read/brand-search.ts'
import { SEARCH_SOURCE_WORDS } from '../../words/brand.ts'
import { instantText, spanText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'

const STATE_WORDS: Record<SearchDataState, string> = {
  none: 'No search data',
  imported: 'Imported search data',
  connected: 'Search data, read daily',
}

/** The sources of search data, and the days that are missing. */
export function SearchLine({ report: { meta } }: { report: UrlReport }) {
  const brand = useBrandId()
  const data = meta.search_data
  if (data === null) return null
  const name = SEARCH_SOURCE_WORDS[data.source] ?? data.source
  return (
    <LineFrame end={`as of ${instantText(meta.as_of)} UTC`}>
      <span className="font-strong">
        {STATE_WORDS[data.state] ?? data.state} of {name}
      </span>
      {data.property !== null && <Part>{visibleText(data.property)}</Part>}
      {data.state === 'none' && (
        <Part>
          <PageLink to="/brands/$brand/settings" params={{ brand }}>
            Import or connect it
          </PageLink>
        </Part>
      )}
      {data.gaps.length > 0 && data.state !== 'none' && (
        <Part>
          not stored:{' '}
          {data.gaps
            .slice(0, 3)
            .map(({ from, to }) => spanText(from, to))
            .join(', ')}
        </Part>
      )}
      {data.weekly === true && <Part>by week</Part>}
      {data.day_zone !== null && <Part>days of {visibleText(data.day_zone)}, not UTC</Part>}
    </LineFrame>
  )
}
