import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import type { ScanList } from './scans-panel.tsx'

interface ScheduleFormProps {
  brand: string
  schedule: ScanList['schedule']
  forbidden: string | undefined
}

const NEVER = 'never'
const HOURS = [
  { key: NEVER, label: 'No daily scan' },
  ...Array.from({ length: 24 }, (_, hour) => ({ key: String(hour), label: `${String(hour).padStart(2, '0')}:00 UTC` })),
]
/** How often each question is asked of an engine. */
export const RUNS_OPTIONS = Array.from({ length: 10 }, (_, index) => ({
  key: String(index + 1),
  label: index === 0 ? 'Once' : `${index + 1} times`,
}))

export function ScheduleForm({ brand, schedule, forbidden }: ScheduleFormProps) {
  const [hour, setHour] = useState(schedule.hour === null ? NEVER : String(schedule.hour))
  const [runs, setRuns] = useState(String(schedule.runs))
  const save = useChange('scan.schedule', { changes: ['scan.list'] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      { brand, hour: hour === NEVER ? null : Number(hour), runs: Number(runs) },
      { onSuccess: () => announce('Saved.') },
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-6">
      <div className="w-90">
        <SelectField label="Daily at about" selected={hour} options={HOURS} onSelect={setHour} />
      </div>
      <div className="w-70">
        <SelectField label="Each question" selected={runs} options={RUNS_OPTIONS} onSelect={setRuns} />
      </div>
      <Button type="submit" forbidden={forbidden} aria-busy={save.isPending}>
        Save schedule
      </Button>
      <FormError error={save.error} />
    </form>
  )
}
