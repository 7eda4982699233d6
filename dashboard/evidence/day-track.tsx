import { runsOf } from '../words/days.ts'
import { counted } from '../words/numbers.ts'
import { type DayEvidence, formOf, trackWords } from './day.ts'
import { EvidenceCells } from './day-cell.tsx'
import { listedRuns } from './sentences.ts'

/** One cell per day, for places without a chart. Its accessible name states how many days were covered. */
export function DayTrack({
  days,
  height = 8,
  width = 240,
}: {
  days: readonly DayEvidence[]
  height?: number
  width?: number
}) {
  const slot = width / Math.max(1, days.length)
  const cell = Math.max(1, slot * 0.78)
  return (
    <svg
      role="img"
      aria-label={trackSummary(days)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="block w-full"
      height={height}
    >
      <EvidenceCells
        days={days}
        place={(index) => ({ x: index * slot + (slot - cell) / 2, width: cell })}
        y={0}
        height={height}
      />
    </svg>
  )
}

/** "28 of 30 days watched in full, 1 not watched: 6 Nov"; more than a few runs of days are counted, not listed. */
export function trackSummary(days: readonly DayEvidence[]): string {
  const full = days.filter((day) => day.state === 'complete').length
  const gaps = days.filter((day) => formOf(day) === 'gap')
  const words = trackWords(days)
  const runs = listedRuns(runsOf(gaps.map(({ date }) => date))).replace(/^,/, ':')
  const missing = gaps.length === 0 ? '' : `, ${gaps.length} ${words.gap}${runs}`
  return `${full} of ${counted(days.length, 'day')} ${words.full}${missing}`
}
