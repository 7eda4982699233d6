import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { ScanNow } from './scan-now.tsx'
import type { ScanList } from './scans-panel.tsx'

interface ScanActionsProps {
  brand: string
  schedule: ScanList['schedule']
  is_running: boolean
  forbidden: string | undefined
}

/** Buttons to scan now, cancel, pause and resume, as far as they apply. */
export function ScanActions({ brand, schedule, is_running, forbidden }: ScanActionsProps) {
  const [is_asking, setAsking] = useState(false)
  const cancel = useChange('scan.cancel', { changes: ['scan.list', 'getBrandReport', 'listAnswers'] })
  const pause = useChange('scan.schedule', { changes: ['scan.list'] })
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap gap-4">
        <Button
          kind="primary"
          forbidden={
            forbidden ?? (is_running ? 'A scan is running. Cancel it, or wait until it has ended.' : undefined)
          }
          onClick={() => setAsking(true)}
        >
          Scan now
        </Button>
        {is_running && (
          <Button
            forbidden={forbidden}
            onClick={() =>
              cancel.mutate(
                { brand },
                { onSuccess: () => announce('Cancelled. Calls that are already running still finish.') },
              )
            }
          >
            Cancel the scan
          </Button>
        )}
        {(schedule.hour !== null || schedule.is_paused) && (
          <Button
            forbidden={forbidden}
            onClick={() =>
              pause.mutate(
                { brand, is_paused: !schedule.is_paused },
                { onSuccess: ({ is_paused }) => announce(is_paused ? 'Paused.' : 'Resumed.') },
              )
            }
          >
            {schedule.is_paused ? 'Resume daily scans' : 'Pause daily scans'}
          </Button>
        )}
      </div>
      <FormError error={cancel.error ?? pause.error} />
      {is_asking && <ScanNow brand={brand} onClose={() => setAsking(false)} />}
    </div>
  )
}
