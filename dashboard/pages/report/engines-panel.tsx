import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { IntervalBar } from '../../charts/interval-bar.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { runTotal } from '../../evidence/brand-line.tsx'
import { Unknown, Value } from '../../evidence/value.tsx'
import { type BrandSearch, searchOfAnswers, useBrandId, useBrandSearch } from '../../read/brand-search.ts'
import { Panel } from '../../states/panel.tsx'
import { written } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { ENGINE_WORDS, SURFACE_WORDS } from '../../words/brand.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { fullCount, interval, percent } from '../../words/numbers.ts'
import { comparisonWords } from './changes.ts'
import { evidenceOf } from './csv-evidence.ts'

type Row = BrandReport['by_engine'][number]

export function EnginesPanel({ report }: { report: BrandReport }) {
  const brand = useBrandId()
  const search = useBrandSearch()
  const is_compared = report.meta.filters.compare === 'previous'
  const columns = engineColumns(brand, search).filter(({ key }) => key !== 'change' || is_compared)
  return (
    <Panel
      title="Engines"
      actions={
        <SaveCsv
          label="Engines"
          file_name="engines"
          csv={() => written(evidenceOf(report.meta), columns, report.by_engine)}
        />
      }
    >
      <DataTable
        caption="Engines with their visibility"
        columns={columns}
        rows={report.by_engine}
        rowKey={({ engine }) => engine}
        total={report.by_engine.length}
        empty="No engine was asked in these dates."
      />
    </Panel>
  )
}

const engineColumns = (brand: string, search: BrandSearch): Column<Row>[] => [
  {
    key: 'engine',
    head: 'Engine',
    csv: { name: 'engine', value: ({ engine }) => engine },
    cell: ({ engine, models }) => (
      <>
        <PageLink
          to="/brands/$brand/answers"
          params={{ brand }}
          search={{ ...searchOfAnswers(search), engines: engine }}
          className={ROW_LINK}
        >
          {ENGINE_WORDS[engine] ?? engine}
        </PageLink>
        <span className="block text-small text-ink3 max-tablet:hidden">
          {models.map(({ model }) => (model === null ? 'model unknown' : visibleText(model))).join(' → ')}
        </span>
      </>
    ),
  },
  {
    key: 'surface',
    head: 'Surface',
    cell: ({ surfaces }) => (
      <span className="text-ink2">
        {surfaces.length === 0 ? <Unknown /> : surfaces.map((one) => SURFACE_WORDS[one] ?? one).join(', ')}
      </span>
    ),
  },
  {
    key: 'answers',
    head: 'Answers',
    is_number: true,
    csv: { name: 'answered', value: ({ runs }) => runs.answered },
    cell: ({ runs }) => <Value value={runs.answered} />,
  },
  {
    key: 'not_answered',
    head: 'Not answered',
    is_number: true,
    phone: 'bar',
    csv: { name: 'not_answered', value: ({ runs }) => runTotal(runs) - runs.answered },
    cell: ({ runs }) => (
      <>
        <Value value={runTotal(runs) - runs.answered} />
        <span className="text-ink3 tablet:hidden"> not answered</span>
      </>
    ),
  },
  {
    key: 'visibility',
    head: 'Visibility',
    is_number: true,
    phone: 'value',
    csv: { name: 'visibility', value: ({ metrics }) => metrics.visibility.value },
    cell: ({ metrics: { visibility } }) => <Value value={visibility.value} format={percent} />,
  },
  {
    key: 'interval',
    head: '95 % interval',
    width: 'w-95',
    phone: 'tag',
    csv: [
      { name: 'visibility_low', value: ({ metrics }) => metrics.visibility.low },
      { name: 'visibility_high', value: ({ metrics }) => metrics.visibility.high },
    ],
    cell: ({ engine, metrics: { visibility } }) => (
      <span className="flex items-center gap-6 whitespace-nowrap text-ink2">
        <span className="min-w-42 max-tablet:hidden">
          {visibility.low === null || visibility.high === null ? '' : interval(visibility.low, visibility.high)}
        </span>
        <span className="w-42 max-tablet:w-60">
          <IntervalBar {...visibility} label={`Visibility in ${ENGINE_WORDS[engine] ?? engine}, from 0 to 100 %`} />
        </span>
        <span className="tablet:hidden">
          {visibility.denominator === 0
            ? 'no answer'
            : `${fullCount(visibility.numerator)} of ${fullCount(visibility.denominator)} answers`}
        </span>
      </span>
    ),
  },
  {
    key: 'change',
    head: 'Change',
    cell: ({ metrics, comparison }) => (
      <span className="text-ink2">{comparisonWords(metrics, comparison, 'visibility') ?? ''}</span>
    ),
  },
]
