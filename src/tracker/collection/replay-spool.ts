/** Before anything is read: what a crash left in the spool goes into the evidence store. */
import { existsSync } from 'node:fs'
import { replaySpool } from './inserter.ts'
import { openRecentIds } from './recent-ids.ts'
import { openSpool } from './spool.ts'
import type { StoreContext } from './store-segment.ts'

/** Events that the stores do not take now stay where they are; the collector tries again. */
export async function replayLeftEvents(ctx: Omit<StoreContext, 'ids'>, spool_folder: string): Promise<void> {
  if (!existsSync(spool_folder)) return
  const spool = await openSpool(spool_folder)
  try {
    const files = await replaySpool({ ...ctx, ids: openRecentIds() }, spool)
    if (files > 0) ctx.log.info({ files }, 'events that waited in the spool were stored')
  } catch (error) {
    ctx.log.error({ err: error }, 'events wait in the spool: the stores do not take them')
  }
}
