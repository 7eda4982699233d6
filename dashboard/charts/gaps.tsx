import { trackWords } from '../evidence/day.ts'
import { PATTERN } from '../evidence/patterns.tsx'
import type { Slot } from './series.ts'

/** Runs of slots that were not observed, as inclusive ranges of their indexes. */
export function gapRuns(slots: readonly Slot[]): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = []
  slots.forEach(({ day, total }, index) => {
    if (day.state !== 'gap' || total !== null) return
    const run = runs.at(-1)
    if (run !== undefined && run.last === index - 1) run.last = index
    else runs.push({ first: index, last: index })
  })
  return runs
}

/** A label is turned in narrower columns, and left out of columns that are too small for either. */
const LABEL_WIDTH = 70
const MIN_LABELLED = { width: 12, height: 80 }
const DAY_MS = 86_400_000

/** The number of days in these slots: a slot may be a week. */
const daysOf = (slots: readonly Slot[]): number =>
  slots.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / DAY_MS + 1, 0)

/** Hatched columns over the full height, labelled once per run: unknown days look different from zero. */
export function Gaps({
  slots,
  left,
  slot_width,
  top,
  height,
}: {
  slots: readonly Slot[]
  left: number
  slot_width: number
  top: number
  height: number
}) {
  const words = trackWords(slots.map(({ day }) => day)).gap
  return (
    <g>
      {gapRuns(slots).map(({ first, last }) => {
        const x = left + first * slot_width
        const width = (last - first + 1) * slot_width
        const all = last - first + 1 === slots.length
        const middle = { x: x + width / 2, y: top + height / 2 }
        const turned = width < LABEL_WIDTH ? { transform: `rotate(-90 ${middle.x} ${middle.y})` } : {}
        return (
          <g key={first}>
            <rect x={x} y={top} width={width} height={height} fill={PATTERN.gap} />
            {width >= MIN_LABELLED.width && height >= MIN_LABELLED.height && (
              <text
                {...middle}
                {...turned}
                textAnchor="middle"
                dominantBaseline="central"
                fontSize="11"
                fontWeight="620"
                fill="var(--color-ink2)"
                stroke="var(--color-hatch-bg)"
                strokeWidth="4"
                paintOrder="stroke"
              >
                {all ? `${daysOf(slots)} days ${words}: unknown, not zero` : words}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}
