/** A batch after its whole body was read, as plain data: every row has its event. */
import { createHash } from 'node:crypto'
import type { FactAgent } from '../facts/fact.ts'
import type { BatchName } from './answered-batches.ts'
import { type Batch, batchDays } from './batch.ts'
import type { IntakeAnswer } from './batch-answer.ts'
import type { CoverageNotes } from './batch-coverage.ts'
import type { BatchPage } from './batch-pages.ts'
import { type BatchRows, PREFIX_DIGITS } from './batch-rows.ts'
import type { TaskQueue } from './task-queue.ts'

export interface ReadBatch {
  name: BatchName
  answer: IntakeAnswer
  coverage: CoverageNotes
  /** `YYYY-MM-DD`. */
  days: string[]
  months: Map<number, BatchRows>
}

/** The same with the objects that the reading thread caches. */
export interface ReadResult {
  read: ReadBatch
  agents: ReadonlySet<FactAgent>
  pages: ReadonlySet<BatchPage>
}

/** Completes the events of all rows, a piece at a time. */
export async function finishBatch(batch: Batch, name: BatchName, tasks: TaskQueue): Promise<ReadResult> {
  const prefix = eventPrefix(name)
  const months = new Map<number, BatchRows>()
  for (const [month, rows] of batch.rows) months.set(month, await rows.fill(prefix, tasks))
  const read = { name, answer: batch.answer, coverage: batch.coverage.notes(), days: batchDays(batch), months }
  return { read, agents: batch.agents, pages: batch.pages }
}

/**
 * The first digits of events of records without an id: 96 bits of the hash of the batch, always with the same number of
 * digits. A retry repeats the batch exactly.
 */
function eventPrefix({ source_id, body }: BatchName): string {
  const digest = createHash('sha256').update(`${source_id}\n${body}`).digest('hex')
  const number = BigInt(`0x${digest.slice(0, 24)}`)
  return (SMALLEST + (number % (LARGEST - SMALLEST))).toString()
}

const SMALLEST = 10n ** BigInt(PREFIX_DIGITS - 1)
/** With nine more digits it is still below 2^128. */
const LARGEST = 3n * SMALLEST
