/**
 * Append-only files that make accepted events durable before they are in the evidence store. One durable write runs
 * at a time, for all events that arrived during the one before (group commit). Each waiting caller is answered when its
 * write has ended.
 */
import { readdirSync, statSync } from 'node:fs'
import { type FileHandle, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Mutex } from '#concurrency/mutex.ts'
import { EndedSegments } from './ended-segments.ts'
import { encodeFrame, payloadOf } from './spool-file.ts'
import {
  isInPlace,
  makeFile,
  makeFolder,
  probeFolder,
  type SpoolFileIdentity,
  spoolFileIdentity,
  writeAgain,
  writeDurably,
} from './spool-folder.ts'
import {
  leftSegment,
  newSegment,
  noteRecords,
  numberOf,
  parseSegmentName,
  type Segment,
  type SpoolRecord,
  segmentName,
} from './spool-segment.ts'

export interface Spool {
  /** Resolves once the events are durable; rejects with the system's error if that fails. */
  append(record: SpoolRecord): Promise<void>
  /** Bytes that wait for the evidence store. */
  bytes(): number
  /** When the oldest waiting event was received, epoch milliseconds; null if none waits. */
  oldestAt(): number | null
  /** The error of the last write; null if it succeeded. */
  trouble(): Error | null
  /** Files to which nothing more is written, oldest first. */
  ended(): readonly Segment[]
  /** Ends the current file, and returns all ended files, oldest first. */
  seal(): Promise<readonly Segment[]>
  /** Removes a file whose events are in the evidence store; `keep` renames a damaged file instead. */
  drop(segment: Segment, keep: boolean): Promise<void>
  /** Whether a file can be made durable now. */
  probe(): Promise<boolean>
  /** Waits for the current write, and ends the file. */
  close(): Promise<void>
}

export interface SpoolOptions {
  /** Called when a file is full and should be stored now; later events are written to a new file. */
  onFull?: () => void
  /** Called when the folder or the current file was removed while the service ran; both are created again. */
  onRemoved?: () => void
  /**
   * Called after events are durable and before they are acknowledged, and before a removed file is written again. It
   * throws if this process may no longer acknowledge events.
   */
  confirm?: () => Promise<void>
}

/** How long events are gathered before they are written; events that arrived during a write do not wait again. */
const GATHER_MS = 2
const FULL_ROWS = 20_000

/** Records of one day that are written together, and the promise that their callers await. */
interface Group {
  day: string
  records: SpoolRecord[]
  written: PromiseWithResolvers<void>
}

interface Active {
  segment: Segment
  handle: FileHandle
  identity: SpoolFileIdentity
}

/** Opens the folder and finds the files that an earlier process left in it. */
export async function openSpool(
  folder: string,
  { onFull = () => {}, onRemoved = () => {}, confirm = async () => {} }: SpoolOptions = {},
): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { left, next } = findSegments(folder)
  const ended = new EndedSegments(folder, left)
  let number = next
  let active: Active | null = null
  const waiting: Group[] = []
  let writing: readonly SpoolRecord[] = []
  let trouble: Error | null = null
  let running: Promise<void> | null = null
  /** One change of the files at a time. */
  const files = new Mutex()

  const sealNow = async () => {
    if (active === null) return
    const { segment, handle } = active
    // Without an await between the two: otherwise answers given meanwhile would claim that its events can be read.
    ended.add(segment)
    active = null
    await handle.close().catch(() => {})
  }
  const openActive = async (day: string): Promise<Active> => {
    if (active !== null && (active.segment.day !== day || active.segment.rows >= FULL_ROWS)) await sealNow()
    if (active !== null) return active
    const file = join(folder, segmentName(number++, day))
    const handle = await makeFile(folder, file, restoreEnded)
    active = { handle, identity: await spoolFileIdentity(handle), segment: newSegment(file, day) }
    return active
  }
  const restoreEnded = async () => {
    await confirm()
    onRemoved()
    await ended.restore()
  }
  /** The current file was removed or moved: writes its acknowledged events again. */
  const restoreActive = async (removed: Active) => {
    await confirm()
    await makeFolder(folder)
    await restoreEnded()
    await removed.handle.close().catch(() => {})
    removed.handle = await writeAgain(removed.segment, folder)
    removed.identity = await spoolFileIdentity(removed.handle)
  }
  const write = async ({ day, records, written }: Group) => {
    try {
      const current = await openActive(day)
      const { segment } = current
      const rows = records.reduce((sum, { count }) => sum + count, 0)
      const frame = encodeFrame(records.map(({ lines }) => lines).join(''), rows)
      // The check runs during the write: a file that is removed later is noticed with the next group in any case.
      const [is_in_place] = await Promise.all([
        isInPlace(segment.file, current.identity),
        writeDurably(current.handle, frame, segment.bytes),
      ])
      if (!is_in_place) {
        await restoreActive(current)
        await writeDurably(current.handle, frame, segment.bytes)
      }
      await confirm()
      noteRecords(segment, payloadOf(frame), records, frame.length)
      trouble = null
      writing = []
      written.resolve()
      if (segment.rows >= FULL_ROWS) onFull()
    } catch (error) {
      trouble = error instanceof Error ? error : new Error(String(error))
      // A partly written frame must be the last of its file: only there it counts as torn, not as damage.
      await sealNow()
      writing = []
      written.reject(error)
    }
  }
  const run = async () => {
    await pause(GATHER_MS)
    while (waiting.length > 0) {
      await files.run(async () => {
        const group = waiting.shift() as Group
        writing = group.records
        await write(group)
      })
    }
    running = null
  }
  return {
    append(record) {
      let group = waiting.at(-1)
      if (group === undefined || group.day !== record.day) {
        group = { day: record.day, records: [], written: Promise.withResolvers() }
        waiting.push(group)
      }
      group.records.push(record)
      running ??= run()
      return group.written.promise
    },
    bytes: () => (active === null ? ended.bytes : ended.bytes + active.segment.bytes),
    oldestAt() {
      // All are compared, because a clock may have been set back, and a file whose first write failed is empty.
      let oldest = active === null ? Number.POSITIVE_INFINITY : active.segment.oldest_at
      for (const { oldest_at } of ended.all) oldest = Math.min(oldest, oldest_at)
      for (const { at } of writing) oldest = Math.min(oldest, at)
      for (const { records } of waiting) for (const { at } of records) oldest = Math.min(oldest, at)
      return Number.isFinite(oldest) ? oldest : null
    },
    trouble: () => trouble,
    ended: () => ended.all,
    async seal() {
      await files.run(sealNow)
      return ended.all
    },
    drop: (segment, keep) => ended.drop(segment, keep),
    probe: () => probeFolder(folder),
    async close() {
      await running
      await files.run(sealNow)
    },
  }
}

/** The files that an earlier process left, and the number of the next one. */
function findSegments(folder: string): { left: Segment[]; next: number } {
  const left: Segment[] = []
  let next = 1
  for (const name of readdirSync(folder).sort()) {
    next = Math.max(next, (numberOf(name) ?? next - 1) + 1)
    const parsed = parseSegmentName(name)
    if (parsed === null) continue
    const file = join(folder, name)
    left.push(leftSegment(file, parsed.day, statSync(file).size))
  }
  return { left, next }
}
