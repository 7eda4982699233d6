/** A batch whose whole body has been read: every row has its event, and what is left is to store it. */
import { createHash } from 'node:crypto'
import type { FactBundle, FactRows } from '../facts/store-facts.ts'
import type { BatchName } from './answers.ts'
import { type Batch, daysOf } from './batch.ts'
import { PREFIX_DIGITS } from './rows.ts'
import type { Turns } from './turns.ts'

export interface ReadyBatch {
  name: BatchName
  /** `X-Spoor-Sender`, else the token's id. */
  sender: string
  token_id: string
  batch: Batch
  days: string[]
  months: Map<number, FactRows>
}

/** Gives every row its event, a piece at a time. */
export async function readyBatch(
  batch: Batch,
  of: Pick<ReadyBatch, 'name' | 'sender' | 'token_id'>,
  turns: Turns,
): Promise<ReadyBatch> {
  const prefix = eventPrefix(of.name)
  const months = new Map<number, FactRows>()
  for (const [month, rows] of batch.rows) months.set(month, await rows.fill(prefix, turns))
  return { ...of, batch, days: daysOf(batch), months }
}

/** What is left of a batch without the rows that `drop` names by their events, and without repetitions of its own. */
export function withoutEvents({ batch }: ReadyBatch, drop: ReadonlySet<string>): FactBundle {
  const seen = new Set(drop)
  const months = new Map<number, FactRows>()
  for (const [month, rows] of batch.rows) {
    const kept = rows.without(seen)
    if (kept.count > 0) months.set(month, kept)
  }
  return { agents: batch.agents, pages: batch.pages, months }
}

/**
 * The identity of a record without an id: its batch, which a retry repeats word for word, and its place in it. Always as many
 * digits, from 96 bits of the batch's hash.
 */
function eventPrefix({ source_id, body }: BatchName): string {
  const digest = createHash('sha256').update(`${source_id}\n${body}`).digest('hex')
  const number = BigInt(`0x${digest.slice(0, 24)}`)
  return (SMALLEST + (number % (LARGEST - SMALLEST))).toString()
}

const SMALLEST = 10n ** BigInt(PREFIX_DIGITS - 1)
/** With nine digits behind it, still below 2^128. */
const LARGEST = 3n * SMALLEST
