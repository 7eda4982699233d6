/** The brand report as surface B serves it (account API 2.2). */
import { instantText } from '#clock.ts'
import type { BrandReport, BrandReportInput } from '#contract/account-api/index.ts'
import type { ControlDb } from '#control/store.ts'
import { areNamesChanged } from '../answers/mention-version.ts'
import { withoutRemoved } from '../answers/removed-questions.ts'
import type { AnswersContext } from '../answers/store-answers.ts'
import { todayOf } from '../day-range.ts'
import type { FoundBrand } from '../find-brand.ts'
import { readPlanEngines } from '../plan-engines.ts'
import { readScanDays } from '../scans/scan-days.ts'
import { buildReport } from './build-report.ts'
import { windowBefore } from './periods.ts'
import { refuseMuchData } from './refuse-much-data.ts'
import { answeringModels, runCounts, trackedSums } from './report.sql.ts'
import { reportFilter } from './report-filter.ts'
import { type ReportedQuestion, readSums } from './report-rows.ts'
import { readReportedQuestions } from './reported-questions.ts'

interface ReportOfBrand extends AnswersContext {
  brand: FoundBrand
}

type Filters = BrandReport['meta']['filters']

export async function serveReport(ctx: ReportOfBrand, input: BrandReportInput): Promise<BrandReport> {
  const { evidence, control, clock, brand } = ctx
  const as_of = clock.now()
  const filters = filtersInForce(input)
  const window = { from: filters.from, to: filters.to }
  const filter = await reportFilter(ctx, input)
  const questions = await readReportedQuestions(control.db, brand.id)
  const { filter: counted, asked } = await withoutRemoved(ctx, filter)
  refuseMuchData(asked.reduce((sum, { answers }) => sum + answers, 0))
  const previous = filters.compare === 'previous' ? windowBefore(window) : null
  const plan = await readPlanEngines(control.db, brand.account_id)
  // Before the sums: of answers that are stored meanwhile no competitor is named in more than there are.
  const tracked = await evidence.all(trackedSums(counted))
  const { runs, completeness, ...built } = buildReport({
    window,
    interval: filters.interval,
    today: todayOf(clock),
    questions,
    engines: plan.map(({ engine }) => engine).filter((engine) => filters.engines?.includes(engine) ?? true),
    competitors: await readCompetitors(control.db, brand.id),
    are_names_changed: await areNamesChanged(control, brand),
    sums: await readSums(evidence, counted, filters.interval),
    runs: await evidence.all(runCounts(counted)),
    models: await evidence.all(answeringModels(counted)),
    tracked,
    scans: await readScanDays(control.db, brand.id, filters),
    before:
      previous === null
        ? null
        : { window: previous, sums: await readSums(evidence, { ...counted, days: previous }, 'window') },
  })
  return {
    meta: {
      contract_version: 'brand-report/v1',
      as_of: instantText(as_of),
      window: { ...window, timezone: 'UTC' },
      filters,
      ignored_parameters: input.ignored_parameters,
      questions: countQuestions(
        questions,
        asked.map(({ question_id }) => question_id),
        filters,
      ),
      runs,
      completeness,
    },
    ...built,
  }
}

const readCompetitors = (db: ControlDb, brand_id: string) =>
  db
    .selectFrom('competitors')
    .select(['id', 'name'])
    .where('brand_id', '=', brand_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

function countQuestions(
  questions: ReadonlyMap<string, ReportedQuestion>,
  asked: readonly string[],
  { question_id, country, branded }: Filters,
): BrandReport['meta']['questions'] {
  const active = [...questions.values()].filter(
    (question) =>
      !question.is_archived &&
      (question_id === null || question.id === question_id) &&
      (country === null || question.country === (country === 'none' ? null : country)) &&
      (branded === null || question.is_branded === branded),
  )
  const archived = asked.filter((id) => questions.get(id)?.is_archived === true)
  return { asked: asked.length, active: active.length, archived_asked: archived.length }
}

function filtersInForce(input: BrandReportInput): Filters {
  const { from, to, engines = null, country = null, question_id = null, branded = null, interval, compare } = input
  return { from, to, engines, country, question_id, branded, interval, compare }
}
