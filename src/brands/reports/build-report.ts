/** Builds a brand report from the stored data of its window (account API 2.2). */
import { instantText } from '#clock.ts'
import type { BrandReport } from '#contract/account-api/index.ts'
import { ENGINES, type Engine, type ReportInterval } from '#contract/vocabulary.ts'
import type { DayRange } from '#days/windows.ts'
import { type AnsweringState, completenessOf, dayStates } from './day-states.ts'
import { type BrandMetrics, metricsOf, RATIO_METRICS } from './metrics.ts'
import { periodsOf } from './periods.ts'
import {
  groupsOf,
  type ModelRow,
  type Questions,
  type RunRow,
  runsOf,
  type ScanDay,
  type SumRow,
  sumByQuestion,
  type TrackedRow,
} from './report-rows.ts'
import { seriesOf } from './report-series.ts'
import { competitorsOf, missedOf } from './rivals.ts'
import { compareWindows } from './verdict.ts'

export interface ReportData {
  window: DayRange
  interval: ReportInterval
  today: string
  /** Engines in the plan that the filter allows; others with answers are also listed. */
  engines: readonly Engine[]
  questions: Questions
  competitors: readonly { id: string; name: string }[]
  /** Since mentions were found: what was not searched for yet is in no answer. */
  are_names_changed: boolean
  sums: readonly SumRow[]
  runs: readonly RunRow[]
  models: readonly ModelRow[]
  tracked: readonly TrackedRow[]
  scans: readonly ScanDay[]
  /** Null: not compared. */
  before: { window: DayRange; sums: readonly SumRow[] } | null
}

type Meta = BrandReport['meta']
type BuiltReport = Omit<BrandReport, 'meta'> & Pick<Meta, 'runs' | 'completeness'>

export function buildReport(data: ReportData): BuiltReport {
  const { runs, scans, sums, questions, today, window } = data
  const has_competitors = data.competitors.length > 0
  const seen = new Set<Engine>([
    ...data.engines,
    ...runs.map(({ engine }) => engine),
    ...scans.map((one) => one.engine),
  ])
  const engines = ENGINES.filter((engine) => seen.has(engine))
  const states = new Map(engines.map((engine) => [engine, dayStates(window, partOf(data, engine))]))
  const all = sumByQuestion(sums, questions)
  const counted = runsOf(runs, scans)
  const metrics = metricsOf(all, has_competitors)
  const series = {
    periods: periodsOf(window, data.interval),
    questions,
    has_competitors,
    today,
  }
  return {
    runs: counted,
    completeness: completenessOf(counted, states, [
      ...(restsOnOneQuestion(metrics) ? ['one_question' as const] : []),
      ...(data.are_names_changed ? ['names_changed' as const] : []),
    ]),
    metrics,
    by_engine: engines.map((engine) => describeEngine(data, engine)),
    competitors: competitorsOf(data.competitors, all, data.tracked),
    series: [
      ...seriesOf({ ...series, engine: null, states: dayStates(window, data), sums, runs, scans }),
      ...engines.flatMap((engine) =>
        seriesOf({
          ...series,
          engine,
          states: states.get(engine) as Map<string, AnsweringState>,
          ...partOf(data, engine),
        }),
      ),
    ],
    ...missedOf(sums, data.tracked, questions, data.competitors),
    comparison: compare(data),
  }
}

/** Whether some share has one question only, and thus an interval without variance between questions. */
const restsOnOneQuestion = (metrics: BrandMetrics): boolean =>
  RATIO_METRICS.some((metric) => metrics[metric]?.clusters === 1)

/** The same data of one engine alone. */
function partOf(data: ReportData, engine: Engine): ReportData {
  const isOf = (row: { engine: Engine }) => row.engine === engine
  return {
    ...data,
    sums: data.sums.filter(isOf),
    runs: data.runs.filter(isOf),
    models: data.models.filter(isOf),
    scans: data.scans.filter(isOf),
    before: data.before === null ? null : { ...data.before, sums: data.before.sums.filter(isOf) },
  }
}

function describeEngine(data: ReportData, engine: Engine): BrandReport['by_engine'][number] {
  const part = partOf(data, engine)
  const web_search = { used: 0, not_used: 0, unknown: 0 }
  for (const row of part.runs) {
    if (row.state === 'answered' && row.is_of_country === 1) web_search[row.web_search] += row.answers
  }
  return {
    engine,
    surfaces: [...new Set(part.models.map(({ surface }) => surface))].sort(),
    models: modelsOf(part.models),
    web_search,
    runs: runsOf(part.runs, part.scans),
    metrics: metricsOf(sumByQuestion(part.sums, data.questions), data.competitors.length > 0),
    comparison: compare(part),
  }
}

/** Models of one engine, whatever the surface. */
function modelsOf(rows: readonly ModelRow[]): BrandReport['by_engine'][number]['models'] {
  return [...Map.groupBy(rows, ({ model }) => model)].map(([model, of]) => ({
    model,
    first_at: instantText(Math.min(...of.map(({ first_ms }) => first_ms))),
    last_at: instantText(Math.max(...of.map(({ last_ms }) => last_ms))),
    answers: of.reduce((sum, { answers }) => sum + answers, 0),
  }))
}

function compare({ before, sums, questions, competitors }: ReportData): BrandReport['comparison'] {
  if (before === null) return null
  const sums_before = sumByQuestion(before.sums, questions)
  const has_competitors = competitors.length > 0
  const { verdicts, reason } = compareWindows(
    { questions: sums_before, groups: groupsOf(before.sums, questions) },
    { questions: sumByQuestion(sums, questions), groups: groupsOf(sums, questions) },
  )
  return {
    window: before.window,
    metrics: metricsOf(sums_before, has_competitors),
    verdicts: has_competitors ? verdicts : { ...verdicts, share_of_voice: 'not_comparable' },
    reason,
  }
}
