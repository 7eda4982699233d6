import type { AccessCheck } from '../../../src/contract/site-api/index.ts'
import { Badge } from '../../controls/badge.tsx'
import { OutsideLink } from '../../controls/outside-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { useReportSearch } from '../../read/use-report.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import { FilterBox, matches } from '../../tables/filter-box.tsx'
import { type Column, sorted } from '../../tables/table-types.ts'
import { useSort } from '../../tables/use-sort.ts'
import { instantText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { deviationWords } from '../../words/robots.ts'
import { checkCsv } from './check-csv.ts'

type Decision = NonNullable<AccessCheck['robots']>['per_crawler'][number]
type LastRequest = NonNullable<AccessCheck['organic']>[number]

function lastWords(last: LastRequest | null): string {
  if (last === null) return 'unknown'
  if (last.last_observed_at === null) return 'not in 90 days'
  return `${instantText(last.last_observed_at)}, ${last.last_status ?? 'response unobserved'}`
}

export type Verdict = Decision & { last: LastRequest | null }

const DECISION_WORDS = { allowed: 'Allowed', disallowed: 'Disallowed', unknown: 'Unknown' } as const
const DECISION_TONES = { allowed: 'ok', disallowed: 'bad', unknown: 'plain' } as const

/** What robots.txt allows each crawler, the line that decides, and when the crawler itself was last observed there. */
export function Verdicts({ check }: { check: AccessCheck }) {
  const { q } = useReportSearch()
  const { sort, onSort } = useSort()
  const { robots, organic } = check
  if (robots === null) {
    return (
      <Panel title="Crawlers">
        <PanelBody>
          <p className="text-ink2">robots.txt was not reached, so what it allows is unknown.</p>
        </PanelBody>
      </Panel>
    )
  }
  const last = new Map(organic?.map((one) => [one.crawler_id, one]))
  const all: Verdict[] = robots.per_crawler.map((one) => ({ ...one, last: last.get(one.crawler_id) ?? null }))
  const rows = all.filter(({ crawler_id, rule, decision }) => matches(q, crawler_id, rule, decision))
  const columns = columnsFor(organic !== null)
  return (
    <Panel
      title="Crawlers"
      note={summaryOf(all)}
      actions={
        <>
          <FilterBox label="Filter crawlers" rows={all.length} />
          <SaveCsv label="Verdicts" file_name="access-check" csv={() => checkCsv(check, sorted(rows, columns, sort))} />
        </>
      }
    >
      <p className="px-8 pb-6 text-dense text-ink2 max-tablet:px-6">
        <OutsideLink href={robots.url}>robots.txt</OutsideLink>{' '}
        {robots.fetched_status === null ? 'was not answered' : `was answered with ${robots.fetched_status}`} at{' '}
        {instantText(robots.fetched_at)} UTC.
      </p>
      <DataTable
        caption="What robots.txt allows each crawler"
        columns={columns}
        rows={rows}
        rowKey={({ crawler_id }) => crawler_id}
        total={all.length}
        {...{ sort, onSort }}
        empty="No crawler matches the filter."
      />
    </Panel>
  )
}

const summaryOf = (rows: readonly Verdict[]) =>
  (['allowed', 'disallowed', 'unknown'] as const)
    .map((decision) => [decision, rows.filter((row) => row.decision === decision).length] as const)
    .filter(([, count]) => count > 0)
    .map(([decision, count]) => `${count} ${decision}`)
    .join(' · ')

const columnsFor = (has_organic: boolean): Column<Verdict>[] => [
  {
    key: 'crawler',
    head: 'Crawler',
    sort: ({ crawler_id }) => crawler_id,
    cell: ({ crawler_id }) => <code className="font-mono text-code">{shortText(crawler_id)}</code>,
  },
  {
    key: 'decision',
    head: 'robots.txt',
    phone: 'value',
    sort: ({ decision }) => decision,
    cell: ({ decision }) => <Badge tone={DECISION_TONES[decision]}>{DECISION_WORDS[decision]}</Badge>,
  },
  {
    key: 'rule',
    head: 'Deciding line',
    phone: 'tag',
    cell: ({ rule, line, group, deviation }) => (
      <span className="block max-w-180 text-dense text-ink2 [overflow-wrap:anywhere]">
        {rule === null ? (
          'no rule applies'
        ) : (
          <code className="font-mono text-code">
            <mark className="rounded-tag bg-warn-bg px-2 text-ink">
              {line !== null && `${line}: `}
              {shortText(rule)}
            </mark>
          </code>
        )}
        {group !== null && <span className="text-small text-ink3"> for {shortText(group, 60)}</span>}
        {deviation !== null && (
          <span className="block text-small text-ink3">{shortText(deviationWords(deviation), 200)}</span>
        )}
      </span>
    ),
  },
  {
    key: 'last',
    head: 'Last observed, UTC',
    phone: 'bar',
    cell: ({ last }) => (
      <span className="text-dense whitespace-nowrap text-ink2">{has_organic ? lastWords(last) : 'unknown'}</span>
    ),
  },
]
