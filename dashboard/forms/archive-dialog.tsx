import type { ReactNode } from 'react'
import { announce } from '../shell/announce.tsx'
import { shortText } from '../words/strangers-text.ts'
import { ConfirmByTyping } from './confirm-by-typing.tsx'

interface ArchiveDialogProps {
  kind: 'conversion' | 'funnel'
  name: string
  /** What no longer happens, and what stays. */
  children: ReactNode
  onClose: () => void
  /** Throws what the service refused. */
  onArchive: () => Promise<unknown>
}

/** Asks before a definition is archived; nothing has to be typed, because its numbers stay. */
export const ArchiveDialog = ({ kind, name, children, onClose, onArchive }: ArchiveDialogProps) => (
  <ConfirmByTyping
    title={`Archive ${shortText(name)}`}
    expected={null}
    action={`Archive the ${kind}`}
    is_open
    onClose={onClose}
    onConfirm={async () => {
      await onArchive()
      announce(`The ${kind} ${name} is archived.`)
    }}
  >
    {children}
  </ConfirmByTyping>
)
