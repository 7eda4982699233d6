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

/** The decoded bytes of each place, and behind them how many places are taken: seen by both threads, each place written by one reader. */
export interface LoadTable {
  cells: Int32Array
  limits: LoadLimits
}

export function loadTable(limits: LoadLimits = LOAD_LIMITS): LoadTable {
  return { cells: new Int32Array(new SharedArrayBuffer((limits.batches + 1) * Int32Array.BYTES_PER_ELEMENT)), limits }
}

/** Adds decoded bytes to a batch's place. @throws IntakeRefusal busy. */
export function grow({ cells, limits }: LoadTable, place: number, bytes: number): void {
  const is_alone = Atomics.load(cells, limits.batches) <= 1
  if (!is_alone && bytesOf({ cells, limits }) + bytes > limits.bytes) throw busy()
  Atomics.add(cells, place, bytes)
}

function bytesOf({ cells, limits }: LoadTable): number {
  let bytes = 0
  for (let place = 0; place < limits.batches; place++) bytes += Atomics.load(cells, place)
  return bytes
}

/** One batch's part of the load; released once nothing of the batch is held any more. */
export interface Share {
  place: number
  release(): void
}

export class Load {
  readonly #table: LoadTable
  readonly #of_token = new Map<string, number>()
  readonly #free: number[]

  constructor(table: LoadTable) {
    this.#table = table
    this.#free = Array.from({ length: table.limits.batches }, (_, place) => place)
  }

  /** @throws IntakeRefusal busy, before anything of the batch is read. */
  admit(token_id: string): Share {
    const { cells, limits } = this.#table
    const others = this.#of_token.get(token_id)
    const of_token = others === undefined ? 1 : others + 1
    if (of_token > limits.batches_of_token || bytesOf(this.#table) >= limits.bytes) throw busy()
    const place = this.#free.pop()
    if (place === undefined) throw busy()
    this.#of_token.set(token_id, of_token)
    Atomics.add(cells, limits.batches, 1)
    let is_released = false
    return {
      place,
      release: () => {
        if (is_released) return
        is_released = true
        Atomics.store(cells, place, 0)
        Atomics.sub(cells, limits.batches, 1)
        this.#free.push(place)
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
