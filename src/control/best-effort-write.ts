import { Refusal } from '#refusal.ts'

/**
 * Awaits a write that its reader can do without, for example the time of the last use of a session. Ignores
 * `store_busy`: while the installation moves, or its disk is full, the store refuses writes and reads go on.
 */
export async function writeBestEffort(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== 'store_busy') throw error
  })
}
