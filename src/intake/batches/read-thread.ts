/** The service's side of the thread that reads batches: started by the first batch, and again after a failure. */
import type { CrawlerContext } from '#crawlers/context.ts'
import type { LoadTable } from './load-limits.ts'
import type { ReadOrder } from './read-batch.ts'
import type { ReadyBatch } from './ready-batch.ts'
import { stopping, ThreadLife } from './thread-life.ts'

export interface ReadThread {
  /** Reads a batch; `open` gives its body. @throws IntakeRefusal, Refusal reader_unavailable, what the body throws. */
  read(order: ReadOrder, open: () => AsyncIterable<Buffer>): Promise<ReadyBatch>
  /** Ends the thread; what it was reading is refused. */
  close(): Promise<void>
}

export interface ReadThreadOptions {
  /** Receives the reason why a thread has failed. */
  onFailure?: ((error: Error) => void) | undefined
  /** What the thread runs. */
  entry?: URL | undefined
}

const ENTRY = new URL('./read.worker.ts', import.meta.url)

/** The reading thread, which is started with the first batch and again after a failure. */
export function openReadThread(ctx: CrawlerContext, load: LoadTable, options: ReadThreadOptions = {}): ReadThread {
  const { onFailure = () => {}, entry = ENTRY } = options
  let life: ThreadLife | null = null
  let is_closed = false
  return {
    async read(order, open) {
      // Cheap unless lists have changed, also in another process.
      await ctx.prover.refresh()
      const registry = await ctx.registries.current()
      if (is_closed) throw stopping()
      if (life === null || life.is_over) life = new ThreadLife(ctx, { load, entry, onFailure })
      life.know(registry, ctx.prover.lists())
      return life.read(order, open)
    },
    async close() {
      is_closed = true
      await life?.close()
    },
  }
}
