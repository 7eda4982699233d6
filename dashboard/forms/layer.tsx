import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from '../controls/button.tsx'
import { CloseIcon } from '../controls/icons.tsx'

/** As high as the space above an on-screen keyboard. */
const OVERLAY = 'fixed inset-x-0 top-0 z-30 h-(--visual-viewport-height) bg-scrim'

interface OpenLayerProps {
  title: string
  children: ReactNode
  onClose: (() => void) | undefined
  overlay: string
  modal: string
}

/** A layer over the page. It keeps the focus, and returns it when it is closed. */
export default ({ title, onClose, overlay, modal, children }: OpenLayerProps) => (
  <ModalOverlay
    isOpen
    onOpenChange={(open) => !open && onClose?.()}
    isDismissable={onClose !== undefined}
    isKeyboardDismissDisabled={onClose === undefined}
    className={`${OVERLAY} ${overlay}`}
  >
    <Modal className={modal}>
      <Dialog className="flex min-h-full flex-col px-8 py-6 outline-none">
        <div className="mb-6 flex min-h-14 items-center justify-between gap-8">
          <Heading slot="title" className="text-title font-strong">
            {title}
          </Heading>
          {onClose !== undefined && (
            <IconButton label="Close" onClick={onClose}>
              <CloseIcon />
            </IconButton>
          )}
        </div>
        <div className="grow">{children}</div>
      </Dialog>
    </Modal>
  </ModalOverlay>
)
