import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { ConfirmByTyping } from '../forms/confirm-by-typing.tsx'
import { counted } from '../words/numbers.ts'

interface LeaveUploadsProps {
  is_sending: boolean
  /** Files that wait for the one that is being sent. */
  waiting: number
}

/**
 * Asks before the page is left, because files that wait would never be sent. A file that is being sent is finished by
 * the other pages, too, but not by a window that is closed: that asks the browser to warn.
 */
export function LeaveUploads({ is_sending, waiting }: LeaveUploadsProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: waiting > 0 ? isOtherPage : isNever,
    enableBeforeUnload: is_sending,
    disabled: !is_sending,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <ConfirmByTyping
      title="Leave before all logs are sent?"
      expected={null}
      action="Leave the page"
      is_open
      onClose={reset}
      onConfirm={async () => proceed()}
    >
      {counted(waiting, 'file waits', 'files wait')} and will not be sent. The receipt of the file that is being sent
      will be among the uploads of the sources.
    </ConfirmByTyping>
  )
}

/** Another window or tab of the same page leaves the uploads where they are. */
const isOtherPage: ShouldBlockFn = ({ current, next }) => current.pathname !== next.pathname
const isNever: ShouldBlockFn = () => false
