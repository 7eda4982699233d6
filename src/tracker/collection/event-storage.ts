import type { SpoolRecord } from './spool-segment.ts'

/** Where accepted events are durable, and what waits there to be readable. */
export interface EventStorage {
  /** Resolves once the events are durable; rejects with an error of the system or of a store when they are not. */
  append(record: SpoolRecord): Promise<void>
  /** Bytes that wait for the evidence store. */
  bytes(): number
  /** Receipt of the oldest event that waits; null when none does. */
  oldestAt(): number | null
  /** Why the last write failed; null after one that succeeded. */
  trouble(): Error | null
  /** Whether events can be made durable now. */
  probe(): Promise<boolean>
  /** Stores now what waits. @throws what the stores throw. */
  settle(): Promise<void>
  /** Stores what waits a last time. */
  stop(): Promise<void>
}
