/** A batch whose whole body has been read: every row has its event, and what is left is to store it. */
import { createHash } from 'node:crypto'
import type { FactBundle, FactRows } from '../facts/store-facts.ts'
import type { BatchName } from './answers.ts'
import { type Batch, daysOf, type PendingRow } from './batch.ts'
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

/** Rows of one piece are written between two turns. */
const ROWS_A_PIECE = 1_000

/** Gives every row its event and writes the rows out, a piece at a time. */
export async function readyBatch(
  batch: Batch,
  of: Pick<ReadyBatch, 'name' | 'sender' | 'token_id'>,
  turns: Turns,
): Promise<ReadyBatch> {
  const prefix = eventPrefix(of.name)
  const months = new Map<number, FactRows>()
  for (const [month, rows] of batch.rows) months.set(month, await writeRows(rows, prefix, turns))
  return { ...of, batch, days: daysOf(batch), months }
}

/** What is left of a batch without the rows that `drop` names by their events, and without repetitions of its own. */
export async function withoutEvents(ready: ReadyBatch, drop: ReadonlySet<string>, turns: Turns): Promise<FactBundle> {
  const prefix = eventPrefix(ready.name)
  const months = new Map<number, FactRows>()
  const seen = new Set(drop)
  for (const [month, rows] of ready.batch.rows) {
    const kept = rows.filter(({ event }) => event === null || (!seen.has(event) && seen.add(event)))
    if (kept.length > 0) months.set(month, await writeRows(kept, prefix, turns))
  }
  return bundleOf(ready, months)
}

export function bundleOf({ batch }: ReadyBatch, months: FactBundle['months']): FactBundle {
  return { site_id: batch.origin.site_id, agents: [...batch.agents.values()], pages: batch.pages, months }
}

async function writeRows(rows: readonly PendingRow[], prefix: string, turns: Turns): Promise<FactRows> {
  const bytes: Buffer[] = []
  for (let at = 0; at < rows.length; at += ROWS_A_PIECE) {
    await turns.next()
    const lines = rows
      .slice(at, at + ROWS_A_PIECE)
      .map(
        ({ head, event, index, tail }) => head + (event ?? prefix + String(index).padStart(INDEX_DIGITS, '0')) + tail,
      )
    bytes.push(Buffer.from(lines.join('')))
  }
  return { bytes, count: rows.length }
}

const INDEX_DIGITS = 8

/**
 * The identity of a record without an id: its batch, which a retry repeats word for word, and its place in it. 96 bits of the
 * batch's hash before eight digits stay below 2^128.
 */
function eventPrefix({ source_id, batch }: BatchName): string {
  const digest = createHash('sha256').update(`${source_id}\n${batch}`).digest('hex')
  return BigInt(`0x${digest.slice(0, 24)}`).toString()
}
