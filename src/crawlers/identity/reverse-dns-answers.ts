/** Reverse DNS in memory: answers by address for a day, and ids of pending addresses. */
import { randomUUID } from 'node:crypto'
import { type Clock, DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'

/** The suffix of a forward-confirmed name; `none`: no name was confirmed. */
export type NameAnswer = { suffix: string } | 'none'

export interface WaitingAddress {
  id: string
  address: string
  requested_at: number
  received_at: number
}

/** The content of a cache, from which another one can be created. */
export interface NamesKnown {
  day: string
  answers: [string, { answer: NameAnswer; until: number }][]
  waiting: [string, string][]
}

/** A cache that receives the changes of another one. */
export type NameFollower = Pick<NameCache, 'learn' | 'forget'>

/** The most pending addresses. Others are not checked, so that made-up claims cannot fill the store with ids. */
const MAX_WAITING = 1_000
const MAX_ANSWERS = 20_000

export class NameCache {
  readonly #clock: Clock
  readonly #answers: Map<string, { answer: NameAnswer; until: number }>
  /** Ids of the addresses of one UTC day: on another day an address has another id. */
  readonly #waiting: Map<string, string>
  #day = ''
  #unsaved: WaitingAddress[] = []
  readonly #followers = new Set<NameFollower>()

  constructor(clock: Clock, known: NamesKnown = { day: '', answers: [], waiting: [] }) {
    this.#clock = clock
    this.#day = known.day
    this.#answers = new Map(known.answers)
    this.#waiting = new Map(known.waiting)
  }

  known(): NamesKnown {
    return { day: this.#day, answers: [...this.#answers], waiting: [...this.#waiting] }
  }

  /** Returns a function that stops following. */
  follow(follower: NameFollower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  /** The answer for an address, or its id while it is pending; null if too many are pending. */
  find(address: string, request: { at: number; received_at: number }): NameAnswer | { pending: string } | null {
    const known = this.#answers.get(address)
    if (known !== undefined && known.until > this.#clock.now()) return known.answer
    const day = utcDay(request.received_at)
    if (day !== this.#day) this.#waiting.clear()
    this.#day = day
    const id = this.#waiting.get(address)
    if (id !== undefined) return { pending: id }
    if (this.#waiting.size >= MAX_WAITING) return null
    const waiting = { id: randomUUID(), address, requested_at: request.at, received_at: request.received_at }
    this.#waiting.set(address, waiting.id)
    this.#unsaved.push(waiting)
    return { pending: waiting.id }
  }

  /** Returns the pending addresses since the last call, each once. The caller must store them. */
  takeUnsaved(): WaitingAddress[] {
    const unsaved = this.#unsaved
    this.#unsaved = []
    return unsaved
  }

  /** Adds pending addresses of another cache, or those that could not be stored. */
  giveBack(unsaved: readonly WaitingAddress[]): void {
    this.#unsaved.unshift(...unsaved)
  }

  /** Adds an answer, so that later requests of the address need no id. */
  learn(address: string, answer: NameAnswer): void {
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear()
    this.#answers.set(address, { answer, until: this.#clock.now() + DAY_MS })
    this.#waiting.delete(address)
    for (const follower of this.#followers) follower.learn(address, answer)
  }

  /** Removes a pending address, with or without an answer. */
  forget(address: string): void {
    this.#waiting.delete(address)
    for (const follower of this.#followers) follower.forget(address)
  }
}
