import { type RefObject, useLayoutEffect, useState } from 'react'

/** Width of an element in whole pixels; `initial` until it is measured. */
export function useWidth(element: RefObject<HTMLElement | null>, initial = 720): number {
  const [width, setWidth] = useState(initial)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const measure = () => setWidth(Math.max(120, Math.floor(measured.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return width
}
