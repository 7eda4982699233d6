import type { SpoolRecord } from './spool-segment.ts'

/** Makes accepted events durable, and holds them until they are in the evidence store. */
export interface EventStorage {
  /** Resolves once the events are durable. Rejects with a system or store error if that fails. */
  append(record: SpoolRecord): Promise<void>
  /** Bytes that wait for the evidence store. */
  bytes(): number
  /** When the oldest waiting event was received, epoch milliseconds; null if none waits. */
  oldestAt(): number | null
  /** The error of the last write; null if it succeeded. */
  trouble(): Error | null
  /** Whether events can be made durable now. */
  probe(): Promise<boolean>
  /** Stores all waiting events now. @throws store errors. */
  settle(): Promise<void>
  /** Stores the waiting events a last time. */
  stop(): Promise<void>
}
