/** The installation that is moved, and the process that the move runs in. */
import type { Clock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { EmbeddedEvidence } from '#evidence/store.ts'
import type { MoveProgress } from './move-state.ts'
import type { WriteGate } from './write-gate.ts'

/** The parts of a running service that a move stops. An installation that is opened only for the move has none. */
export interface ServingParts {
  /** Ends background work, which deletes and derives days; resolves when none runs. */
  stopJobs(): Promise<void>
  /** Refuses further events and batches, and stores accepted ones; resolves when none is waiting. */
  refuseWrites(): Promise<void>
  /** Resumes both. */
  resume(): void
}

export interface MoveSource {
  folder: string
  clock: Clock
  control: ControlStore
  /** Whether the control store is embedded. */
  has_embedded_control: boolean
  /** Null: the evidence is already on servers. */
  evidence: EmbeddedEvidence | null
  gate: WriteGate
  serving: ServingParts | null
  /** The name of the key that seals secrets, and whether SPOOR_SECRET_KEY is set; name null: there is no key yet. */
  secretKey(): { name: string | null; is_configured: boolean }
}

export interface MoveRun {
  signal: AbortSignal
  onProgress(progress: MoveProgress): void
  /** The longest time in which a service may refuse writes; 60 s by default. */
  max_read_only_ms?: number
}
