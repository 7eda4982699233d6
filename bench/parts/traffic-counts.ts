/** What of the traffic was accepted, counted while it is sent. */

/** What was accepted. */
export interface Sent {
  crawler_records: number
  human_records: number
  events: number
  reads: number
  /** Answers that were not 2xx, and what the first of them said. */
  errors: number
  first_error: string | null
  /** How long events, batches of records and reads took, milliseconds. */
  event_ms: number[]
  batch_ms: number[]
  read_ms: number[]
}

/** The answer to one request. */
export interface Taken {
  /** 2xx. */
  is_taken: boolean
  ms: number
}

export class TrafficCounts {
  readonly sent: Sent = {
    crawler_records: 0,
    human_records: 0,
    events: 0,
    reads: 0,
    errors: 0,
    first_error: null,
    event_ms: [],
    batch_ms: [],
    read_ms: [],
  }
  readonly #under_way = new Set<Promise<unknown>>()

  /** Waits for work at the end, and counts its failure. */
  track(work: Promise<unknown>): void {
    const done = work.catch((error: unknown) => this.addError(String(error)))
    this.#under_way.add(done)
    void done.finally(() => this.#under_way.delete(done))
  }

  addError(text: string): void {
    this.sent.errors++
    this.sent.first_error ??= text
  }

  addEvent({ is_taken, ms }: Taken): void {
    this.sent.event_ms.push(ms)
    if (is_taken) this.sent.events++
  }

  addRead({ is_taken, ms }: Taken): void {
    this.sent.read_ms.push(ms)
    if (is_taken) this.sent.reads++
  }

  addBatch(kind: 'crawler_records' | 'human_records', records: number, { is_taken, ms }: Taken): void {
    this.sent.batch_ms.push(ms)
    if (is_taken) this.sent[kind] += records
  }

  /** Resolves when everything that was started has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#under_way)
  }
}
