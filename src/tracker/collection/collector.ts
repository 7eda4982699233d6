/** Accepts events: durable before the response, in the evidence store within a second (decisions 5, rules 6). */
import Type from 'typebox'
import { DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { JoinedBytes } from '#evidence/rows/joined-bytes.ts'
import { day, rows } from '#evidence/sql.ts'
import type { CollectionState } from '../context.ts'
import { openAdmissionControl } from './admission-control.ts'
import { openAdmittedRates } from './admitted-rates.ts'
import { openBotClassifier } from './bot-classifier.ts'
import { openCounts } from './collection-counts.ts'
import { type CollectorRun, openRun } from './collector-run.ts'
import type { CollectorContext } from './context.ts'
import { openDirectStorage } from './direct-storage.ts'
import { seqOfRow } from './event-row.ts'
import type { EventStorage } from './event-storage.ts'
import { replaySpool, startInserter } from './inserter.ts'
import { openOriginCheck } from './page-origin.ts'
import { RATE_LIMITS, type RateLimits } from './rate-limits.ts'
import { openPageReader } from './read-page.ts'
import { openReceiptOrder } from './receipt-order.ts'
import { type BrowserRequest, type CollectAnswer, openEventIntake, type ServerRequest } from './receive-events.ts'
import { openRecentHour } from './recent-hour.ts'
import { noIdFilter, openRecentIds } from './recent-ids.ts'
import { openRefusedEvidence } from './refused-evidence.ts'
import { openSnippetProofs, type ScriptLoad } from './snippet-proofs.ts'
import { openSpool, type Spool } from './spool.ts'
import { linesOf, readSegment } from './spool-segment.ts'
import { openStore } from './store-events.ts'
import type { StoreContext } from './store-segment.ts'
import { openSiteKeys } from './tracker-key-lookup.ts'
import { openVisitors } from './visitor-salts.ts'

export interface Collector extends CollectionState {
  /** `POST /collect`. @throws CollectRefusal. */
  collect(request: BrowserRequest): Promise<CollectAnswer>
  /** `POST /collect/server`. @throws CollectRefusal. */
  collectFromServer(request: ServerRequest): Promise<CollectAnswer>
  /** Acknowledged events that are not in the evidence store yet; the age of the oldest one, null if there is none. */
  waiting(): { bytes: number; oldest_age_ms: number | null }
  /** `GET /spoor.js`. */
  noteLoad(load: ScriptLoad): Promise<void>
  /** Stores all events that wait in the spool now. @throws store errors. */
  settle(): Promise<void>
  /** Like `readableThrough`, for the events that this process accepted. */
  ownReadableThrough(): number
  /** Moves the mark of this process and writes the counts; runs every 30 s. */
  mark(): Promise<void>
  /** Stops moving marks while the stores accept no writes. The caller calls `settle` and `mark` before. */
  pause(): void
  /** Moves marks again after a pause. */
  resume(): void
  /** Stores waiting events and moves the mark a last time. Events that cannot be stored stay in the spool. */
  stop(): Promise<void>
}

export interface CollectorOptions {
  limits?: RateLimits
  /** Events are refused while more bytes wait in the spool. */
  max_spool_bytes?: number
  /** The interval at which the events of the spool are stored. */
  insert_every_ms?: number
  /** In the mode `direct`: the pauses between the tries to store a batch. */
  retry_pauses_ms?: readonly number[]
  /** In the mode `direct`: how long a sender waits for the stores. */
  max_wait_ms?: number
  /** The longest time without a mark that is not an outage. Simulated time needs a longer one. */
  max_silence_ms?: number
  /** Called when the control store was restored to an earlier state under this collector. */
  onRestored?: () => void
}

const MARK_MS = 30_000
const MAX_SPOOL_BYTES = 256 << 20

/** Opens the collector of this process. First it stores the events that an earlier process left in the spool. */
export async function openCollector(ctx: CollectorContext, options: CollectorOptions = {}): Promise<Collector> {
  const { node = null } = ctx
  const recent = openRecentHour(ctx.clock)
  const writing = { is_asked: false }
  const writeSoon = () => {
    if (writing.is_asked) return
    writing.is_asked = true
    setImmediate(() => {
      writing.is_asked = false
      flush().catch((error: unknown) => ctx.log.warn({ err: error }, 'counts are not written before the next mark'))
    })
  }
  const counts = openCounts(ctx, recent, writeSoon)
  const refused = openRefusedEvidence(ctx, writeSoon)
  const flush = async () => {
    await Promise.all([counts.flush(), refused.flush()])
  }
  const { storage, highest_order } = await openStorage(ctx, () => flush(), options)
  const order = openReceiptOrder(ctx.clock, highest_order, node?.number)
  const isUp = async () => storage.trouble() === null || storage.probe()
  const { max_silence_ms, onRestored } = options
  const run = await openRun(ctx, isUp, { max_silence_ms, onRestored })
  const limits = options.limits ?? RATE_LIMITS
  const keys = openSiteKeys(ctx)
  const agents = openBotClassifier(ctx)
  const max_bytes = options.max_spool_bytes ?? MAX_SPOOL_BYTES
  const visitors = openVisitors(ctx)
  const { clock, log } = ctx
  const rates = openAdmittedRates({ clock, log, limits, node, visitors })
  const admission = openAdmissionControl({ ctx, storage, counts, rates, max_bytes })
  const intake = openEventIntake({
    ctx,
    keys,
    admission,
    order,
    recent,
    counts,
    refused,
    checkOrigin: openOriginCheck(),
    agents,
    pages: openPageReader(),
    visitors,
    store: openStore({ ctx, storage, recent, admission, run }),
  })
  const proofs = openSnippetProofs(ctx, keys, agents)
  const mark = async () => {
    visitors.forgetOld()
    await Promise.all([run.mark(), flush()])
  }
  const ownReadableThrough = () => {
    const oldest = storage.oldestAt()
    const now = ctx.clock.now()
    return oldest === null ? now : Math.min(now, oldest - 1)
  }
  let is_paused = false
  const timer = setInterval(() => {
    // Salts of past days must be forgotten during a pause, too.
    if (is_paused) visitors.forgetOld()
    else markQuietly(ctx, run, mark)
  }, MARK_MS)
  timer.unref()
  return {
    ...intake,
    noteLoad: proofs.note,
    async settle() {
      await storage.settle()
      await node?.report()
    },
    async mark() {
      await mark()
      await node?.report()
    },
    pause() {
      is_paused = true
    },
    resume() {
      is_paused = false
    },
    // One of several nodes has only a part of the events of the last hour.
    ...(node === null ? { recent: recent.of } : {}),
    hidesAddresses: (site_id) => recent.of(site_id)?.hides_addresses === true,
    get is_collecting() {
      return storage.trouble() === null
    },
    ownReadableThrough,
    readableThrough: () => Math.min(ownReadableThrough(), node === null ? Infinity : node.othersReadableThrough()),
    waiting() {
      const oldest = storage.oldestAt()
      const oldest_age_ms = oldest === null ? null : Math.max(0, ctx.clock.now() - oldest)
      return { bytes: storage.bytes(), oldest_age_ms }
    },
    async stop() {
      clearInterval(timer)
      await rates.stop()
      await storage.stop()
      if (is_paused) return
      await mark().catch((error: unknown) => ctx.log.warn({ err: error }, 'the last mark of the collector is missing'))
    },
  }
}

interface OpenedStorage {
  storage: EventStorage
  /** The highest assigned order number. */
  highest_order: bigint
}

/** `count` writes the collected counts; it is called before events are stored. */
async function openStorage(
  ctx: CollectorContext,
  count: () => Promise<void>,
  { insert_every_ms: every_ms, retry_pauses_ms: pauses_ms, max_wait_ms }: CollectorOptions,
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

function markQuietly({ log }: CollectorContext, run: CollectorRun, mark: () => Promise<void>): void {
  mark().catch((error: unknown) => {
    run.noteOutage()
    log.warn({ err: error }, 'the mark of the collector could not be written; it is tried again in 30 seconds')
  })
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
