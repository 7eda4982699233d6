import type { ReactNode } from 'react'
import { announce } from '../shell/announce.tsx'
import { shortText } from '../words/foreign-text.ts'
import { ConfirmByTyping } from './confirm-by-typing.tsx'

interface ArchiveDialogProps {
  kind: 'conversion' | 'funnel'
  name: string
  /** What archiving ends, and what it keeps. */
  children: ReactNode
  onClose: () => void
  /** @throws the refusal of the service. */
  onArchive: () => Promise<unknown>
}

/** Asks before a definition is archived. Nothing has to be typed, because its numbers are kept. */
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
