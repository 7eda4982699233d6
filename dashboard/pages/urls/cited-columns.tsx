import type { UrlReport } from '../../../src/contract/account-api/index.ts'
import { IntervalBar } from '../../charts/interval-bar.tsx'
import { Badge } from '../../controls/badge.tsx'
import { OutsideLink } from '../../controls/outside-link.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import { RowCopy } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { CITATION_SOURCE_WORDS, ENGINE_WORDS } from '../../words/brand.ts'
import { dayText, instantText } from '../../words/days.ts'
import { middleCut, visibleText } from '../../words/foreign-text.ts'
import { counted, interval, percent } from '../../words/numbers.ts'
import { COVERAGE_STATE_WORDS } from '../../words/sources.ts'

type Rows = UrlReport['rows']
type UrlRow = Extract<Rows[number], { url: string }>
type DomainRow = Extract<Rows[number], { domain: string }>
export type CitedRow = UrlRow | DomainRow
type CitedReport = Omit<UrlReport, 'rows' | 'dimension'> & {
  dimension: 'url' | 'domain'
  rows: readonly CitedRow[]
}

export const isCited = (report: UrlReport): report is UrlReport & CitedReport =>
  report.dimension === 'url' || report.dimension === 'domain'

export const citedColumns = (dimension: 'url' | 'domain', site: string | null): Column<CitedRow>[] => [
  {
    key: 'url',
    head: dimension === 'url' ? 'URL' : 'Domain',
    csv: [
      { name: dimension, value: (row) => ('url' in row ? row.url : row.domain) },
      { name: 'engines', value: ({ engines }) => engines.join(' ') },
      { name: 'question_count', value: ({ question_count }) => question_count },
    ],
    cell: (row) => {
      const address = 'url' in row ? row.url : row.domain
      return (
        <>
          <bdi dir="ltr" title={visibleText(address)} className="font-mono text-code">
            <OutsideLink href={/^https?:/i.test(address) ? address : `https://${address}`}>
              {middleCut(address.replace(/^https?:\/\//i, ''), 72)}
            </OutsideLink>
          </bdi>
          <RowCopy text={address} />
          <span className="block text-small text-ink3 max-tablet:hidden">
            {row.engines.map((engine) => ENGINE_WORDS[engine] ?? engine).join(', ')} ·{' '}
            {counted(row.question_count, 'question')}
          </span>
        </>
      )
    },
  },
  {
    key: 'source',
    head: 'Whose',
    phone: 'tag',
    csv: { name: 'source', value: ({ source }) => source },
    cell: ({ source }) => (
      <span className={source === 'own' ? 'font-strong' : 'text-ink2'}>{CITATION_SOURCE_WORDS[source] ?? source}</span>
    ),
  },
  {
    key: 'answers',
    head: 'Citing answers',
    is_number: true,
    phone: 'value',
    csv: { name: 'answers_citing', value: ({ answers_citing }) => answers_citing },
    cell: ({ answers_citing }) => <Value value={answers_citing} />,
  },
  {
    key: 'rate',
    head: 'Citation rate',
    phone: 'bar',
    width: 'tablet:w-90',
    csv: [
      { name: 'citation_rate', value: ({ citation_rate }) => citation_rate.value },
      { name: 'citation_rate_low', value: ({ citation_rate }) => citation_rate.low },
      { name: 'citation_rate_high', value: ({ citation_rate }) => citation_rate.high },
    ],
    cell: ({ citation_rate }) => (
      <span className="flex items-center justify-end gap-5 whitespace-nowrap">
        <span>
          <Value value={citation_rate.value} format={percent} />{' '}
          <span className="text-small text-ink3">
            {citation_rate.low === null || citation_rate.high === null
              ? ''
              : interval(citation_rate.low, citation_rate.high)}
          </span>
        </span>
        <span className="w-30 max-tablet:hidden">
          <IntervalBar {...citation_rate} label="Citation rate from 0 to 100 %" />
        </span>
      </span>
    ),
  },
  {
    key: 'dates',
    head: 'First and last',
    csv: [
      { name: 'first_cited_at', value: ({ first_cited_at }) => first_cited_at },
      { name: 'last_cited_at', value: ({ last_cited_at }) => last_cited_at },
    ],
    cell: ({ first_cited_at, last_cited_at }) => (
      <span className="whitespace-nowrap text-ink2">
        {dayText(first_cited_at.slice(0, 10))} – {dayText(last_cited_at.slice(0, 10))}
      </span>
    ),
  },
  // The answer has no crawler requests for domains.
  ...(dimension === 'domain'
    ? []
    : [
        {
          key: 'crawlers',
          head: 'Crawlers of own URLs',
          csv: {
            name: 'crawler_observed_request_count',
            value: ({ crawler }: CitedRow) => (crawler === null ? null : crawler.observed_request_count),
          },
          cell: (row: CitedRow) => <Crawlers row={row} site={site} />,
        },
      ]),
]

/** Crawler requests of an own URL; they are unknown for other URLs, and are not read. */
function Crawlers({ row: { crawler, source }, site }: { row: CitedRow; site: string | null }) {
  if (crawler === null) {
    return source === 'own' ? (
      <span className="text-ink2">not your site</span>
    ) : (
      <span className="text-ink3">not an own URL</span>
    )
  }
  const { observed_request_count, last_observed_at, coverage_state, open_issue_ids } = crawler
  return (
    <span className="flex flex-wrap items-center gap-x-5 text-small text-ink2">
      <span title={COVERAGE_STATE_WORDS[coverage_state] ?? coverage_state}>
        <Value
          value={observed_request_count}
          quality={coverage_state === 'partial' && observed_request_count !== null ? 'partial' : 'exact'}
          note={observed_request_count === 1 ? 'request' : 'requests'}
        />
      </span>
      {last_observed_at !== null && <span>last {instantText(last_observed_at)}</span>}
      {open_issue_ids.map((issue) =>
        site === null ? null : (
          <PageLink key={issue} to="/sites/$site/issues/$issue" params={{ site, issue }}>
            <Badge tone="bad">open issue</Badge>
          </PageLink>
        ),
      )}
    </span>
  )
}
