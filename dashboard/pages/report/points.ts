import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import type { RatePoint } from '../../charts/rates/rate-points.ts'

export type SeriesRow = BrandReport['series'][number]

/** Rows of one engine as points; a change of model or surface ends the line before it. */
export function pointsOf(rows: readonly SeriesRow[]): RatePoint[] {
  let before: SeriesRow | null = null
  return rows.map((row) => {
    const { visibility } = row.metrics
    const point: RatePoint = {
      from: row.from,
      to: row.to,
      k: visibility.numerator,
      n: visibility.denominator,
      rate: visibility.value,
      low: visibility.low,
      high: visibility.high,
      not_asked: row.state === 'not_asked' || isOpen(row),
      so_far: row.state === 'so_far',
      break: before === null || visibility.value === null ? null : breakBetween(before, row),
    }
    if (visibility.value !== null) before = row
    return point
  })
}

/** Nothing has been answered yet, but answers may still come, so this is not a gap. */
const isOpen = ({ state, metrics }: SeriesRow) => state === 'so_far' && metrics.visibility.value === null

function breakBetween(before: SeriesRow, after: SeriesRow): string | null {
  if (!isSame(before.models, after.models)) return 'model changed'
  return isSame(before.surfaces, after.surfaces) ? null : 'surface changed'
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((member) => other.includes(member))

/** The scale that all small charts share. */
export function largestOf(rows: readonly SeriesRow[]): number {
  const high = rows.flatMap(({ engine, metrics }) => (engine === null ? [] : (metrics.visibility.high ?? [])))
  // If nothing is known, the scale covers all shares.
  return high.length === 0 ? 1 : Math.max(...high)
}
