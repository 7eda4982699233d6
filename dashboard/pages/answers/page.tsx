import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { AnswerList } from '../../../src/contract/account-api/index.ts'
import { BrandPage } from '../../brand/brand-page.tsx'
import {
  BrandDates,
  BrandedFilter,
  Choice,
  CountryFilter,
  EngineFilter,
  QuestionFilter,
  useBrandFilter,
} from '../../brand/filters.tsx'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { BrandLine } from '../../evidence/brand-line.tsx'
import { answerPages } from '../../read/answer-pages.ts'
import { MAX_ANSWER_DAYS, useBrandId, useBrandSearch } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { ErrorPanel } from '../../states/error-panel.tsx'
import { Panel } from '../../states/panel.tsx'
import { written } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { ANSWER_STATE_WORDS } from '../../words/brand.ts'
import { spanText } from '../../words/days.ts'
import { counted } from '../../words/numbers.ts'
import { answerColumns } from './columns.tsx'
import { answersInput, runsInput } from './route.ts'

const ImportAnswers = lazy(() => import('./import-answers.tsx'))

/** What did the engines say? */
export function AnswersPage() {
  const brand = useBrandId()
  const search = useBrandSearch()
  const [is_importing, setImporting] = useState(false)
  const may = useMayOnBrand()
  const pages = useInfiniteQuery(answerPages(answersInput(brand, search)))
  const runs = useQuery(readQuery('getBrandReport', runsInput(brand, search)))
  return (
    <BrandPage
      title="Answers"
      error={pages.error}
      controls={
        <>
          <BrandDates max_days={MAX_ANSWER_DAYS} />
          <Button forbidden={may.edit} onClick={() => setImporting(true)}>
            Import answers
          </Button>
        </>
      }
      filters={
        <>
          <EngineFilter />
          <CountryFilter />
          <BrandedFilter />
          <StateFilter />
          <TruthFilter name="mentioned" yes="Names the brand" no="Does not name it" any="Named or not" />
          <TruthFilter name="cited" yes="Cites the brand" no="Does not cite it" any="Cited or not" />
          <QuestionFilter />
        </>
      }
    >
      <Async query={runs} skeleton={<BrandLine report={null} />}>
        {(report) => <BrandLine report={report} />}
      </Async>
      <Async
        // A failure to load more is shown below the rows.
        query={{ ...pages, error: pages.isFetchNextPageError ? null : pages.error }}
        skeleton={
          <Panel title="Answers">
            <SkeletonRows rows={12} />
          </Panel>
        }
      >
        {({ pages: lists }) => (
          <AnswersPanel
            brand={brand}
            lists={lists}
            has_more={pages.hasNextPage}
            is_reading={pages.isFetchingNextPage}
            onMore={() => void pages.fetchNextPage()}
          />
        )}
      </Async>
      {pages.isFetchNextPageError && pages.error !== null && (
        <ErrorPanel error={pages.error} onRetry={() => void pages.fetchNextPage()} />
      )}
      <Outlet />
      {is_importing && (
        <Suspense>
          <ImportAnswers brand={brand} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </BrandPage>
  )
}

interface AnswersPanelProps {
  brand: string
  lists: readonly AnswerList[]
  has_more: boolean
  is_reading: boolean
  onMore: () => void
}

export function AnswersPanel({ brand, lists, has_more, is_reading, onMore }: AnswersPanelProps) {
  const search = useBrandSearch()
  const answers = lists.flatMap((list) => list.answers)
  const columns = answerColumns(brand, search)
  const meta = lists[0]?.meta
  const filters = meta?.filters
  return (
    <Panel
      title="Answers, newest first"
      note={filters === undefined ? undefined : `${spanText(filters.from, filters.to)} UTC`}
      actions={
        meta !== undefined &&
        answers.length > 0 && (
          <SaveCsv
            label="Answers"
            file_name="answers"
            csv={() =>
              written(
                [
                  ['as_of', meta.as_of],
                  ['window_from', meta.filters.from],
                  ['window_to', meta.filters.to],
                ],
                columns,
                answers,
              )
            }
          />
        )
      }
    >
      <DataTable
        caption="Answers of engines, newest first"
        columns={columns}
        rows={answers}
        rowKey={({ id }) => id}
        total={has_more ? null : answers.length}
        truncated={has_more}
        empty={emptyWords(filters)}
        foot={
          has_more && (
            <Button onClick={onMore} aria-busy={is_reading}>
              {is_reading ? 'Loading' : 'Load 50 more'}
            </Button>
          )
        }
      />
    </Panel>
  )
}

function emptyWords(filters: AnswerList['meta']['filters'] | undefined): string {
  if (filters === undefined) return 'No answer.'
  const { from, to, engines, country, question_id, status, mentioned, cited, branded } = filters
  const narrowed = [country, question_id, status, mentioned, cited, branded].filter((value) => value !== null).length
  const span = spanText(from, to)
  return narrowed === 0 && engines === null
    ? `Nothing was asked or imported from ${span}.`
    : `No answer from ${span} matches these filters (${counted(narrowed + (engines === null ? 0 : 1), 'filter')}).`
}

function StateFilter() {
  const { status } = useBrandSearch()
  const filter = useBrandFilter()
  const options = Object.entries(ANSWER_STATE_WORDS).map(([key, label]) => ({ key, label }))
  return (
    <Choice
      label="State"
      value={status}
      options={[{ key: 'any', label: 'Any state' }, ...options]}
      onChoose={(key) => filter({ status: key })}
    />
  )
}

interface TruthFilterProps {
  name: 'mentioned' | 'cited'
  yes: string
  no: string
  any: string
}

function TruthFilter({ name, yes, no, any }: TruthFilterProps) {
  const search = useBrandSearch()
  const filter = useBrandFilter()
  return (
    <Choice
      label={any}
      value={search[name]}
      options={[
        { key: 'any', label: any },
        { key: 'true', label: yes },
        { key: 'false', label: no },
      ]}
      onChoose={(key) => filter({ [name]: key })}
    />
  )
}
