import { useSyncExternalStore } from 'react'

/** What just happened, for eyes and for screen readers: one line that goes away by itself. */
let message = { text: '', at: 0 }
const listeners = new Set<() => void>()
const SHOWN_MS = 5_000

export function announce(text: string): void {
  message = { text, at: Date.now() }
  for (const listener of listeners) listener()
  setTimeout(() => {
    if (Date.now() - message.at < SHOWN_MS) return
    message = { text: '', at: message.at }
    for (const listener of listeners) listener()
  }, SHOWN_MS)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Polite: it never interrupts what is being read. */
export function Announcements() {
  const { text } = useSyncExternalStore(
    subscribe,
    () => message,
    () => message,
  )
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-12 z-50 flex justify-center px-8"
    >
      {text !== '' && (
        <p className="rounded-control border border-control bg-panel px-8 py-5 text-dense shadow-layer">{text}</p>
      )}
    </div>
  )
}
