import type { DerivedKind } from '#control/tables.ts'
import { type NamedLocks, processLocks } from '#evidence/named-locks.ts'
import type { DayDerived } from './derived-day-signal.ts'
import { OpenDayPace } from './open-day-pace.ts'
import { OpenDayReads } from './open-day-reads.ts'
import { SessionSnapshots } from './session-snapshots.ts'
import type { SettledDay } from './settled-day.ts'
import { StoredFactCounts } from './stored-fact-counts.ts'
import { ValueCache } from './value-cache.ts'

const MAX_DETECTION_BYTES = 64 * 2 ** 20
const MAX_ANSWER_BYTES = 48 * 2 ** 20

/** May return a promise, which the derivation awaits. An error fails the derivation, but not the day. */
export type DerivedListener = (derived: DayDerived) => unknown

/** The state of derivations in an opened installation. */
export class DerivedDays {
  /** Builds whose rows are being inserted: answers do not read them yet, and they must not be deleted. */
  readonly building = new Set<number>()
  /** Rows of builds that issue detection has read. */
  readonly detection_rows = new ValueCache(MAX_DETECTION_BYTES)
  /** Counts that answers have read. */
  readonly answers = new ValueCache(MAX_ANSWER_BYTES)
  /** Settled sessions of open days, by site. */
  readonly settled = new Map<string, SettledDay>()
  /** Snapshots of all sessions of open days, for sites with many requests for answers. */
  readonly snapshots = new SessionSnapshots()
  readonly openDayPace = new OpenDayPace()
  readonly openDayReads = new OpenDayReads()
  readonly storedFacts = new StoredFactCounts()
  readonly #locks: NamedLocks
  readonly #listeners = new Set<DerivedListener>()

  constructor(locks: NamedLocks = processLocks()) {
    this.#locks = locks
  }

  /** Runs one derivation of a kind at a time, because a second one would derive the same days again. */
  run<T>(kind: DerivedKind, work: () => Promise<T>): Promise<T> {
    return this.#locks.run(`derive ${kind}`, work)
  }

  /** Calls `listener` for every day that is derived from now on. Returns a function that ends this. */
  listen(listener: DerivedListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async signal(derived: DayDerived): Promise<void> {
    for (const listener of this.#listeners) await listener(derived)
  }
}
