/** Sends a batch's body to another thread, no faster than that thread reads it. */

export interface BodyTaker {
  /** False: no further chunks are needed. */
  wants(): boolean
  /** Takes over the memory of a chunk. */
  chunk(bytes: Uint8Array<ArrayBuffer>): void
  /** `taken` must be called after each chunk is read, and when no further chunks are needed. */
  onTaken(taken: () => void): void
}

/** The most chunks that wait for the other thread, enough that it never waits for this one. */
const MAX_WAITING = 8

/** Resolves when the body ends or the reader stops reading it. @throws errors of the body. */
export async function sendBody(body: AsyncIterable<Buffer>, taker: BodyTaker): Promise<void> {
  let waiting = 0
  let wake = () => {}
  taker.onTaken(() => {
    waiting--
    wake()
  })
  for await (const chunk of body) {
    if (!taker.wants()) return
    waiting++
    // A copy, because other chunks may share its memory.
    taker.chunk(new Uint8Array(chunk))
    while (waiting >= MAX_WAITING && taker.wants()) await new Promise<void>((resolve) => (wake = resolve))
  }
}
