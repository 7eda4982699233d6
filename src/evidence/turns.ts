/** What one process at a time does, where several share an evidence store (decisions 8.1). */
import { Mutex } from '#mutex.ts'

/** The turn of imports: what changes the table in which they stage lines needs it too. */
export const IMPORTS = 'imports'

/** A turn while it lasts. */
export interface HeldTurn {
  readonly name: string
  /** Grows each time the turn is taken. */
  readonly epoch: number
  /** How often pages had been deleted under it. */
  deletions: number
  /** @throws EvidenceError unavailable: another process may have it by now. */
  check(): void
  /** Call it before each deletion of pages. */
  noteDeletion(): Promise<void>
}

export interface Turns {
  /** Runs `work` when no process does anything else under this name. */
  run<T>(name: string, work: (turn: HeldTurn) => Promise<T>): Promise<T>
  /** The same, unless the turn is taken now: then false. */
  tryRun(name: string, work: (turn: HeldTurn) => Promise<unknown>): Promise<boolean>
  /** True while work of this process runs or waits under this name. */
  isBusy(name: string): boolean
}

/** Turns within this process, which has the stores to itself. */
export function ownTurns(): Turns {
  const mutexes = new Map<string, Mutex>()
  const counts = new Map<string, { epoch: number; deletions: number }>()
  const of = (name: string) => {
    const known = mutexes.get(name) ?? new Mutex()
    mutexes.set(name, known)
    return known
  }
  const take = (name: string): HeldTurn => {
    const counted = counts.get(name) ?? { epoch: 0, deletions: 0 }
    counts.set(name, counted)
    counted.epoch++
    return {
      ...counted,
      name,
      check() {},
      async noteDeletion() {
        this.deletions = ++counted.deletions
      },
    }
  }
  return {
    run: (name, work) => of(name).run(() => work(take(name))),
    async tryRun(name, work) {
      if (of(name).is_busy) return false
      await of(name).run(() => work(take(name)))
      return true
    },
    isBusy: (name) => of(name).is_busy,
  }
}
