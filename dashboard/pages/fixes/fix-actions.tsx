import { useState } from 'react'
import type { Fix } from '../../../src/contract/account-api/fixes.ts'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { ModalDialog } from '../../forms/dialog.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextArea } from '../../forms/text-area.tsx'
import { useFixChanges } from './use-fix-changes.ts'

/** Buttons for the next states of a fix. */
export function FixActions({ brand, fix }: { brand: string; fix: Fix }) {
  const may = useMayOnBrand()
  const [is_dismissing, setDismissing] = useState(false)
  const [is_removing, setRemoving] = useState(false)
  const { is_busy, error, ...changes } = useFixChanges(brand, fix)
  const is_open = fix.status === 'open'
  const is_accepted = fix.status === 'accepted'
  const state = { forbidden: may.edit, 'aria-busy': is_busy }
  return (
    <div className="space-y-4">
      <FormError error={error} />
      <div className="flex flex-wrap gap-4">
        {is_open && (
          <Button kind="primary" {...state} onClick={changes.accept}>
            Accept
          </Button>
        )}
        {is_accepted && (
          <Button kind="primary" {...state} onClick={changes.complete}>
            Mark as done
          </Button>
        )}
        {(is_open || is_accepted) && (
          <Button {...state} onClick={() => setDismissing(true)}>
            Dismiss
          </Button>
        )}
        {!is_open && !is_accepted && (
          <Button {...state} onClick={changes.reopen}>
            Reopen
          </Button>
        )}
        <Button {...state} onClick={() => setRemoving(true)}>
          Delete
        </Button>
      </div>
      {is_removing && (
        <RemoveDialog
          onClose={() => setRemoving(false)}
          onRemove={() => {
            setRemoving(false)
            changes.remove()
          }}
        />
      )}
      {is_dismissing && (
        <DismissDialog
          onClose={() => setDismissing(false)}
          onDismiss={(reason) => {
            setDismissing(false)
            changes.dismiss(reason)
          }}
        />
      )}
    </div>
  )
}

interface RemoveDialogProps {
  onClose: () => void
  onRemove: () => void
}

const RemoveDialog = ({ onClose, onRemove }: RemoveDialogProps) => (
  <ModalDialog title="Delete the fix" is_open onClose={onClose}>
    <div className="space-y-8">
      <p className="text-ink2">
        It is deleted for good, with what became of it. The same evidence may propose it again; to prevent that, dismiss
        it instead.
      </p>
      <div className="flex justify-end gap-6">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="primary" onClick={onRemove}>
          Delete
        </Button>
      </div>
    </div>
  </ModalDialog>
)

interface DismissDialogProps {
  onClose: () => void
  onDismiss: (reason: string) => void
}

function DismissDialog({ onClose, onDismiss }: DismissDialogProps) {
  const [reason, setReason] = useState('')
  return (
    <ModalDialog title="Dismiss the fix" is_open onClose={onClose}>
      <div className="space-y-8">
        <p className="text-ink2">It is not proposed again from the same evidence. You can reopen it.</p>
        <TextArea label="Reason (optional)" help="Up to 500 characters." value={reason} onChange={setReason} />
        <div className="flex justify-end gap-6">
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="primary" onClick={() => onDismiss(reason.trim())}>
            Dismiss
          </Button>
        </div>
      </div>
    </ModalDialog>
  )
}
