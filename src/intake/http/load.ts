/** How much is taken at once: beyond it a sender is told to come again, so that memory stays bounded and nothing is dropped in silence. */
import { IntakeRefusal } from './refusal.ts'

export interface LoadLimits {
  /** Batches that are read or stored at the same time. */
  batches: number
  /** Of one token, so that a sender that has run wild leaves room for the others. */
  batches_of_token: number
  /** Their decoded bytes together; a batch that is alone may always go to its own limit. */
  bytes: number
}

export const LOAD_LIMITS: LoadLimits = { batches: 32, batches_of_token: 24, bytes: 192 * 1024 * 1024 }

/** One batch's part of the load. */
export interface Share {
  /** @throws IntakeRefusal busy. */
  grow(bytes: number): void
  release(): void
}

export class Load {
  readonly #limits: LoadLimits
  readonly #of_token = new Map<string, number>()
  #batches = 0
  #bytes = 0

  constructor(limits: LoadLimits = LOAD_LIMITS) {
    this.#limits = limits
  }

  /** @throws IntakeRefusal busy, before anything of the batch is read. */
  admit(token_id: string): Share {
    const others = this.#of_token.get(token_id)
    const of_token = others === undefined ? 1 : others + 1
    if (of_token > this.#limits.batches_of_token) throw busy()
    if (this.#batches >= this.#limits.batches || this.#bytes >= this.#limits.bytes) throw busy()
    this.#batches++
    this.#of_token.set(token_id, of_token)
    let own = 0
    let is_released = false
    return {
      grow: (bytes) => {
        if (this.#batches > 1 && this.#bytes + bytes > this.#limits.bytes) throw busy()
        own += bytes
        this.#bytes += bytes
      },
      release: () => {
        if (is_released) return
        is_released = true
        this.#batches--
        this.#bytes -= own
        this.#leave(token_id)
      },
    }
  }

  #leave(token_id: string): void {
    const held = this.#of_token.get(token_id)
    if (held === undefined || held <= 1) this.#of_token.delete(token_id)
    else this.#of_token.set(token_id, held - 1)
  }
}

function busy(): IntakeRefusal {
  return new IntakeRefusal(
    'busy',
    'More is being delivered than is stored at the moment. Nothing of this batch was stored: send it again after the time that Retry-After names.',
  )
}
