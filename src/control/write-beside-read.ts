import { Refusal } from '#refusal.ts'

/**
 * Awaits a write that a read can do without, such as when a session was used. While the store takes no writes, because
 * the installation moves or its disk is full, the read goes on without it.
 */
export async function writeBesideRead(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== 'store_busy') throw error
  })
}
