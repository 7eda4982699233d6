/** Whether a share really changed between two windows, paired by question (account API 2.2). */
import { clusterOf, RATIO_METRICS, type RatioMetric } from './metrics.ts'
import type { QuestionSums } from './question-sums.ts'
import { type RatioCluster, sumOf } from './ratio.ts'
import { studentQuantile } from './student-t.ts'

export type ShareVerdict = 'higher' | 'lower' | 'within_noise' | 'not_comparable'
export type NotComparableReason =
  | 'few_questions'
  | 'few_answers'
  | 'different_questions'
  | 'model_changed'
  | 'surface_changed'
  | 'mix_changed'

/** Answers that are equal in everything that a fair comparison must control for. */
export interface AnswerGroup {
  question_id: string
  engine: string
  surface: string
  model: string | null
  country: string | null
  answered: number
}

/** One window of a comparison. */
export interface ComparedWindow {
  questions: readonly QuestionSums[]
  groups: readonly AnswerGroup[]
}

export interface WindowComparison {
  verdicts: Record<RatioMetric, ShareVerdict>
  /** Why a verdict is not_comparable; null: all are comparable. */
  reason: NotComparableReason | null
}

const MIN_QUESTIONS = 5
const MIN_ANSWERS = 20
/** The greatest change of a part's share of all answers, and the greatest relative change of a question's share. */
const MAX_MIX_CHANGE = 0.05
const MAX_QUESTION_CHANGE = 0.5
/** A tolerance, so that rounding does not look like a change. */
const ROUNDING = 1e-12

/** Verdicts on all shares. One reason holds for all; a share with fewer questions of its own may add another. */
export function compareWindows(before: ComparedWindow, after: ComparedWindow): WindowComparison {
  const reason = whyNotComparable(before.groups, after.groups)
  const judged = RATIO_METRICS.map((metric) => {
    const verdict = reason === null ? judgeShare(metric, before.questions, after.questions) : reason
    return [metric, verdict] as const
  })
  const reasons = judged.map(([, verdict]) => verdict).filter(isReason)
  return {
    verdicts: Object.fromEntries(
      judged.map(([metric, verdict]) => [metric, isReason(verdict) ? 'not_comparable' : verdict]),
    ) as WindowComparison['verdicts'],
    reason: reasons.length === 0 ? null : (reasons[0] as NotComparableReason),
  }
}

const VERDICTS: ReadonlySet<string> = new Set(['higher', 'lower', 'within_noise'] satisfies ShareVerdict[])
const isReason = (verdict: string): verdict is NotComparableReason => !VERDICTS.has(verdict)

/** The verdict on one share, or why there is none. */
function judgeShare(
  metric: RatioMetric,
  before: readonly QuestionSums[],
  after: readonly QuestionSums[],
): ShareVerdict | NotComparableReason {
  const [first, second] = [clustersOf(metric, before), clustersOf(metric, after)]
  const ids = [...new Set([...first.keys(), ...second.keys()])]
  if (ids.length < MIN_QUESTIONS) return 'few_questions'
  const [m1, m2] = [first, second].map((side) => sumOf([...side.values()], ({ denominator }) => denominator))
  if (m1 === undefined || m2 === undefined || m1 === 0 || m2 === 0) return 'few_answers'
  const p1 = sumOf([...first.values()], ({ numerator }) => numerator) / m1
  const p2 = sumOf([...second.values()], ({ numerator }) => numerator) / m2
  const squares = sumOf(ids, (id) => (residual(second.get(id), p2) / m2 - residual(first.get(id), p1) / m1) ** 2)
  const bound = studentQuantile(0.975, ids.length - 1) * Math.sqrt((ids.length / (ids.length - 1)) * squares)
  if (Math.abs(p2 - p1) <= bound + ROUNDING) return 'within_noise'
  return p2 > p1 ? 'higher' : 'lower'
}

/** What each question with answers adds to a share, by question. */
function clustersOf(metric: RatioMetric, questions: readonly QuestionSums[]): Map<string, RatioCluster> {
  const clusters = new Map<string, RatioCluster>()
  for (const sums of questions) {
    const cluster = clusterOf(metric, sums)
    if (cluster !== null && cluster.denominator > 0) clusters.set(sums.question_id, cluster)
  }
  return clusters
}

const residual = (cluster: RatioCluster | undefined, p: number): number =>
  cluster === undefined ? 0 : cluster.numerator - p * cluster.denominator

/** Why two windows cannot be compared at all, or null. */
function whyNotComparable(before: readonly AnswerGroup[], after: readonly AnswerGroup[]): NotComparableReason | null {
  const [first, second] = [sharesBy(before, questionOf), sharesBy(after, questionOf)]
  const questions = new Set([...first.keys(), ...second.keys()])
  if (questions.size < MIN_QUESTIONS) return 'few_questions'
  if (Math.min(answeredIn(before), answeredIn(after)) < MIN_ANSWERS) return 'few_answers'
  if (partsDiffer(before, after, ({ model }) => model)) return 'model_changed'
  if (partsDiffer(before, after, ({ surface }) => surface)) return 'surface_changed'
  if (first.size !== questions.size || second.size !== questions.size) return 'different_questions'
  // An engine that answered much in one window only has changed the mix.
  return mixChanged(before, after) ? 'mix_changed' : null
}

function mixChanged(before: readonly AnswerGroup[], after: readonly AnswerGroup[]): boolean {
  const parts = [
    ({ engine }: AnswerGroup) => engine,
    ({ surface }: AnswerGroup) => surface,
    ({ country }: AnswerGroup) => (country === null ? '' : country),
  ]
  const moved = parts.some((partOf) =>
    changesOf(before, after, partOf).some(({ from, to }) => Math.abs(to - from) > MAX_MIX_CHANGE + ROUNDING),
  )
  const questions = changesOf(before, after, questionOf)
  return moved || questions.some(({ from, to }) => Math.abs(to - from) > MAX_QUESTION_CHANGE * from + ROUNDING)
}

/** The shares of each part in both windows. */
function changesOf(
  before: readonly AnswerGroup[],
  after: readonly AnswerGroup[],
  partOf: (group: AnswerGroup) => string,
): { from: number; to: number }[] {
  const [first, second] = [sharesBy(before, partOf), sharesBy(after, partOf)]
  const shareIn = (shares: Map<string, number>, part: string) => (shares.has(part) ? (shares.get(part) as number) : 0)
  return [...new Set([...first.keys(), ...second.keys()])].map((part) => ({
    from: shareIn(first, part),
    to: shareIn(second, part),
  }))
}

/** The share of answered answers by part; parts without one are left out. */
function sharesBy(groups: readonly AnswerGroup[], partOf: (group: AnswerGroup) => string): Map<string, number> {
  const all = answeredIn(groups)
  const parts = Map.groupBy(
    groups.filter(({ answered }) => answered > 0),
    partOf,
  )
  return new Map([...parts].map(([part, of]) => [part, answeredIn(of) / all]))
}

/** Whether an engine that answered in both windows did so by other models, or on other surfaces. */
function partsDiffer(
  before: readonly AnswerGroup[],
  after: readonly AnswerGroup[],
  partOf: (group: AnswerGroup) => string | null,
): boolean {
  const [first, second] = [partsByEngine(before, partOf), partsByEngine(after, partOf)]
  return [...first].some(([engine, parts]) => {
    const later = second.get(engine)
    return later !== undefined && parts.symmetricDifference(later).size > 0
  })
}

function partsByEngine(
  groups: readonly AnswerGroup[],
  partOf: (group: AnswerGroup) => string | null,
): Map<string, Set<string | null>> {
  const engines = Map.groupBy(
    groups.filter(({ answered }) => answered > 0),
    ({ engine }) => engine,
  )
  return new Map([...engines].map(([engine, of]) => [engine, new Set(of.map(partOf))]))
}

const questionOf = ({ question_id }: AnswerGroup) => question_id
const answeredIn = (groups: readonly AnswerGroup[]) => sumOf(groups, ({ answered }) => answered)
