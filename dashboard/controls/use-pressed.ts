import { useRef, useState } from 'react'

/**
 * Shows a choice at once and draws what follows from it in the next frame: a report takes a slow processor longer to
 * draw than the 200 ms within which a press should be seen to work. Of presses within one frame the last one counts.
 * Returns what the control shows, and the press.
 */
export function usePressed<Choice>(current: Choice): [shown: Choice, press: (choice: Choice, act: () => void) => void] {
  const [pressed, setPressed] = useState<{ choice: Choice } | null>(null)
  const latest = useRef(0)
  const press = (choice: Choice, act: () => void) => {
    const own = ++latest.current
    setPressed({ choice })
    afterPaint(() => {
      if (own !== latest.current) return
      try {
        act()
      } finally {
        setPressed(null)
      }
    })
  }
  return [pressed === null ? current : pressed.choice, press]
}

/** Calls `act` after the last change is on the screen, or at once if the page is hidden and nothing is painted. */
function afterPaint(act: () => void): void {
  if (document.hidden) act()
  // A frame's callback runs before it is painted; a task that it starts runs after.
  else requestAnimationFrame(() => setTimeout(act))
}
