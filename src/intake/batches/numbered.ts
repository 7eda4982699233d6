/** Values that two threads exchange by number: each is sent in full once, and then by its number. */

/** The encoded values of one batch. */
export interface EncodedItems<T> {
  /** Numbers of another edition are invalid. */
  edition: number
  /** Values that are sent for the first time; their numbers follow the earlier ones. */
  fresh: T[]
  numbers: Uint32Array
}

/** The size of the memory, because anyone can invent agents and paths of a thousand characters. */
export interface MemoryLimits<T> {
  things: number
  characters: number
  lengthOf(thing: T): number
}

/** The sending side; its messages must arrive in order. */
export class NumberEncoder<T extends object> {
  readonly #numbers = new Map<T, number>()
  readonly #most: MemoryLimits<T>
  #characters = 0
  #edition = 0

  /** Beyond this size both sides start over. */
  constructor(most: MemoryLimits<T>) {
    this.#most = most
  }

  /** `content` returns the part of a value that the other side needs. */
  encode<Content>(things: ReadonlySet<T>, content: (thing: T) => Content): EncodedItems<Content> {
    const { things: most, characters, lengthOf } = this.#most
    if (this.#numbers.size >= most || this.#characters >= characters) this.forget()
    const fresh: Content[] = []
    const numbers = new Uint32Array(things.size)
    let at = 0
    for (const thing of things) {
      let number = this.#numbers.get(thing)
      if (number === undefined) {
        number = this.#numbers.size
        this.#numbers.set(thing, number)
        this.#characters += lengthOf(thing)
        fresh.push(content(thing))
      }
      numbers[at++] = number
    }
    return { edition: this.#edition, fresh, numbers }
  }

  /** Starts over, because the next thread has no numbers, or a message may have been lost. */
  forget(): void {
    this.#numbers.clear()
    this.#characters = 0
    this.#edition++
  }
}

/** The receiving side; it keeps the result of `keep` for each value. */
export class NumberDecoder<Kept> {
  #known: Kept[] = []
  #edition = 0

  decode<T>({ edition, fresh, numbers }: EncodedItems<T>, keep: (thing: T) => Kept): Kept[] {
    if (edition !== this.#edition) this.#known = []
    this.#edition = edition
    for (const thing of fresh) this.#known.push(keep(thing))
    return Array.from(numbers, (number) => this.#known[number] as Kept)
  }
}
