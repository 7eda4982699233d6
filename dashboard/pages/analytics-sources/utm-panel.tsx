import type { AnalyticsSources } from '../../../src/contract/site-api/index.ts'
import { Segments } from '../../controls/segments.tsx'
import { Value } from '../../evidence/value.tsx'
import { useReportSearch } from '../../read/use-report.ts'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { shortText } from '../../words/foreign-text.ts'
import { percent } from '../../words/numbers.ts'
import { UTM, UTM_WORDS, type Utm } from './utm.ts'

type Row = AnalyticsSources['utm']['source']['rows'][number]

const columnsOf = (name: string, denominator: number | null): Column<Row>[] => [
  { key: 'value', head: name, cell: ({ value }) => <span className="break-all">{shortText(value, 64)}</span> },
  {
    key: 'sessions',
    head: 'Sessions',
    is_number: true,
    phone: 'value',
    cell: ({ sessions }) => <Value value={sessions} />,
  },
  {
    key: 'share',
    head: 'Share',
    is_number: true,
    phone: 'bar',
    cell: ({ sessions }) => (
      <span className="text-ink2">
        {denominator !== null && denominator > 0 && <Value value={sessions / denominator} format={percent} />}
      </span>
    ),
  },
]

/** Tagged links, one tab per field; the shares of a tab are of the sessions that carried its field. */
export function UtmPanel({ answer: { utm } }: { answer: AnalyticsSources }) {
  const search = useReportSearch()
  const current = (search.group ?? UTM[0]) as Utm
  const { group: _group, ...others } = search
  const items = UTM.map((key) => ({
    key,
    label: UTM_WORDS[key],
    search: key === UTM[0] ? others : { ...others, group: key },
  }))
  const { denominator, rows, total_count, truncated } = utm[current]
  return (
    <Panel title="Tagged links">
      <div className="overflow-x-auto px-8 pb-5 max-tablet:px-6">
        <Segments label="Field of the tag" items={items} current={current} replace />
      </div>
      <p className="px-8 pb-5 text-small text-ink2 max-tablet:px-6">
        Of <Value value={denominator} /> sessions whose first page carried a {UTM_WORDS[current].toLowerCase()}.
      </p>
      <DataTable
        caption={`Sessions by ${current} of tagged links`}
        columns={columnsOf(UTM_WORDS[current], denominator)}
        rows={rows}
        rowKey={({ value }) => value}
        total={total_count}
        truncated={truncated}
        api_order="sessions"
        empty={denominator === null ? 'Tags are unknown.' : 'No session had this tag.'}
      />
    </Panel>
  )
}
