/** Stores events that an earlier process, or another node, left in a spool. */
import { existsSync } from 'node:fs'
import { readdir, rmdir } from 'node:fs/promises'
import { JoinedBytes } from '#evidence/rows/joined-bytes.ts'
import { replaySpool } from './inserter.ts'
import { noIdFilter, openRecentIds } from './recent-ids.ts'
import { openSpool } from './spool.ts'
import { parseSegmentName } from './spool-segment.ts'
import type { StoreContext } from './store-segment.ts'

/**
 * Call it before reads. Events that the stores do not accept now stay in the spool; a collector that writes to the same
 * spool retries.
 */
export async function replayLeftEvents(ctx: Omit<StoreContext, 'ids' | 'joined'>, spool_folder: string): Promise<void> {
  try {
    const files = await replay(ctx, spool_folder)
    if (files > 0) ctx.log.info({ files }, 'events that waited in the spool were stored')
  } catch (error) {
    ctx.log.error({ err: error }, 'events wait in the spool: the stores do not take them')
  }
}

/**
 * Stores the events of a spool whose node no longer writes to it, and removes the folder unless it has damaged files.
 * Repeatable. @throws store errors; events that were not stored stay.
 */
export async function drainSpool(ctx: Omit<StoreContext, 'ids' | 'joined'>, spool_folder: string): Promise<void> {
  const files = await replay(ctx, spool_folder)
  if (files > 0) ctx.log.info({ files, spool: ctx.origin }, 'events that another process had accepted were stored')
  await rmdir(spool_folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error
  })
}

/** Whether events still wait in a spool to which nothing is written. */
export async function holdsLeftEvents(spool_folder: string): Promise<boolean> {
  return existsSync(spool_folder) && (await readdir(spool_folder)).some((name) => parseSegmentName(name) !== null)
}

async function replay(ctx: Omit<StoreContext, 'ids' | 'joined'>, spool_folder: string): Promise<number> {
  if (!existsSync(spool_folder)) return 0
  const spool = await openSpool(spool_folder)
  const ids = ctx.origin === null ? openRecentIds() : noIdFilter()
  return replaySpool({ ...ctx, ids, joined: new JoinedBytes() }, spool)
}
