import { useState } from 'react'
import type { Fix } from '../../../src/contract/account-api/fixes.ts'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { ModalDialog } from '../../forms/dialog.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextArea } from '../../forms/text-area.tsx'
import { isRefusal } from '../../read/refusal.ts'
import { useChange } from '../../read/use-change.ts'
import { useReread } from '../../read/use-reread.ts'
import { announce } from '../../shell/announce.tsx'

const CHANGES = ['listFixes'] as const
export const CHANGED_BY_OTHERS = 'Another person has changed this fix. This is its current state.'

/** Buttons for the next states of a fix. If another person has changed it meanwhile, it is read again. */
export function FixActions({ brand, fix }: { brand: string; fix: Fix }) {
  const may = useMayOnBrand()
  const [is_dismissing, setDismissing] = useState(false)
  const [is_removing, setRemoving] = useState(false)
  const options = { changes: CHANGES }
  const accept = useChange('acceptFix', options)
  const complete = useChange('completeFix', options)
  const dismiss = useChange('dismissFix', options)
  const reopen = useChange('fix.reopen', options)
  const remove = useChange('fix.remove', options)
  const reread = useReread('listFixes')
  const is_busy = [accept, complete, dismiss, reopen, remove].some(({ isPending }) => isPending)
  const error = accept.error ?? complete.error ?? dismiss.error ?? reopen.error ?? remove.error
  const seen = { brandId: brand, id: fix.id, version: fix.version }
  const is_open = fix.status === 'open'
  const is_accepted = fix.status === 'accepted'
  const onError = (refused: Error) => isRefusal(refused, 409) && reread()
  return (
    <div className="space-y-4">
      <FormError error={error !== null && isRefusal(error, 409) ? new Error(CHANGED_BY_OTHERS) : error} />
      <div className="flex flex-wrap gap-4">
        {is_open && (
          <Button
            kind="primary"
            forbidden={may.edit}
            aria-busy={is_busy}
            onClick={() =>
              accept.mutate(seen, {
                onError,
                onSuccess: () => announce('Accepted. It is now among the accepted fixes.'),
              })
            }
          >
            Accept
          </Button>
        )}
        {is_accepted && (
          <Button
            kind="primary"
            forbidden={may.edit}
            aria-busy={is_busy}
            onClick={() =>
              complete.mutate(seen, {
                onError,
                onSuccess: () => announce('Completed. Later evidence shows whether it helped.'),
              })
            }
          >
            Mark as done
          </Button>
        )}
        {(is_open || is_accepted) && (
          <Button forbidden={may.edit} aria-busy={is_busy} onClick={() => setDismissing(true)}>
            Dismiss
          </Button>
        )}
        {!is_open && !is_accepted && (
          <Button
            forbidden={may.edit}
            aria-busy={is_busy}
            onClick={() =>
              reopen.mutate(
                { brand, fix: fix.id, version: fix.version },
                { onError, onSuccess: () => announce('Reopened.') },
              )
            }
          >
            Reopen
          </Button>
        )}
        <Button forbidden={may.edit} aria-busy={is_busy} onClick={() => setRemoving(true)}>
          Delete
        </Button>
      </div>
      {is_removing && (
        <RemoveDialog
          onClose={() => setRemoving(false)}
          onRemove={() => {
            setRemoving(false)
            remove.mutate(
              { brand, fix: fix.id, version: fix.version },
              { onError, onSuccess: () => announce('Deleted.') },
            )
          }}
        />
      )}
      {is_dismissing && (
        <DismissDialog
          onClose={() => setDismissing(false)}
          onDismiss={(reason) => {
            setDismissing(false)
            dismiss.mutate(
              { ...seen, ...(reason === '' ? {} : { reason }) },
              { onError, onSuccess: () => announce('Dismissed.') },
            )
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
