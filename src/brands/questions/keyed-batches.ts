import type { AddedQuestions } from '#contract/account-api/index.ts'
import { Refusal } from '#refusal.ts'

/** How long a request waits for an earlier one with the same key. */
const EARLIER_MS = 10_000

/**
 * What an open installation knows of batches with an `Idempotency-Key`: which run now, and which answers are repeats.
 * Requests of other processes hold the write lock while they run.
 */
export class KeyedBatches {
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #replays = new WeakSet<object>()

  /** Whether an answer repeats what was kept of an earlier request. */
  isReplay(answer: object): boolean {
    return this.#replays.has(answer)
  }

  /** Carries out `work` after every earlier batch of this name. @throws Refusal conflict after 10 seconds. */
  async run(name: string, work: () => Promise<{ answer: AddedQuestions; is_kept: boolean }>): Promise<AddedQuestions> {
    let late: Promise<'late'> | undefined
    // No await between the check and the entry, so that only one of several waiting calls begins.
    while (this.#running.has(name)) {
      late ??= new Promise((resolve) => setTimeout(resolve, EARLIER_MS, 'late').unref())
      if ((await Promise.race([this.#running.get(name), late])) !== 'late') continue
      throw new Refusal('conflict', 'An earlier request with this Idempotency-Key still runs: try again later.')
    }
    const mine = work()
    const end = () => void this.#running.delete(name)
    this.#running.set(name, mine.then(end, end))
    const { answer, is_kept } = await mine
    if (is_kept) this.#replays.add(answer)
    return answer
  }
}
