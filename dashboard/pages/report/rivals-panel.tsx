import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { Value } from '../../evidence/value.tsx'
import { useBrandId, withinAnswerDays } from '../../read/brand-search.ts'
import type { Search } from '../../read/search.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Panel } from '../../states/panel.tsx'
import { written } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { countryName } from '../../words/brand.ts'
import { shortText, visibleText } from '../../words/foreign-text.ts'
import { counted, fullCount } from '../../words/numbers.ts'
import { evidenceOf } from './csv-evidence.ts'

type Row = BrandReport['missed'][number]

/** Questions whose answers name competitors and not the brand. */
export function RivalsPanel({ report, name }: { report: BrandReport; name: string }) {
  const brand = useBrandId()
  const names = new Map(report.competitors.map((one) => [one.id, visibleText(one.name)]))
  const { from, to } = report.meta.window
  const kept = withinAnswerDays({ ...useKeptSearch()('/brands/$brand/answers'), from, to })
  const columns = rivalColumns(brand, names, kept)
  const shown_name = visibleText(name)
  return (
    <Panel
      title={`Rivals named, ${shown_name} not`}
      note={report.missed_total > 0 ? counted(report.missed_total, 'question') : undefined}
      actions={
        report.missed.length > 0 && (
          <SaveCsv
            label="Rivals named"
            file_name="rivals-named"
            csv={() => written(evidenceOf(report.meta), columns, report.missed)}
          />
        )
      }
    >
      <DataTable
        caption={`Questions whose answers name a rival and not ${shown_name}`}
        columns={columns}
        rows={report.missed}
        rowKey={({ question }) => question.id}
        total={report.meta.runs.answered === 0 ? null : report.missed_total}
        empty={emptyWords(report, shown_name)}
        foot={
          <PageLink to="/brands/$brand/questions" params={{ brand }}>
            All questions
          </PageLink>
        }
      />
    </Panel>
  )
}

function emptyWords({ meta, competitors }: BrandReport, name: string): string {
  if (competitors.length === 0) return 'No competitor is tracked. Add them in the settings of the brand.'
  if (meta.runs.answered === 0) return 'Which rivals answers name is unknown: no question was answered.'
  return `No answer names a rival without ${name}. That covers the ${counted(meta.runs.answered, 'answer')} of these dates.`
}

const rivalColumns = (brand: string, names: ReadonlyMap<string, string>, search: Search): Column<Row>[] => [
  {
    key: 'question',
    head: 'Question',
    csv: { name: 'question', value: ({ question }) => question.text },
    cell: ({ question }) => (
      <>
        <PageLink
          to="/brands/$brand/answers"
          params={{ brand }}
          search={{ ...search, question_id: question.id, mentioned: 'false' }}
          className={ROW_LINK}
        >
          {shortText(question.text)}
        </PageLink>
        {question.country !== null && (
          <span className="ml-4 text-small text-ink3">{countryName(question.country)}</span>
        )}
      </>
    ),
  },
  {
    key: 'named',
    head: 'Named',
    phone: 'tag',
    csv: {
      name: 'competitors',
      value: ({ competitors }) => competitors.map(({ id, answers }) => `${names.get(id) ?? id} ${answers}`).join('; '),
    },
    cell: ({ competitors }) => (
      <span className="text-ink2">
        {competitors.map(({ id, answers }) => `${names.get(id) ?? 'removed'} ${fullCount(answers)}`).join(', ')}
      </span>
    ),
  },
  {
    key: 'answers',
    head: 'Answers',
    is_number: true,
    phone: 'value',
    csv: { name: 'answers', value: ({ answers }) => answers },
    cell: ({ answers }) => <Value value={answers} />,
  },
]
