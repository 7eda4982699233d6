import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { WarningIcon } from '../controls/icons.tsx'
import { isRefusal, Refusal } from '../read/refusal.ts'
import { NO_SUCH_SITE, READ_FAILED, REBUILDING, refusalWords, SWITCHED_OFF } from '../words/refusals.ts'
import { SwitchedOff } from './switched-off.tsx'

interface ErrorPanelProps {
  error: Error
  onRetry: () => void
  /** Older numbers stand below. */
  has_older?: boolean
}

/** The error of one panel; the other panels are not affected. */
export function ErrorPanel({ error, onRetry, has_older = false }: ErrorPanelProps) {
  if (isSwitchedOff(error)) return <SwitchedOff />
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-8 gap-y-5 px-8 py-8 text-ink2">
      <p className="flex max-w-300 items-start gap-5">
        <WarningIcon className="mt-1 h-8 w-8 text-warn" />
        <span>
          {errorWords(error)}
          {has_older && ' The numbers below are from an earlier read.'}
        </span>
      </p>
      {!isRefusal(error, 401) && <Button onClick={onRetry}>Try again</Button>}
      {error instanceof Refusal && error.request_id !== null && (
        <span className="flex items-center gap-2 text-small text-ink3">
          Request {error.request_id}
          <CopyButton text={error.request_id} label="Copy the request id" is_icon />
        </span>
      )}
    </div>
  )
}

/** An owner closed the gate of this report. */
const isSwitchedOff = (error: Error): boolean => isRefusal(error, 503) && error.step === 'gate.set'

/** The words for an error: those of a refusal, or what a failure means for the numbers. */
export function errorWords(error: Error): string {
  if (!(error instanceof Refusal)) return READ_FAILED
  if (error.status === 401) return 'Your session ended. Sign in to continue.'
  if (error.status === 404) return error.detail ?? NO_SUCH_SITE
  if (isSwitchedOff(error)) return SWITCHED_OFF
  if (error.status === 503) return error.detail ?? REBUILDING
  if (error.status >= 400 && error.status < 500) return refusalWords(error)
  return READ_FAILED
}
