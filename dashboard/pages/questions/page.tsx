import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { QuestionList } from '../../../src/contract/account-api/index.ts'
import { BrandPage } from '../../brand/brand-page.tsx'
import { Choice, CountryFilter, useBrandFilter } from '../../brand/filters.tsx'
import { Pager } from '../../brand/pager.tsx'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { Segments } from '../../controls/segments.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { useBrandId, useBrandSearch } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { useReportSearch } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { isBehindLast, NoMoreRows } from '../../states/no-more-rows.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import { FilterBox, matches, nothingMatches } from '../../tables/filter-box.tsx'
import { QUESTION_KIND_WORDS } from '../../words/brand.ts'
import { fullCount } from '../../words/numbers.ts'
import { questionColumns } from './columns.tsx'
import { QUESTIONS_A_PAGE, questionsInput } from './route.ts'
import { useQuestionActions } from './use-question-actions.tsx'

const AddQuestions = lazy(() => import('./add-questions.tsx'))
const STATUSES = { active: 'Active', archived: 'Archived', all: 'All' } as const

/** What are engines asked about the brand? */
export function QuestionsPage() {
  const brand = useBrandId()
  const search = useBrandSearch()
  const questions = useQuery(readQuery('listQuestions', questionsInput(brand, search)))
  const [is_adding, setAdding] = useState(false)
  const may = useMayOnBrand()
  const { kind: _kind, status: _status, offset: _offset, ...others } = search
  return (
    <BrandPage
      title="Questions"
      error={questions.error}
      controls={
        <>
          <Capacity />
          <Button kind="primary" forbidden={may.edit} onClick={() => setAdding(true)}>
            Add questions
          </Button>
        </>
      }
      filters={
        <>
          <Segments
            is_wide
            label="State"
            current={search.status ?? 'active'}
            items={Object.entries(STATUSES).map(([key, label]) => ({
              key,
              label,
              search: { ...others, ...(key === 'active' ? {} : { status: key }) } as never,
            }))}
          />
          <KindFilter />
          <CountryFilter />
        </>
      }
    >
      {is_adding && (
        <Suspense>
          <AddQuestions brand={brand} onClose={() => setAdding(false)} />
        </Suspense>
      )}
      <Async
        query={questions}
        skeleton={
          <Panel title="Questions">
            <SkeletonRows rows={10} />
          </Panel>
        }
      >
        {(list) => <QuestionsPanel brand={brand} list={list} onAdd={() => setAdding(true)} />}
      </Async>
    </BrandPage>
  )
}

/** "48 of 100 active", over all brands of the account. */
function Capacity() {
  const plan = useQuery(readQuery('getPlan', {})).data
  if (plan === undefined) return null
  const { active_question_count, active_question_limit } = plan
  return (
    <span className="text-dense text-ink2">
      {active_question_count >= active_question_limit
        ? `${fullCount(active_question_count)} questions are active. Archive one first.`
        : `${fullCount(active_question_count)} of ${fullCount(active_question_limit)} active in the account`}
    </span>
  )
}

interface QuestionsPanelProps {
  brand: string
  list: QuestionList
  onAdd: () => void
}

export function QuestionsPanel({ brand, list, onAdd }: QuestionsPanelProps) {
  const { q } = useReportSearch()
  const may = useMayOnBrand()
  const actions = useQuestionActions(brand)
  const rows = list.questions.filter(({ text, tags }) => matches(q, text, ...tags))
  return (
    <Panel title="Questions" actions={<FilterBox label="Filter questions" rows={list.questions.length} />}>
      <FormError error={actions.error} />
      <DataTable
        caption="Questions, oldest first"
        columns={questionColumns({ brand, forbidden: may.edit, ...actions })}
        rows={rows}
        rowKey={({ id }) => id}
        total={list.total_count}
        truncated={list.truncated}
        empty={<Empty list={list} q={q} forbidden={may.edit} onAdd={onAdd} />}
        foot={<Pager offset={list.offset} limit={QUESTIONS_A_PAGE} total={list.total_count} />}
      />
      {actions.dialog}
    </Panel>
  )
}

interface EmptyProps {
  list: QuestionList
  q: string | undefined
  forbidden: string | undefined
  onAdd: () => void
}

function Empty({ list, q, forbidden, onAdd }: EmptyProps) {
  const unmatched = nothingMatches({ what: 'question', q, searched: list.questions.length, total: list.total_count })
  if (unmatched !== undefined) return unmatched
  if (isBehindLast(list)) return <NoMoreRows what="questions" />
  const { status, kind, country } = list.meta.filters
  if (kind !== null || country !== null) return 'No question matches these filters.'
  if (status === 'archived') return 'No question is archived.'
  return (
    <span className="flex flex-wrap items-center gap-8">
      No questions have been added yet. Engines are asked each question word for word.
      <Button forbidden={forbidden} onClick={onAdd}>
        Add questions
      </Button>
    </span>
  )
}

function KindFilter() {
  const { kind } = useBrandSearch()
  const filter = useBrandFilter()
  return (
    <Choice
      label="Kind"
      value={kind}
      options={[
        { key: 'any', label: 'Any kind' },
        ...Object.entries(QUESTION_KIND_WORDS).map(([key, label]) => ({ key, label })),
      ]}
      onChoose={(key) => filter({ kind: key })}
    />
  )
}
