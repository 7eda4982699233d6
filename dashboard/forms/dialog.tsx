import { lazy, type ReactNode, Suspense } from 'react'

/** Read when the first dialog opens: no page waits for it. */
const OpenLayer = lazy(() => import('./layer.tsx'))

interface LayerProps {
  title: string
  is_open: boolean
  children: ReactNode
  /** Left out if the dialog cannot be closed, such as sign-in over a page. */
  onClose?: () => void
}

/** A dialog in the middle of the page. `Esc` closes it, and the focus returns to its previous place. */
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

const Layer = ({ is_open, ...props }: InnerProps) =>
  is_open && (
    <Suspense>
      <OpenLayer {...props} />
    </Suspense>
  )
