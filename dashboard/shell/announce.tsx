import { useSyncExternalStore } from 'react'

interface ToastAction {
  label: string
  onAct: () => void
}

interface Toast {
  text: string
  action: ToastAction | null
  at: number
}

/** A message about what just happened, also for screen readers. It disappears after a while. */
let toast: Toast = { text: '', action: null, at: 0 }
const listeners = new Set<() => void>()
const SHOWN_MS = 5_000
/** Long enough to reach the button with a keyboard. */
const SHOWN_WITH_ACTION_MS = 20_000

/** With an action it offers one button, such as "Undo" or "Open the report"; nothing may be reachable only there. */
export function announce(text: string, action: ToastAction | null = null): void {
  const at = Date.now()
  show({ text, action, at })
  setTimeout(() => toast.at === at && clear(), action === null ? SHOWN_MS : SHOWN_WITH_ACTION_MS)
}

const clear = () => show({ text: '', action: null, at: 0 })

function show(next: Toast) {
  toast = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Polite: it never interrupts what is being read. `data-react-aria-top-layer` keeps it readable and usable while a
 * dialog is open, which makes everything else inert.
 */
export function Announcements() {
  const { text, action } = useSyncExternalStore(
    subscribe,
    () => toast,
    () => toast,
  )
  return (
    <div
      role="status"
      aria-live="polite"
      data-react-aria-top-layer=""
      className="pointer-events-none fixed inset-x-0 bottom-12 z-50 flex justify-center px-8"
    >
      {text !== '' && (
        <p className="pointer-events-auto flex items-center gap-8 rounded-control border border-control bg-panel px-8 py-5 text-dense shadow-layer">
          {text}
          {action !== null && (
            <button
              type="button"
              className="link font-medium"
              onClick={() => {
                clear()
                action.onAct()
              }}
            >
              {action.label}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
