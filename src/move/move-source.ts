/** What moves, and what a move has to know of the process that it runs in. */
import type { Clock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { EmbeddedEvidence } from '#evidence/store.ts'
import type { MoveProgress } from './move-state.ts'
import type { WriteGate } from './write-gate.ts'

/** What a service does while its installation is moved; an installation that is opened for the move alone has none. */
export interface ServingParts {
  /** Ends background work, which deletes and derives days; resolves when none runs. */
  restJobs(): Promise<void>
  /** Refuses what comes from outside, and stores what was taken; resolves when nothing waits. */
  refuseWrites(): Promise<void>
  /** Both go on. */
  goOn(): void
}

export interface MoveSource {
  folder: string
  clock: Clock
  control: ControlStore
  /** Whether it is the embedded one. */
  has_embedded_control: boolean
  /** Null: it is on servers already. */
  evidence: EmbeddedEvidence | null
  gate: WriteGate
  serving: ServingParts | null
  /** Which key seals secrets now, and whether SPOOR_SECRET_KEY holds it; name null: none was made yet. */
  secretKey(): { name: string | null; is_configured: boolean }
}

export interface MoveRun {
  signal: AbortSignal
  onProgress(progress: MoveProgress): void
  /** The longest that a service may refuse what comes; 60 s. */
  max_read_only_ms?: number
}
