/**
 * Stores events in the evidence store before the response, for nodes without a persistent disk (mode `direct`,
 * decisions 8.2). Events that arrive within 50 ms are stored together. Events that cannot be stored in time are refused
 * and dropped.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { NodeFenced } from './collecting-node.ts'
import type { EventStorage } from './event-storage.ts'
import { newSegment, noteRecords, type Segment, type SpoolRecord } from './spool-segment.ts'
import { type StoreContext, storeSegment } from './store-segment.ts'

const GATHER_MS = 50
const MAX_ROWS = 20_000
/** The pauses between the tries to store a batch. After the last try its senders are refused. */
const PAUSES_MS = [100, 200, 400, 800, 1_600, 3_200]
/** How long senders wait for a batch. Without a limit they would wait a minute for a store that does not respond. */
const MAX_WAIT_MS = 10_000

interface Waiting {
  record: SpoolRecord
  resolve(): void
  reject(error: unknown): void
}

export interface DirectStorageOptions {
  /** The folder for lines that the engine refuses. */
  folder: string
  /** Writes the collected counts; called before a batch is stored. */
  count: () => Promise<void>
  /** The pauses between the tries to store a batch. */
  pauses_ms?: readonly number[]
  /** After this time the senders of a batch are refused, and so are others until its last try has ended. */
  max_wait_ms?: number
}

/** Keeps events in the memory of this process until their batch is stored. */
export function openDirectStorage(
  ctx: StoreContext,
  { folder, count, pauses_ms = PAUSES_MS, max_wait_ms = MAX_WAIT_MS }: DirectStorageOptions,
): EventStorage {
  let waiting: Waiting[] = []
  let storing: readonly Waiting[] = []
  let late: Error | null = null
  let trouble: Error | null = null
  let running: Promise<void> | null = null

  const all = () => [...storing, ...waiting]
  const takeBatch = (): readonly Waiting[] => {
    const { day } = (waiting[0] as Waiting).record
    let rows = 0
    let end = 0
    for (const { record } of waiting) {
      if (end > 0 && (record.day !== day || rows + record.count > MAX_ROWS)) break
      rows += record.count
      end++
    }
    const batch = waiting.slice(0, end)
    waiting = waiting.slice(end)
    return batch
  }
  /** The try continues, because it may still succeed: events that are sent again with their ids count once. */
  const refuseLate = () => {
    late = new Error(`the evidence store has taken nothing for ${max_wait_ms / 1_000} seconds`)
    for (const { reject } of all()) reject(late)
    waiting = []
  }
  const storeBatch = async (batch: readonly Waiting[]) => {
    const timer = setTimeout(refuseLate, max_wait_ms)
    const segment = segmentOf(
      folder,
      batch.map(({ record }) => record),
    )
    try {
      await count()
      await storeRepeatedly(ctx, segment, pauses_ms, () => late !== null)
      trouble = null
      storing = []
      for (const { resolve } of batch) resolve()
    } catch (error) {
      trouble = error instanceof Error ? error : new Error(String(error))
      storing = []
      for (const { reject } of batch) reject(error)
    } finally {
      clearTimeout(timer)
      late = null
    }
  }
  const run = async () => {
    while (waiting.length > 0) {
      await pause(GATHER_MS)
      storing = takeBatch()
      await storeBatch(storing)
    }
    running = null
  }
  const settle = async () => {
    while (running !== null) await running
  }
  return {
    append(record) {
      if (late !== null) return Promise.reject(late)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ record, resolve, reject })
      running ??= run()
      return promise
    },
    bytes: () => all().reduce((sum, { record }) => sum + record.lines.length, 0),
    oldestAt() {
      const ats = all().map(({ record }) => record.at)
      return ats.length === 0 ? null : Math.min(...ats)
    },
    trouble: () => late ?? trouble,
    probe: async () => (late ?? trouble) === null,
    settle,
    stop: settle,
  }
}

function segmentOf(folder: string, records: readonly SpoolRecord[]): Segment {
  const [first] = records as [SpoolRecord]
  const segment = newSegment(join(folder, 'direct'), first.day)
  const payload = Buffer.from(records.map(({ lines }) => lines).join(''))
  noteRecords(segment, payload, records, payload.length)
  return segment
}

/** A repeated try is harmless: events keep their order numbers, and a batch is counted once under its name. */
async function storeRepeatedly(
  ctx: StoreContext,
  segment: Segment,
  pauses_ms: readonly number[],
  isLate: () => boolean,
): Promise<void> {
  for (const pause_ms of [...pauses_ms, null]) {
    try {
      await storeSegment(ctx, segment)
      return
    } catch (error) {
      if (pause_ms === null || isLate() || error instanceof NodeFenced) throw error
      await pause(pause_ms)
    }
  }
}
