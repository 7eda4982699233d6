/** Requests jobs, also before a schedule runs: a request is written to the job's row, which schedules read. */
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

  /** Makes a job due; resolves after the schedules of this process have read it. Without one the next start runs it. */
  async request(name: string): Promise<void> {
    await makeDue(this.#store, name)
    for (const look of this.#listeners) await look(name)
  }

  /** Called by a schedule that runs these jobs. Returns a function that ends this. */
  serve(names: readonly string[], look: (name: string) => Promise<void>): () => void {
    this.#names = names
    this.#listeners.add(look)
    return () => {
      this.#names = []
      this.#listeners.delete(look)
    }
  }
}
