/** What an earlier process, or another node, left in a spool goes into the evidence store. */
import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { JoinedBytes } from '#evidence/joined-bytes.ts'
import { replaySpool } from './inserter.ts'
import { everyId, openRecentIds } from './recent-ids.ts'
import { openSpool } from './spool.ts'
import type { StoreContext } from './store-segment.ts'

/** Before anything is read. Events that the stores do not take now stay where they are; the collector tries again. */
export async function replayLeftEvents(ctx: Omit<StoreContext, 'ids' | 'joined'>, spool_folder: string): Promise<void> {
  try {
    const files = await replay(ctx, spool_folder)
    if (files > 0) ctx.log.info({ files }, 'events that waited in the spool were stored')
  } catch (error) {
    ctx.log.error({ err: error }, 'events wait in the spool: the stores do not take them')
  }
}

/**
 * Stores what the spool of a node holds that writes to it no more, and removes its folder; a folder with damaged files
 * stays. Repeatable. @throws what the stores throw; the rest waits.
 */
export async function drainSpool(ctx: Omit<StoreContext, 'ids' | 'joined'>, spool_folder: string): Promise<void> {
  const files = await replay(ctx, spool_folder)
  if (files > 0) ctx.log.info({ files, spool: ctx.origin }, 'events that another process had accepted were stored')
  await rmdir(spool_folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error
  })
}

async function replay(ctx: Omit<StoreContext, 'ids' | 'joined'>, spool_folder: string): Promise<number> {
  if (!existsSync(spool_folder)) return 0
  const spool = await openSpool(spool_folder)
  const ids = ctx.origin === null ? openRecentIds() : everyId()
  return replaySpool({ ...ctx, ids, joined: new JoinedBytes() }, spool)
}
