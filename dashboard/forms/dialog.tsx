import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from '../controls/button.tsx'
import { CloseIcon } from '../controls/icons.tsx'

interface LayerProps {
  title: string
  is_open: boolean
  children: ReactNode
  /** Without it the layer cannot be left, such as sign-in over a page. */
  onClose?: () => void
}

const OVERLAY = 'fixed inset-0 z-30 bg-black/35'

/** A question in the middle of the page. `Esc` closes it, and the focus goes back to where it was. */
export const ModalDialog = ({ title, is_open, onClose, children }: LayerProps) => (
  <Layer
    {...{ title, is_open, onClose }}
    overlay="flex items-center justify-center p-8"
    modal="panel max-h-full w-full max-w-220 overflow-y-auto shadow-layer"
  >
    {children}
  </Layer>
)

/** Evidence at the side of the page, or the navigation of phones. */
export const Drawer = ({ side = 'right', ...props }: LayerProps & { side?: 'left' | 'right' }) => (
  <Layer
    title={props.title}
    is_open={props.is_open}
    onClose={props.onClose}
    overlay={`flex ${side === 'right' ? 'justify-end' : ''}`}
    modal={`h-full overflow-y-auto bg-panel shadow-layer ${side === 'right' ? 'w-full max-w-260 border-l border-line' : 'w-150 max-w-[85vw] border-r border-line bg-canvas'}`}
  >
    {props.children}
  </Layer>
)

interface InnerProps extends Omit<LayerProps, 'onClose'> {
  onClose: (() => void) | undefined
  overlay: string
  modal: string
}

const Layer = ({ title, is_open, onClose, overlay, modal, children }: InnerProps) => (
  <ModalOverlay
    isOpen={is_open}
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
