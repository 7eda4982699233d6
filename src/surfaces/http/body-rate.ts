/** How slowly a request's body may arrive: a sender that trickles would keep its place for ever. */
import type { IncomingMessage } from 'node:http'

export interface BodyRate {
  /** Bytes that have to arrive in each span of `every_ms` in which the service waits for the sender. */
  min_bytes: number
  every_ms: number
}

/** 8 KiB a second: a batch comes from a server. */
export const INTAKE_RATE: BodyRate = { min_bytes: 80 * 1024, every_ms: 10_000 }
/** 200 bytes a second: events of a page are one or two packets, also on a bad line. */
export const COLLECT_RATE: BodyRate = { min_bytes: 2_000, every_ms: 10_000 }
/** 8 KiB a second over a minute, so that a short silence of a bad line does no harm: a log holds up the next import. */
export const UPLOAD_RATE: BodyRate = { min_bytes: 480 * 1024, every_ms: 60_000 }

/**
 * Calls `onSlow` once when the body arrives more slowly than it may. Ends by itself with the request.
 * @param isWaiting false while it is the service that does not take what has arrived; such a span proves nothing.
 * @returns ends the check.
 */
export function checkRate(
  request: IncomingMessage,
  { min_bytes, every_ms }: BodyRate,
  onSlow: () => void,
  isWaiting: () => boolean = () => true,
): () => void {
  let bytes = 0
  let was_held_up = false
  let is_over = false
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    was_held_up ||= !isWaiting()
  }
  const look = () => {
    if (is_over) return
    const is_slow = bytes < min_bytes && isWaiting() && !was_held_up
    bytes = 0
    was_held_up = !isWaiting()
    if (!is_slow) return
    end()
    onSlow()
  }
  // After a pause of the whole process, what arrived during the pause is read first.
  const timer = setInterval(() => setImmediate(look), every_ms)
  timer.unref()
  const end = () => {
    is_over = true
    clearInterval(timer)
    request.off('data', count)
  }
  request.on('data', count)
  request.once('end', end)
  request.once('close', end)
  return end
}

/** What a sender is answered whose body arrives too slowly. */
export const tooSlowDetail = ({ min_bytes, every_ms }: BodyRate) =>
  `The body arrived too slowly: at least ${min_bytes} bytes have to arrive in each ${every_ms / 1_000} seconds. Nothing was stored: send it again.`
