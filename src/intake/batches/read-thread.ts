/** The main thread's side of the reading thread, which starts with the first batch, and again after a failure. */
import type { CrawlerContext } from '#crawlers/context.ts'
import type { LoadTable } from './load-limits.ts'
import type { ReadOrder } from './read-batch.ts'
import type { ReadyBatch } from './ready-batch.ts'
import { stopping, ThreadLife } from './thread-life.ts'

export interface ReadThread {
  /** Reads a batch; `open` returns its body. @throws IntakeRefusal, Refusal reader_unavailable, errors of the body. */
  read(order: ReadOrder, open: () => AsyncIterable<Buffer>): Promise<ReadyBatch>
  /** Ends the thread; batches that it was reading are refused. */
  close(): Promise<void>
}

export interface ReadThreadOptions {
  /** Receives the reason why a thread has failed. */
  onFailure?: ((error: Error) => void) | undefined
  /** The module that the thread runs. */
  entry?: URL | undefined
}

const ENTRY = new URL('./read.worker.ts', import.meta.url)

/** Opens the reading thread. */
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
