/** Turns: named locks for work that only one process at a time may do on a shared evidence store (decisions 8.1). */
import { Mutex } from '#concurrency/mutex.ts'

/** The turn of imports. Statements that change the table in which imports stage lines need it, too. */
export const IMPORTS = 'imports'

/** A turn that this process has. */
export interface HeldTurn {
  readonly name: string
  /** Increases each time the turn is taken. */
  readonly epoch: number
  /** The number of page deletions under it. */
  deletions: number
  /** @throws EvidenceError unavailable: another process may have it by now. */
  check(): void
  /** Call it before each deletion of pages. */
  noteDeletion(): Promise<void>
}

export interface Turns {
  /** Waits until no other work runs under this name in any process, then runs `work`. */
  run<T>(name: string, work: (turn: HeldTurn) => Promise<T>): Promise<T>
  /** Runs `work` if the turn is free now, else returns false. */
  tryRun(name: string, work: (turn: HeldTurn) => Promise<unknown>): Promise<boolean>
  /** True while work of this process runs or waits under this name. */
  isBusy(name: string): boolean
}

/** The turns of a process that is the only one on its stores. */
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
