import { type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { ModalDialog } from './dialog.tsx'
import { failureText } from './form-error.tsx'
import { TextField } from './text-field.tsx'

interface ConfirmByTypingProps {
  title: string
  /** What will be deleted, with counts. */
  children: ReactNode
  /** What has to be typed, such as the domain; null: a button is enough. */
  expected: string | null
  /** The verb on the button: "Delete the site". */
  action: string
  is_open: boolean
  onClose: () => void
  /** @throws the refusal of the service. */
  onConfirm: () => Promise<void>
}

/**
 * A confirmation that names what will be deleted, and cannot be given by accident. Each time that it is opened, it
 * begins without what was typed or refused before: the rows of a list may share it.
 */
export const ConfirmByTyping = ({ is_open, ...props }: ConfirmByTypingProps) =>
  is_open ? <Confirmation {...props} /> : null

function Confirmation({
  title,
  children,
  expected,
  action,
  onClose,
  onConfirm,
}: Omit<ConfirmByTypingProps, 'is_open'>) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)
  const [is_busy, setBusy] = useState(false)
  const fault =
    expected === null || typed.trim() === expected
      ? undefined
      : `${JSON.stringify(typed)} was typed; type “${expected}”.`
  const confirm = async () => {
    if (fault !== undefined) return setError(fault)
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (refused) {
      setError(failureText(refused))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ModalDialog title={title} is_open onClose={onClose}>
      <div className="space-y-8">
        <div className="text-ink2">{children}</div>
        {expected !== null ? (
          <TextField
            label={`Type “${expected}” to continue`}
            value={typed}
            onChange={setTyped}
            fault={typed === '' ? undefined : fault}
            error={error}
            is_mono
          />
        ) : (
          error !== undefined && (
            <p role="alert" className="text-dense text-bad">
              {error}
            </p>
          )
        )}
        <div className="flex justify-end gap-6">
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="bad" aria-busy={is_busy} onClick={confirm}>
            {action}
          </Button>
        </div>
      </div>
    </ModalDialog>
  )
}
