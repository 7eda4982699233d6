/** Sends a batch's body to another thread, no faster than that thread reads it. */

export interface BodyTaker {
  /** False once nothing more of the body is wanted. */
  wants(): boolean
  /** Takes memory over. */
  chunk(bytes: Uint8Array<ArrayBuffer>): void
  /** `taken` is to be called for every chunk that has been looked at, and when nothing more is wanted. */
  onTaken(taken: () => void): void
}

/** Chunks that wait for the other thread: enough that it never waits for this one. */
const MAX_WAITING = 8

/** Resolves when the body has ended or is not wanted any more. @throws what the body throws. */
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
    // A copy: a chunk may lie in memory that others use too.
    taker.chunk(new Uint8Array(chunk))
    while (waiting >= MAX_WAITING && taker.wants()) await new Promise<void>((resolve) => (wake = resolve))
  }
}
