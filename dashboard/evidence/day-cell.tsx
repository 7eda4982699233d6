import { type DayEvidence, type DayForm, formOf } from './day.ts'
import { PATTERN } from './patterns.tsx'

interface DayCellProps {
  form: DayForm
  /** How much of a running day has passed, from 0 to 1. */
  elapsed?: number | null
  x: number
  y: number
  width: number
  height: number
}

/** One cell of a DayTrack. Each state of a day has its own shape. */
export function DayCell({ form, elapsed = null, x, y, width, height }: DayCellProps) {
  const outline = {
    x: x + 0.5,
    y: y + 0.5,
    width: Math.max(1, width - 1),
    height: height - 1,
    rx: Math.min(1.5, width / 6),
  }
  if (form === 'complete')
    return <rect {...{ x, y, width, height }} rx={Math.min(2, width / 5)} fill="var(--color-2xx)" />
  if (form === 'gap') return <rect {...outline} fill={PATTERN.gap} stroke="var(--color-hatch)" />
  if (form === 'backfill') return <rect {...outline} fill="var(--color-panel)" stroke="var(--color-2xx)" />
  if (form === 'today') {
    const passed = width * (elapsed ?? 1)
    return (
      <g>
        <rect {...outline} fill="none" stroke="var(--color-2xx)" strokeDasharray="2 1.5" />
        <rect {...{ x, y, height }} width={passed} rx="1.5" fill="var(--color-2xx)" />
      </g>
    )
  }
  const lower = { x, width, y: y + height / 2, height: height / 2, fill: 'var(--color-2xx)' }
  return (
    <g>
      <rect {...outline} fill="var(--color-panel)" stroke="var(--color-2xx)" />
      <rect {...lower} {...(form === 'sampled' ? { mask: PATTERN.dots } : {})} />
    </g>
  )
}

/** The cell of one day of an answer. */
export const EvidenceCell = ({ day, ...place }: { day: DayEvidence } & Omit<DayCellProps, 'form' | 'elapsed'>) => (
  <DayCell form={formOf(day)} elapsed={day.elapsed} {...place} />
)

/** Above this number of days, the cells of one form are one path, so that a year needs few elements. */
const MERGED_FROM = 120

interface EvidenceCellsProps {
  days: readonly DayEvidence[]
  place: (index: number) => { x: number; width: number }
  y: number
  height: number
}

/** The cells of days in a row. */
export function EvidenceCells({ days, place, y, height }: EvidenceCellsProps) {
  const is_merged = days.length > MERGED_FROM
  const pathOf = (forms: readonly DayForm[], top = y, high = height) =>
    days
      .map((day, index) => {
        if (!forms.includes(formOf(day))) return ''
        const { x, width } = place(index)
        return `M${x.toFixed(2)} ${top}h${width.toFixed(2)}v${high}h-${width.toFixed(2)}z`
      })
      .join('')
  const lower = (form: DayForm) => pathOf([form], y + height / 2, height / 2)
  return (
    <g>
      {is_merged && (
        <>
          <path d={pathOf(['complete'])} fill="var(--color-2xx)" />
          <path d={pathOf(['gap'])} fill={PATTERN.gap} stroke="var(--color-hatch)" strokeWidth="0.5" />
          <path d={pathOf(OUTLINED)} fill="var(--color-panel)" stroke="var(--color-2xx)" strokeWidth="0.5" />
          <path d={lower('partial')} fill="var(--color-2xx)" />
          <path d={lower('sampled')} fill="var(--color-2xx)" mask={PATTERN.dots} />
        </>
      )}
      {days.map((day, index) =>
        is_merged && formOf(day) !== 'today' ? null : (
          <EvidenceCell key={day.date} day={day} y={y} height={height} {...place(index)} />
        ),
      )}
    </g>
  )
}
const OUTLINED: readonly DayForm[] = ['backfill', 'partial', 'sampled']

/** The cell of a form, for legends. */
export const DayFormMark = ({ form }: { form: DayForm }) => (
  <svg aria-hidden="true" viewBox="0 0 14 8" className="h-4 w-7 shrink-0">
    <DayCell form={form} elapsed={0.5} x={0} y={0} width={14} height={8} />
  </svg>
)
