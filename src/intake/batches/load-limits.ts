/**
 * Bounds the number of batches that are read at once, and so their memory. Each needs a slot. Further batches wait for
 * a slot for a short time, before anything of them is read; after that their senders must try again later.
 */
import type { Deliverer } from '#sources/authenticate-token.ts'
import { IntakeRefusal } from './batch-refusal.ts'

export interface LoadLimits {
  /** Batches that are read or stored at the same time. */
  batches: number
  /** Batches of one token, so that a misbehaving sender leaves slots for the others. */
  batches_of_token: number
  /** Decoded bytes of all batches; a single batch may always use its own limit. */
  bytes: number
  /** How long a batch may wait for a slot. Senders usually give up after 10 seconds or more. */
  wait_ms: number
}

export const LOAD_LIMITS: LoadLimits = {
  batches: 32,
  batches_of_token: 16,
  bytes: 192 * 1024 * 1024,
  wait_ms: 5_000,
}

/**
 * Whether a site may have `own` of the slots or bytes. The last quarter is for sites with at most an eighth of all, so
 * that sites with many batches always leave some for the others, whatever their number of tokens.
 */
function mayHold({ own, others, limit }: { own: number; others: number; limit: number }): boolean {
  return own <= Math.max(1, limit / 8) || own + others <= limit - Math.floor(limit / 4)
}

/**
 * Memory that both threads share: the decoded bytes of each slot, then the number of used slots, then the site of
 * each slot as a number. One reader writes the bytes of a slot.
 */
export interface LoadTable {
  cells: Int32Array
  limits: LoadLimits
}

/** The table of batches under way, in memory that both threads share. */
export function loadTable(limits: LoadLimits = LOAD_LIMITS): LoadTable {
  return {
    cells: new Int32Array(new SharedArrayBuffer((limits.batches * 2 + 1) * Int32Array.BYTES_PER_ELEMENT)),
    limits,
  }
}

/** Adds decoded bytes to a batch's slot. @throws IntakeRefusal busy. */
export function grow(table: LoadTable, slot: number, bytes: number): void {
  const { cells, limits } = table
  const is_alone = Atomics.load(cells, limits.batches) <= 1
  if (!is_alone) {
    const { own, others } = bytesOf(table, siteAt(table, slot))
    const limit = limits.bytes
    if (own + others + bytes > limit || !mayHold({ own: own + bytes, others, limit })) throw busy()
  }
  Atomics.add(cells, slot, bytes)
}

const siteAt = ({ cells, limits }: LoadTable, slot: number) => Atomics.load(cells, limits.batches + 1 + slot)

/** Decoded bytes of one site, and of all others. */
function bytesOf(table: LoadTable, site: number): { own: number; others: number } {
  const { cells, limits } = table
  const bytes = { own: 0, others: 0 }
  for (let slot = 0; slot < limits.batches; slot++) {
    bytes[siteAt(table, slot) === site ? 'own' : 'others'] += Atomics.load(cells, slot)
  }
  return bytes
}

/** The slot of a batch, until its memory is released. */
export interface LoadShare {
  slot: number
  release(): void
}

/** The owner of a batch. */
type Holder = Pick<Deliverer, 'token_id' | 'site_id'>

interface Waiting extends Holder {
  take(share: LoadShare): void
}

export class Load {
  readonly #table: LoadTable
  readonly #of_token = new Map<string, number>()
  /** The number of a site in the table, and the number of its batches. */
  readonly #of_site = new Map<string, { number: number; batches: number }>()
  readonly #free: number[]
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>()
  #last_site = 0

  constructor(table: LoadTable) {
    this.#table = table
    this.#free = Array.from({ length: table.limits.batches }, (_, slot) => slot)
  }

  /**
   * Returns a slot for a batch, before anything of it is read. As many batches may wait as there are slots, within the
   * same limits for each token and site.
   * @throws IntakeRefusal busy: too many batches are waiting already, or no slot became free in time.
   */
  async admit(holder: Holder): Promise<LoadShare> {
    const share = this.#tryAdmit(holder)
    if (share !== null) return share
    if (!this.#mayWait(holder)) throw busy()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(busy())
      }, this.#table.limits.wait_ms).unref()
      const waiting: Waiting = {
        ...holder,
        take: (taken) => {
          clearTimeout(timer)
          resolve(taken)
        },
      }
      this.#waiting.add(waiting)
    })
  }

  #tryAdmit({ token_id, site_id }: Holder): LoadShare | null {
    const { cells, limits } = this.#table
    const known = this.#of_token.get(token_id)
    const of_token = known === undefined ? 1 : known + 1
    const site = this.#of_site.get(site_id) ?? { number: ++this.#last_site, batches: 0 }
    const taken = limits.batches - this.#free.length
    const own = site.batches + 1
    if (of_token > limits.batches_of_token) return null
    if (!mayHold({ own, others: taken - site.batches, limit: limits.batches })) return null
    const bytes = bytesOf(this.#table, site.number)
    if (bytes.own + bytes.others >= limits.bytes) return null
    const slot = this.#free.pop()
    if (slot === undefined) return null
    this.#of_token.set(token_id, of_token)
    this.#of_site.set(site_id, site)
    site.batches = own
    Atomics.store(cells, limits.batches + 1 + slot, site.number)
    Atomics.add(cells, limits.batches, 1)
    let is_released = false
    return {
      slot,
      release: () => {
        if (is_released) return
        is_released = true
        Atomics.store(cells, slot, 0)
        Atomics.sub(cells, limits.batches, 1)
        this.#free.push(slot)
        this.#leave(token_id, site_id)
        this.#admitWaiting()
      },
    }
  }

  #mayWait({ token_id, site_id }: Holder): boolean {
    const { batches, batches_of_token, wait_ms } = this.#table.limits
    const waiting = [...this.#waiting]
    if (wait_ms === 0 || waiting.length >= batches) return false
    const of_site = waiting.filter((each) => each.site_id === site_id).length
    const of_token = waiting.filter((each) => each.token_id === token_id).length
    const others = waiting.length - of_site
    return of_token < batches_of_token && mayHold({ own: of_site + 1, others, limit: batches })
  }

  #admitWaiting(): void {
    for (const waiting of this.#waiting) {
      if (this.#free.length === 0) return
      const share = this.#tryAdmit(waiting)
      if (share === null) continue
      this.#waiting.delete(waiting)
      waiting.take(share)
    }
  }

  #leave(token_id: string, site_id: string): void {
    const site = this.#of_site.get(site_id)
    if (site !== undefined && --site.batches === 0) this.#of_site.delete(site_id)
    const held = this.#of_token.get(token_id)
    if (held === undefined || held <= 1) this.#of_token.delete(token_id)
    else this.#of_token.set(token_id, held - 1)
  }
}

function busy(): IntakeRefusal {
  return new IntakeRefusal(
    'busy',
    'More is being delivered than can be stored at the moment. Nothing of this batch was stored: send it again after the time that Retry-After names.',
  )
}
