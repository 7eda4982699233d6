/**
 * Errors come and go below fields, and move what stands below them. While a pointer is pressed nothing may move: the
 * button under it would be another one when the pointer is released, and would never be clicked.
 */
let is_pressed = false
const RELEASES = ['pointerup', 'pointercancel'] as const
for (const type of ['pointerdown', ...RELEASES]) {
  const onPointer = () => {
    is_pressed = type === 'pointerdown'
  }
  globalThis.document?.addEventListener(type, onPointer, true)
}

/** Calls `act` at once, or after the click if a pointer is pressed. */
export function afterPress(act: () => void): void {
  if (!is_pressed) {
    act()
    return
  }
  const released = new AbortController()
  const onRelease = () => {
    released.abort()
    // The click comes in the same task.
    setTimeout(act)
  }
  for (const type of RELEASES) {
    document.addEventListener(type, onRelease, { signal: released.signal })
  }
}
