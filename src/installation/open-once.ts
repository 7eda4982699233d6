/** Opens a store when it is first needed. */
import { refuseStore } from './refuse-store.ts'

/** @throws Refusal of the store; it is not opened again after that. */
export function openOnce<T>(open: () => Promise<T>): { open: () => Promise<T>; opened: () => Promise<T> | undefined } {
  let opened: Promise<T> | undefined
  return {
    open() {
      opened ??= open().catch((error: unknown) => {
        throw refuseStore(error)
      })
      return opened
    },
    opened: () => opened,
  }
}
