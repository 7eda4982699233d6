import { longDayText, spanText } from '../../words/days.ts'
import { fullCount, interval, percent } from '../../words/numbers.ts'

/** One rate with its interval. The line ends at a gap, at a break, and at a point with `n` below ten. */
export interface RatePoint {
  from: string
  to: string
  k: number
  n: number
  /** Shares from 0 to 1; null where nothing was answered: unknown, not zero. */
  rate: number | null
  low: number | null
  high: number | null
  /** Why it is not comparable with the point before it, such as a changed model. */
  break?: string | null
  /** No question was due: this is not a gap, and the line continues. */
  not_asked?: boolean
  /** Today is one of its days: more answers may come. */
  so_far?: boolean
}

const MIN_ANSWERS = 10

/** Drawn as a ring: the rate may still change, or is of few answers. */
export const isOpenPoint = ({ n, so_far }: RatePoint): boolean => n < MIN_ANSWERS || so_far === true

/** Runs of indexes that may be joined by a line. */
export function joinedRuns(points: readonly RatePoint[]): number[][] {
  const runs: number[][] = []
  let is_open = false
  points.forEach((point, index) => {
    if (point.not_asked === true && point.rate === null) return
    const is_solid = point.rate !== null && point.n >= MIN_ANSWERS
    if (is_solid && is_open && point.break == null) runs.at(-1)?.push(index)
    else if (is_solid) runs.push([index])
    is_open = is_solid
  })
  return runs.filter(({ length }) => length > 1)
}

/** "41.0 % (38.2–43.8)", "no answer yet", "not asked", "unknown" */
export function rateText({ rate, low, high, not_asked, so_far }: RatePoint): string {
  if (rate === null && so_far === true) return 'no answer yet'
  if (rate === null) return not_asked === true ? 'not asked' : 'unknown'
  return low === null || high === null ? percent(rate) : `${percent(rate)} (${interval(low, high)})`
}

/** Notes about the rate: "412 of 1,004 answers", "so far", "model changed". */
export const pointNotes = ({ rate, k, n, not_asked, so_far, break: broken }: RatePoint): string[] => [
  ...(rate === null ? [] : [`${fullCount(k)} of ${fullCount(n)} answers`]),
  ...(rate === null && not_asked !== true ? ['no answered run'] : []),
  ...(rate !== null && n < MIN_ANSWERS ? [`fewer than ${MIN_ANSWERS} answers`] : []),
  ...(so_far === true ? ['so far'] : []),
  ...(broken == null ? [] : [broken]),
]

/** "8 November, ChatGPT 41.0 % (38.2–43.8), 412 of 1,004 answers" */
export const pointSentence = (label: string, point: RatePoint): string =>
  [
    point.from === point.to ? longDayText(point.from) : spanText(point.from, point.to),
    `${label} ${rateText(point)}`,
    ...pointNotes(point),
  ].join(', ')
