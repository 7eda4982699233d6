import { dayText, spanText } from '../words/days.ts'
import { ChevronIcon } from './icons.tsx'
import { type OpeningButton, openedLater } from './opened-later.tsx'

export interface DateRangeProps {
  from: string
  to: string
  /** The service's day; no later one can be chosen. */
  today: string
  /** The longest range, both days counted. */
  max_days: number
  /** Ranges that end today, by their days. */
  presets: readonly number[]
  onPreset: (days: number) => void
  onRange: (range: { from: string; to: string }) => void
}

/** Inclusive UTC days; the address holds them. */
export const DateRange = openedLater(
  ({ from, to, button }: DateRangeProps & { button: OpeningButton }) => (
    <button {...button} className="control max-tablet:w-full max-tablet:justify-between" aria-haspopup="dialog">
      <DatesWord from={from} to={to} />
    </button>
  ),
  () => import('./date-dialog.tsx'),
)

/** Both years are named where they differ. */
export const datedSpan = (from: string, to: string): string =>
  from.slice(0, 4) === to.slice(0, 4)
    ? `${spanText(from, to)} ${to.slice(0, 4)}`
    : `${dayText(from)} ${from.slice(0, 4)} – ${dayText(to)} ${to.slice(0, 4)}`

export const DatesWord = ({ from, to }: Pick<DateRangeProps, 'from' | 'to'>) => (
  <>
    {datedSpan(from, to)} UTC
    <ChevronIcon className="h-7 w-7" />
  </>
)
