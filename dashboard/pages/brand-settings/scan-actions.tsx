import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { costText } from '../../words/brand.ts'
import type { ScanList } from './scans-panel.tsx'

interface ScanActionsProps {
  brand: string
  schedule: ScanList['schedule']
  is_running: boolean
  forbidden: string | undefined
}

/** Asking now, stopping, pausing and resuming. */
export function ScanActions({ brand, schedule, is_running, forbidden }: ScanActionsProps) {
  const changes = ['scan.list', 'getBrandReport', 'listAnswers'] as const
  const start = useChange('scan.start', { changes })
  const cancel = useChange('scan.cancel', { changes })
  const pause = useChange('scan.schedule', { changes })
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap gap-4">
        <Button
          kind="primary"
          forbidden={forbidden}
          aria-busy={start.isPending}
          onClick={() =>
            start.mutate(
              { brand, runs: 1 },
              {
                onSuccess: ({ estimate_micros }) =>
                  announce(`Started. It is expected to cost ${costText(estimate_micros)}.`),
              },
            )
          }
        >
          Scan now
        </Button>
        {is_running && (
          <Button
            forbidden={forbidden}
            onClick={() =>
              cancel.mutate({ brand }, { onSuccess: () => announce('Cancelled. Calls that run end by themselves.') })
            }
          >
            Cancel the scan
          </Button>
        )}
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
      </div>
      <FormError error={start.error ?? cancel.error ?? pause.error} />
    </div>
  )
}
