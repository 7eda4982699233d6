/** The type of every scenario of the abuse harness, and how a scenario reports that a condition did not hold. */
import type { Installed } from './installed.ts'

export interface Scenario {
  /** Its name for `--only`. */
  name: string
  /** What is done to the service; one cell of the table of results. */
  does: string
  /** What must hold in addition to the conditions of all scenarios (`honest-client.ts`, `under-attack.ts`). */
  holds: string
  /** Why it cannot run on this machine; null: it can. */
  cannotRun?(): string | null
  /**
   * One round.
   * @returns what was counted, in a few words.
   * @throws Broken when something did not hold.
   */
  run(round: Round): Promise<string>
}

export interface Round {
  /** Differs from round to round; the same seed makes the same choices. */
  seed: number
  /** The next number of this seed, from 0 up to 1. */
  random(): number
  /** An empty folder, removed after the round. */
  folder: string
  /** A separate prepared installation: the demo's history and a second site, to which the honest client writes. */
  installed(): Promise<Installed>
  /** Shows its progress. */
  says(progress: string): void
}

/** A condition did not hold. */
export class Broken extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'Broken'
  }
}

export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Broken(what)
}

/** Numbers from a seed, so that a round can be repeated (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
