/** Intake of batches: turns a batch into facts, coverage and an answer (decisions 3.5), without HTTP. */
import { randomUUID } from 'node:crypto'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { IntakeAnswer } from './batch-answer.ts'
import { openCommitter, sourceDisconnected } from './commit-batches.ts'
import type { BatchDelivery } from './delivery.ts'
import { Load, type LoadLimits, loadTable } from './load-limits.ts'
import { openReadThread, type ReadThreadOptions } from './read-thread.ts'

export interface Intake {
  /**
   * Receives a batch, and answers after it is durable. `open` is called when there is room for the body.
   * @throws IntakeRefusal, Refusal, errors of the stores: nothing of the batch counts then, and it may be repeated.
   */
  receive(delivery: BatchDelivery, open: () => AsyncIterable<Buffer>): Promise<IntakeAnswer>
  /** Resolves once nothing is being written. */
  idle(): Promise<void>
  /** Ends the reading thread; batches that it has not read are refused. */
  close(): Promise<void>
}

export interface IntakeOptions extends ReadThreadOptions {
  limits?: LoadLimits
}

/** Receives batches: reads them in a thread and commits waiting ones together. */
export function openIntake(ctx: CrawlerContext, { limits, ...thread }: IntakeOptions = {}): Intake {
  const table = loadTable(limits)
  const load = new Load(table)
  const reading = openReadThread(ctx, table, thread)
  const committer = openCommitter(ctx)
  return {
    async receive(delivery, open) {
      const { deliverer } = delivery
      if (deliverer.connection_status === 'disconnected') throw sourceDisconnected()
      const { slot, release } = await load.admit(deliverer)
      try {
        const { site_id, source_id } = deliverer
        const origin = { site_id, source_id, delivery_id: randomUUID(), received_at: ctx.clock.now() }
        return await committer.commit(await reading.read({ ...delivery, origin, slot }, open))
      } finally {
        release()
      }
    },
    idle: () => committer.idle(),
    close: () => reading.close(),
  }
}
