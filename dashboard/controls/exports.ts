import { useEffect, useRef, useSyncExternalStore } from 'react'

/** What the current page can save, in the order of its panels. */
export interface Export {
  label: string
  save: () => void
}

let exports_shown: readonly Export[] = []
const listeners = new Set<() => void>()

function set(next: readonly Export[]) {
  exports_shown = next
  for (const listener of listeners) listener()
}

/** Offers something in the page's Export menu for as long as the panel is shown; null: nothing to save yet. */
export function useExport(label: string, save: (() => void) | null): void {
  const latest = useRef(save)
  latest.current = save
  const is_offered = save !== null
  useEffect(() => {
    if (!is_offered) return
    const offered: Export = { label, save: () => latest.current?.() }
    set([...exports_shown, offered])
    return () => set(exports_shown.filter((one) => one !== offered))
  }, [label, is_offered])
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const NOTHING: readonly Export[] = []

export const useExports = (): readonly Export[] =>
  useSyncExternalStore(
    subscribe,
    () => exports_shown,
    () => NOTHING,
  )
