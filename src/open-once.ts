import { refuseStore } from './refuse-store.ts'

/** Opens a store when it is first asked for; one that could not be opened stays refused. */
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
