/** The series of a report: each period for all engines together, and for each engine (account API 2.2). */
import type { BrandReport } from '#contract/account-api/index.ts'
import type { Engine } from '#contract/vocabulary.ts'
import { type DayRange, eachDay } from '#days/windows.ts'
import { type AnsweringState, countStates, type StateCounts } from './day-states.ts'
import { metricsOf } from './metrics.ts'
import { type Questions, type RunRow, runsOf, type ScanDay, type SumRow, sumByQuestion } from './report-rows.ts'

export interface SeriesInput {
  periods: readonly DayRange[]
  /** Null: all engines together. */
  engine: Engine | null
  /** Of this engine, as are the rows below. */
  states: ReadonlyMap<string, AnsweringState>
  sums: readonly SumRow[]
  runs: readonly RunRow[]
  scans: readonly ScanDay[]
  questions: Questions
  has_competitors: boolean
  today: string
}

export function seriesOf(input: SeriesInput): BrandReport['series'] {
  const begins = new Map(input.periods.flatMap((period) => eachDay(period).map((day) => [day, period.from])))
  const sums = Map.groupBy(input.sums, ({ period }) => period)
  const runs = Map.groupBy(input.runs, ({ on_day }) => begins.get(on_day))
  const scans = Map.groupBy(input.scans, ({ day }) => begins.get(day))
  return input.periods.map((period) => {
    const { from, to } = period
    const of = sums.get(from) ?? []
    const days = countStates(input.states, period)
    return {
      from,
      to,
      engine: input.engine,
      state: stateOf(period, days, input.today),
      days,
      runs: runsOf(runs.get(from) ?? [], scans.get(from) ?? []),
      models: [...new Set(of.flatMap(({ model }) => (model === null ? [] : [model])))].sort(),
      surfaces: [...new Set(of.map(({ surface }) => surface))].sort(),
      metrics: metricsOf(sumByQuestion(of, input.questions), input.has_competitors),
    }
  })
}

function stateOf({ to }: DayRange, days: StateCounts, today: string): BrandReport['series'][number]['state'] {
  if (to >= today) return 'so_far'
  if (days.answered > 0) return 'answered'
  return days.gap > 0 ? 'gap' : 'not_asked'
}
