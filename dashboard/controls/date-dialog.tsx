import { type FormEvent, useState } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { type DateRangeProps, DatesWord } from './date-range.tsx'
import { useOpenNow } from './use-open-now.ts'

const DAY_MS = 86_400_000
const lengthOf = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

export default function DateDialog({ from, to, today, max_days, presets, onPreset, onRange }: DateRangeProps) {
  return (
    <DialogTrigger {...useOpenNow()}>
      <Button autoFocus className="control max-tablet:w-full max-tablet:justify-between">
        <DatesWord from={from} to={to} />
      </Button>
      <Popover className="panel w-150 p-6 shadow-layer" placement="bottom end">
        <Dialog aria-label="Dates" className="space-y-8 outline-none">
          {({ close }) => (
            <>
              <ul>
                {presets.map((days) => (
                  <li key={days}>
                    <button
                      type="button"
                      className="flex min-h-15 w-full items-center rounded-tag px-4 text-left text-dense hover:bg-sunken aria-[current=true]:bg-sunken aria-[current=true]:font-strong touch:min-h-22"
                      aria-current={to === today && lengthOf(from, to) === days}
                      onClick={() => {
                        onPreset(days)
                        close()
                      }}
                    >
                      Last {days} days
                    </button>
                  </li>
                ))}
              </ul>
              <OwnRange
                {...{ from, to, today, max_days }}
                onRange={(range) => {
                  onRange(range)
                  close()
                }}
              />
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

type OwnRangeProps = Pick<DateRangeProps, 'from' | 'to' | 'today' | 'max_days' | 'onRange'>

function OwnRange({ today, max_days, onRange, ...given }: OwnRangeProps) {
  const [range, setRange] = useState({ from: given.from, to: given.to })
  const [error, setError] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = rangeError(range.from, range.to, max_days)
    setError(wrong)
    if (wrong === null) onRange(range)
  }
  return (
    <form onSubmit={submit} className="space-y-4 border-t border-line pt-6">
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className="flex items-center justify-between gap-6 text-dense">
          {name === 'from' ? 'From' : 'To'}
          <input
            type="date"
            required
            max={today}
            value={range[name]}
            onChange={(event) => setRange({ ...range, [name]: event.target.value })}
            className="field max-w-90"
          />
        </label>
      ))}
      {error !== null && (
        <p role="alert" className="text-small text-bad">
          {error}
        </p>
      )}
      <button type="submit" className="control w-full">
        Show these days
      </button>
    </form>
  )
}

/** Why an entered range is not accepted; null if it is accepted. */
export function rangeError(from: string, to: string, max_days: number): string | null {
  if (from > to) return `From is ${from}, which is after ${to}. Choose a day before it.`
  const days = lengthOf(from, to)
  return days > max_days ? `The range has ${days} days; at most ${max_days} are allowed. Choose fewer days.` : null
}
