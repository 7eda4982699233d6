import type { AnalyticsConversions } from '../../../src/contract/site-api/index.ts'
import { Badge } from '../../controls/badge.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { Value, type ValueQuality } from '../../evidence/value.tsx'
import type { Search } from '../../read/search.ts'
import type { Column } from '../../tables/table-types.ts'
import { matcherWords } from '../../words/definitions.ts'
import { shortText } from '../../words/foreign-text.ts'
import { percent } from '../../words/numbers.ts'
import { QUALITY_WORDS, VALUE_QUALITIES } from '../../words/tracker.ts'

export type ConversionRow = AnalyticsConversions['conversions'][number]

interface ConversionColumns {
  site: string
  search: Search
  onSources: (row: ConversionRow) => void
}

const qualityOf = ({ metrics }: ConversionRow): ValueQuality => VALUE_QUALITIES[metrics.quality]

/** One row per revision: every revision keeps its own numbers. */
export function conversionColumns({ site, search, onSources }: ConversionColumns): Column<ConversionRow>[] {
  return [
    {
      key: 'name',
      head: 'Conversion',
      sort: ({ name }) => name.toLowerCase(),
      cell: (row) => (
        <>
          <PageLink
            to="/sites/$site/conversions/$conversion"
            params={{ site, conversion: row.conversion_id }}
            search={search}
            className="link font-medium"
          >
            {shortText(row.name)}
          </PageLink>{' '}
          <span className="text-small text-ink3">revision {row.revision}</span>{' '}
          {row.definition_state === 'archived' && <Badge>archived</Badge>}
          <span className="block text-small text-ink2">{matcherWords(row.matcher)}</span>
        </>
      ),
    },
    {
      key: 'sessions',
      head: 'Sessions',
      is_number: true,
      phone: 'value',
      sort: ({ metrics }) => metrics.converted_sessions,
      cell: (row) => <Value value={row.metrics.converted_sessions} quality={qualityOf(row)} />,
    },
    {
      key: 'events',
      head: 'Events',
      is_number: true,
      sort: ({ metrics }) => metrics.conversion_events,
      cell: (row) => <Value value={row.metrics.conversion_events} quality={qualityOf(row)} />,
    },
    {
      key: 'rate',
      head: 'Rate',
      is_number: true,
      phone: 'bar',
      sort: ({ metrics }) => metrics.rate,
      cell: ({ metrics: { rate, sessions } }) => (
        <span className="text-ink2">
          {rate === null && sessions === 0 ? 'not defined' : <Value value={rate} format={percent} />}
        </span>
      ),
    },
    {
      key: 'quality',
      head: 'Quality',
      width: 'tablet:pl-12',
      cell: ({ metrics }) => <span className="text-ink2">{QUALITY_WORDS[metrics.quality]}</span>,
    },
    {
      key: 'sources',
      head: 'Sources',
      phone: 'tag',
      cell: (row) =>
        row.sources.length === 0 ? (
          <span className="text-ink3">{row.metrics.converted_sessions === null ? 'unknown' : 'none'}</span>
        ) : (
          <button type="button" className="link touch:min-h-22" onClick={() => onSources(row)}>
            Show
            <span className="sr-only"> sources of {shortText(row.name)}</span>
          </button>
        ),
    },
  ]
}
