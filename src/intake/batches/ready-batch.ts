/** A batch that waits to be stored. */
import type { PageName } from '#evidence/page-names.ts'
import type { FactAgent } from '../facts/fact.ts'
import type { FactBundle, FactRows } from '../facts/store-facts.ts'
import { withoutSeen } from './batch-rows.ts'
import type { ReadBatch } from './finish-batch.ts'

export interface ReadyBatch extends ReadBatch {
  site_id: string
  token_id: string
  /** The sender's own name, else the token's id. */
  sender: string
  agents: readonly FactAgent[]
  pages: readonly PageName[]
}

/** The number of rows of a batch. */
export function rowsOf({ months }: ReadyBatch): number {
  return [...months.values()].reduce((sum, rows) => sum + rows.count, 0)
}

/**
 * Releases the memory of a stored batch's rows. TRICKY: left to the garbage collector, megabytes of each batch make it
 * mark the main thread's heap several times a second, and each marking stops the event loop.
 */
export function releaseRows({ months }: ReadyBatch): void {
  for (const { bytes } of months.values()) {
    for (const { buffer } of bytes) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
  }
}

/** The rows of a batch without the events in `drop`, and without its own duplicates. */
export function withoutEvents({ site_id, agents, pages, months }: ReadyBatch, drop: ReadonlySet<string>): FactBundle {
  const seen = new Set(drop)
  const left = new Map<number, FactRows>()
  for (const [month, rows] of months) {
    const kept = withoutSeen(rows, seen)
    if (kept.count > 0) left.set(month, kept)
  }
  return { site_id, agents, pages, months: left }
}
