/** The metrics of competitors in the same answers, and questions on which only they are named (account API 2.2). */
import type { BrandReport } from '#contract/account-api/index.ts'
import type { QuestionSums } from './question-sums.ts'
import { ratioOf, sumOf } from './ratio.ts'
import type { Questions, SumRow, TrackedRow } from './report-rows.ts'

export const MAX_MISSED = 20

/** The same shares as the brand's own, for each competitor in the order given. */
export function competitorsOf(
  competitors: readonly { id: string; name: string }[],
  questions: readonly QuestionSums[],
  tracked: readonly TrackedRow[],
): BrandReport['competitors'] {
  const rows = new Map(tracked.map((row) => [`${row.tracked_id} ${row.question_id}`, row]))
  return competitors.map(({ id, name }) => {
    // An answer either names a competitor or not: a question without a row has answers that do not.
    const namings = questions.map((sums) => {
      const row = rows.get(`${id} ${sums.question_id}`)
      return row === undefined
        ? { sums, naming: 0, positions: 0 }
        : { sums, naming: row.naming, positions: row.position_sum }
    })
    const n = sumOf(namings, ({ naming }) => naming)
    const positions = sumOf(namings, (row) => row.positions)
    const unbranded = namings.filter(({ sums }) => !sums.is_branded)
    return {
      id,
      name,
      visibility: ratioOf(namings.map(({ sums, naming }) => ({ numerator: naming, denominator: sums.answered }))),
      share_of_voice: ratioOf(
        unbranded.map(({ sums, naming }) => ({ numerator: naming, denominator: sums.tracked_mentions })),
      ),
      average_position: { value: n === 0 ? null : positions / n, n },
    }
  })
}

/** Questions whose answers name competitors and not the brand, the most such answers first. */
export function missedOf(
  sums: readonly SumRow[],
  tracked: readonly TrackedRow[],
  questions: Questions,
  competitors: readonly { id: string }[],
): Pick<BrandReport, 'missed' | 'missed_total'> {
  const missed = [...Map.groupBy(sums, ({ question_id }) => question_id)].flatMap(([id, rows]) => {
    const question = questions.get(id)
    const answers = sumOf(rows, (row) => row.missed)
    if (question === undefined || answers === 0) return []
    const { text, country } = question
    return [{ question: { id, text, country }, competitors: rivalsOn(id, tracked, competitors), answers }]
  })
  missed.sort((a, b) => b.answers - a.answers || (a.question.id < b.question.id ? -1 : 1))
  return { missed: missed.slice(0, MAX_MISSED), missed_total: missed.length }
}

/** Competitors that answers to a question name without the brand, the most named first. */
function rivalsOn(
  question_id: string,
  tracked: readonly TrackedRow[],
  competitors: readonly { id: string }[],
): { id: string; answers: number }[] {
  const known = new Set(competitors.map(({ id }) => id))
  return tracked
    .filter((row) => row.question_id === question_id && row.without_own > 0 && known.has(row.tracked_id))
    .map(({ tracked_id, without_own }) => ({ id: tracked_id, answers: without_own }))
    .sort((a, b) => b.answers - a.answers || (a.id < b.id ? -1 : 1))
}
