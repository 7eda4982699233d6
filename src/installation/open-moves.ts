/** Moves an opened installation to servers. */
import type { Clock } from '#clock.ts'
import { Mutex } from '#concurrency/mutex.ts'
import type { Config } from '#config.ts'
import { refuseDisk } from '#control/disk.ts'
import type { ControlStore } from '#control/store.ts'
import type { EmbeddedEvidence } from '#evidence/store.ts'
import { moveInstallation } from '#move/move-installation.ts'
import type { MoveRun, ServingParts } from '#move/move-source.ts'
import { movedRefusal } from '#move/move-state.ts'
import type { MoveReport } from '#move/report.ts'
import type { TargetSettings } from '#move/target.ts'
import { GateClosed, type WriteGate } from '#move/write-gate.ts'
import { Refusal } from '#refusal.ts'
import { findKeyName } from '#secrets/secret-box.ts'
import { refuseStore } from './refuse-store.ts'

export interface Moves {
  /** Moves the stores to servers; when it is done, nothing is stored here any more. */
  moveTo(settings: TargetSettings, run: MoveRun): Promise<MoveReport>
  /** Sets the parts of this process that a move stops before the last piece. */
  stopForMoves(serving: ServingParts): void
  /** A failure in the words for the operator of the machine, who alone may read where the stores have moved to. */
  refuse(error: unknown): unknown
}

export interface MovesContext {
  folder: string
  clock: Clock
  config: Config
  /** The store itself, beyond the gate. */
  control: ControlStore
  gate: WriteGate
  /** The same of the evidence; null: it is on servers. */
  openEvidence(): Promise<EmbeddedEvidence | null>
  /** Stores what only this process knows. */
  keepKnown(): Promise<void>
}

/** One move at a time, with the failures in the words of the operator. */
export function openMoves({ config, openEvidence, keepKnown, ...source }: MovesContext): Moves {
  const { folder } = source
  const moves = new Mutex()
  let serving: ServingParts | null = null
  const move = async (settings: TargetSettings, run: MoveRun): Promise<MoveReport> => {
    const evidence = await openEvidence()
    if (serving === null) await keepKnown()
    const parts = serving
    return moveInstallation(
      {
        ...source,
        evidence,
        has_embedded_control: config.database_url === null,
        secretKey: () => ({ name: findKeyName(folder, config), is_configured: config.secret_key !== null }),
        serving: parts === null ? null : { ...parts, refuseWrites: () => parts.refuseWrites().then(keepKnown) },
      },
      settings,
      run,
    )
  }
  return {
    async moveTo(settings, run) {
      if (moves.is_busy) {
        const next = { step: 'migrate_to' } as const
        throw new Refusal('store_busy', 'A move runs already; {next} --status shows it.', { next })
      }
      return moves
        .run(() => move(settings, run))
        .catch((error: unknown) => {
          throw refuseDisk(refuseStore(error, ' Then repeat the move, which goes on where it was.'))
        })
    },
    stopForMoves(parts) {
      serving = parts
    },
    refuse: (error) => (error instanceof GateClosed ? (movedRefusal(folder, config) ?? error) : refuseStore(error)),
  }
}
