/** Things that two threads speak of by number: each is told in full once, and afterwards by its number alone. */

/** The things of one batch. */
export interface Telling<T> {
  /** Numbers of another edition are void. */
  edition: number
  /** Told for the first time; their numbers follow those that were given before. */
  fresh: T[]
  numbers: Uint32Array
}

/** The side that tells; its tellings must arrive in their order. */
export class Teller<T extends object> {
  readonly #numbers = new Map<T, number>()
  readonly #most: number
  #edition = 0

  /** Past `most` things all are forgotten, on both sides. */
  constructor(most: number) {
    this.#most = most
  }

  /** `told` is what of a thing the other side needs to know. */
  tell<Told>(things: ReadonlySet<T>, told: (thing: T) => Told): Telling<Told> {
    if (this.#numbers.size >= this.#most) {
      this.#numbers.clear()
      this.#edition++
    }
    const fresh: Told[] = []
    const numbers = new Uint32Array(things.size)
    let at = 0
    for (const thing of things) {
      let number = this.#numbers.get(thing)
      if (number === undefined) {
        number = this.#numbers.size
        this.#numbers.set(thing, number)
        fresh.push(told(thing))
      }
      numbers[at++] = number
    }
    return { edition: this.#edition, fresh, numbers }
  }
}

/** The side that hears; it keeps for each thing what `keep` makes of it. */
export class Hearer<Kept> {
  #known: Kept[] = []
  #edition = 0

  hear<T>({ edition, fresh, numbers }: Telling<T>, keep: (thing: T) => Kept): Kept[] {
    if (edition !== this.#edition) this.#known = []
    this.#edition = edition
    for (const thing of fresh) this.#known.push(keep(thing))
    return Array.from(numbers, (number) => this.#known[number] as Kept)
  }
}
