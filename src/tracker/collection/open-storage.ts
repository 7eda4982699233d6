/** Where accepted events wait for the evidence store: in a spool on a disk, or in memory (decisions 8.2). */
import Type from 'typebox'
import { DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { JoinedBytes } from '#evidence/rows/joined-bytes.ts'
import { day, rows } from '#evidence/sql.ts'
import type { CollectorContext } from './context.ts'
import { openDirectStorage } from './direct-storage.ts'
import { seqOfRow } from './event-row.ts'
import type { EventStorage } from './event-storage.ts'
import { replaySpool, startInserter } from './inserter.ts'
import { noIdFilter, openRecentIds } from './recent-ids.ts'
import { openSpool, type Spool } from './spool.ts'
import { linesOf, readSegment } from './spool-segment.ts'
import type { StoreContext } from './store-segment.ts'

export interface StorageOptions {
  /** The interval at which the events of the spool are stored. */
  insert_every_ms?: number
  /** In the mode `direct`: the pauses between the tries to store a batch. */
  retry_pauses_ms?: readonly number[]
  /** In the mode `direct`: how long a sender waits for the stores. */
  max_wait_ms?: number
}

interface OpenedStorage {
  storage: EventStorage
  /** The highest assigned order number. */
  highest_order: bigint
}

/**
 * Opens the storage of this collector, and stores the events that an earlier process left in the spool. `count` writes
 * the collected counts; it is called before events are stored.
 */
export async function openStorage(
  ctx: CollectorContext,
  count: () => Promise<void>,
  { insert_every_ms: every_ms, retry_pauses_ms: pauses_ms, max_wait_ms }: StorageOptions,
): Promise<OpenedStorage> {
  const { node = null } = ctx
  const storing: StoreContext = {
    ...ctx,
    ids: node === null ? openRecentIds() : noIdFilter(),
    joined: new JoinedBytes(),
    origin: node === null ? null : node.origin,
    ...(node === null ? {} : { checkEpoch: node.checkEpoch }),
    // Only a shared spool can be taken over; other nodes cannot read this one's own disk or memory.
    ...(node?.collect_mode === 'shared' ? { checkSpool: node.checkEpoch } : {}),
  }
  const folder = node === null ? ctx.spool_folder : node.spool_folder
  if (node?.collect_mode === 'direct') {
    const storage = openDirectStorage(storing, {
      folder,
      count,
      ...(pauses_ms === undefined ? {} : { pauses_ms }),
      ...(max_wait_ms === undefined ? {} : { max_wait_ms }),
    })
    return { storage, highest_order: await highestOrder(ctx, null) }
  }
  const spool = await openSpool(folder, {
    onFull: () => inserter.nudge(),
    onRemoved: () =>
      ctx.log.error('the folder of the spool was removed while events waited in it; it is created again'),
    ...(node === null ? {} : { confirm: () => node.checkEpoch(ctx.control.db) }),
  })
  await replaySpool(storing, spool).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'events wait in the spool: the stores do not take them'),
  )
  const highest_order = await highestOrder(ctx, spool)
  const inserter = startInserter(storing, spool, { count, ...(every_ms === undefined ? {} : { every_ms }) })
  const stop = () => spool.close().then(inserter.stop)
  return { storage: { ...spool, settle: inserter.settle, stop }, highest_order }
}

const highestSince = (date: string) =>
  rows(
    Type.Object({ seq: Type.String() }),
  )`SELECT toString(max(seq)) AS seq FROM spoor.events WHERE day >= ${day(date)}`

/**
 * The highest assigned order number, in the evidence store or in waiting files. Only the order within a day matters, so
 * the days since yesterday are enough, and a start need not read all events.
 */
async function highestOrder({ clock, evidence }: CollectorContext, spool: Spool | null): Promise<bigint> {
  const [found] = await evidence.all(highestSince(utcDay(clock.now() - DAY_MS)))
  let last = BigInt(found?.seq ?? '0')
  for (const segment of (await spool?.seal()) ?? []) {
    for (const payload of (await readSegment(segment)).payloads) {
      for (const line of linesOf(payload)) {
        const seq = seqOfRow(line)
        if (seq > last) last = seq
      }
    }
  }
  return last
}
