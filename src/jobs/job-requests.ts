/** Requests for jobs, also before a schedule runs: a request is stored in the row of the job, which schedules read. */
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
    for (const check of this.#listeners) await check(name)
  }

  /** A schedule that runs these jobs calls it. Returns a function that ends this. */
  serve(names: readonly string[], check: (name: string) => Promise<void>): () => void {
    this.#names = names
    this.#listeners.add(check)
    return () => {
      this.#names = []
      this.#listeners.delete(check)
    }
  }
}
