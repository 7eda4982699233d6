/** Whether the session has ended. Sign-in is then shown over the page, which does not change. */
let ended = false
const listeners = new Set<() => void>()

function report(has_ended: boolean): void {
  if (ended === has_ended) return
  ended = has_ended
  for (const listener of listeners) listener()
}

export const reportSessionEnded = () => report(true)
export const reportSessionBegun = () => report(false)

export const isSessionEnded = () => ended

export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
