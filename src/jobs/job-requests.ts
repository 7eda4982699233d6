/** Asks for a job before there is a schedule: the request is written to the job's row, where schedules look. */
import type { ControlContext } from '#control/context.ts'
import { makeDue } from './lease.ts'

export class JobRequests {
  readonly #store: ControlContext
  readonly #listeners = new Set<(name: string) => Promise<void>>()
  #names: readonly string[] = []

  constructor(store: ControlContext) {
    this.#store = store
  }

  /** Names of the jobs that this process runs when they are due; none without a schedule. */
  get names(): readonly string[] {
    return this.#names
  }

  /** Makes a job due; resolves once schedules of this process have looked. Without one the next start runs it. */
  async request(name: string): Promise<void> {
    await makeDue(this.#store, name)
    for (const look of this.#listeners) await look(name)
  }

  /** Called by a schedule that runs these jobs; returns what ends that. */
  serve(names: readonly string[], look: (name: string) => Promise<void>): () => void {
    this.#names = names
    this.#listeners.add(look)
    return () => {
      this.#names = []
      this.#listeners.delete(look)
    }
  }
}
