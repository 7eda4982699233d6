/**
 * An error that appears or disappears below a field moves everything below it. Nothing may move while a pointer is
 * pressed: the button would no longer be under the pointer when it is released, and would not be clicked.
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
