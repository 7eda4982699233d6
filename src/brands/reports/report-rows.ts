/** Rows of the report's statements, and their sums (account API 2.2). */
import type { BrandReport } from '#contract/account-api/index.ts'
import type { Engine, ReportInterval } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { type AnswerSums, addSums, emptySums, type QuestionSums } from './question-sums.ts'
import { type answeringModels, metricSums, type ReportFilter, type runCounts, type trackedSums } from './report.sql.ts'
import type { AnswerGroup } from './verdict.ts'

type PackedSums = Row<ReturnType<typeof metricSums>>

/** Answers of one question and period that are equal in everything that a fair comparison must control for. */
export interface SumRow extends AnswerSums, Omit<PackedSums, 'periods' | 'parts'> {
  /** The day on which the period begins. */
  period: string
  /** Answers that name competitors and not the brand. */
  missed: number
}

export type RunRow = Row<ReturnType<typeof runCounts>>
export type ModelRow = Row<ReturnType<typeof answeringModels>>
export type TrackedRow = Row<ReturnType<typeof trackedSums>>
export type Runs = BrandReport['meta']['runs']

/** A question as reports need it. */
export interface ReportedQuestion {
  id: string
  text: string
  country: string | null
  is_branded: boolean
  is_archived: boolean
}

/** A day on which an engine was due to be asked. */
export interface ScanDay {
  engine: Engine
  day: string
  /** Runs that were due and not made. */
  not_run: number
  /** What was due brought an answer after the end of the day: it counts on the day on which it came. */
  is_answered_later: boolean
}

export type Questions = ReadonlyMap<string, ReportedQuestion>

/** Reads the sums of a window, a row for each period. */
export async function readSums(
  evidence: Pick<EvidenceStore, 'all'>,
  filter: ReportFilter,
  interval: ReportInterval | 'window',
): Promise<SumRow[]> {
  return (await evidence.all(metricSums(filter, interval))).flatMap(unpackSums)
}

function unpackSums({ question_id, engine, surface, model, country, periods, parts }: PackedSums): SumRow[] {
  return parts.map((part, at) => ({
    question_id,
    engine,
    surface,
    model,
    country,
    period: periods[at] as string,
    answered: part[0],
    naming: part[1],
    tracked_mentions: part[2],
    position_sum: part[3],
    sentiment: { positive: part[4], neutral: part[5], negative: part[6], mixed: part[7], unknown: part[8] },
    observed: part[9],
    citing: part[10],
    citations: part[11],
    own_citations: part[12],
    missed: part[13],
  }))
}

/** Adds up rows by question; rows of questions that were removed meanwhile are left out. */
export function sumByQuestion(rows: Iterable<SumRow>, questions: Questions): QuestionSums[] {
  const sums = new Map<string, QuestionSums>()
  for (const row of rows) {
    const { question_id } = row
    const question = questions.get(question_id)
    if (question === undefined) continue
    let of = sums.get(question_id)
    if (of === undefined) {
      of = { question_id, is_branded: question.is_branded, ...emptySums() }
      sums.set(question_id, of)
    }
    addSums(of, row)
  }
  return [...sums.values()]
}

/** What a comparison must control for. */
export const groupsOf = (rows: readonly SumRow[], questions: Questions): AnswerGroup[] =>
  rows
    .filter(({ question_id }) => questions.has(question_id))
    .map(({ question_id, engine, surface, model, country, answered }) => ({
      question_id,
      engine,
      surface,
      model,
      country,
      answered,
    }))

/** Runs by result. Those without the country of the filter are counted separately. */
export function runsOf(rows: Iterable<RunRow>, scans: Iterable<ScanDay>): Runs {
  const runs: Runs = { answered: 0, refused: 0, failed: 0, scheduled_not_run: 0, country_not_applied: 0 }
  for (const { state, is_of_country, answers } of rows) {
    if (is_of_country === 1) runs[state] += answers
    else runs.country_not_applied += answers
  }
  for (const { not_run } of scans) runs.scheduled_not_run += not_run
  return runs
}
