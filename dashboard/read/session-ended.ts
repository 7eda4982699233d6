/** Whether the session has ended. Sign-in is then shown over the page, which does not change. */
let ended = false
const listeners = new Set<() => void>()

export function reportSessionEnded(now_ended = true): void {
  if (ended === now_ended) return
  ended = now_ended
  for (const listener of listeners) listener()
}

export const isSessionEnded = () => ended

export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
