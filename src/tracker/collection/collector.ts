/** Accepts events: durable before the response, in the evidence store within a second (decisions 5, rules 6). */
import type { CollectionState } from '../context.ts'
import { openAdmissionControl } from './admission-control.ts'
import { openAdmittedRates } from './admitted-rates.ts'
import { openBotClassifier } from './bot-classifier.ts'
import { openCounts } from './collection-counts.ts'
import { type CollectorRun, openRun } from './collector-run.ts'
import type { CollectorContext } from './context.ts'
import { openStorage, type StorageOptions } from './open-storage.ts'
import { openOriginCheck } from './page-origin.ts'
import { RATE_LIMITS, type RateLimits } from './rate-limits.ts'
import { openPageReader } from './read-page.ts'
import { openReceiptOrder } from './receipt-order.ts'
import { type BrowserRequest, type CollectAnswer, openEventIntake, type ServerRequest } from './receive-events.ts'
import { openRecentHour } from './recent-hour.ts'
import { openRefusedEvidence } from './refused-evidence.ts'
import { openSnippetProofs, type ScriptLoad } from './snippet-proofs.ts'
import { openStore } from './store-events.ts'
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

export interface CollectorOptions extends StorageOptions {
  limits?: RateLimits
  /** Events are refused while more bytes wait in the spool. */
  max_spool_bytes?: number
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

function markQuietly({ log }: CollectorContext, run: CollectorRun, mark: () => Promise<void>): void {
  mark().catch((error: unknown) => {
    run.noteOutage()
    log.warn({ err: error }, 'the mark of the collector could not be written; it is tried again in 30 seconds')
  })
}
