/** Values that two threads exchange by number: each is sent in full once, and then by its number. */

/** The encoded values of one batch. */
export interface EncodedItems<T> {
  /** Numbers of another edition are invalid. */
  edition: number
  /** Values that are sent for the first time; their numbers follow the earlier ones. */
  fresh: T[]
  numbers: Uint32Array
}

/** The most stored values, because anyone can invent agents and paths of a thousand characters. */
export interface MemoryLimits<T> {
  values: number
  characters: number
  lengthOf(value: T): number
}

/** The sending side; its messages must arrive in order. */
export class NumberEncoder<T extends object> {
  readonly #numbers = new Map<T, number>()
  readonly #limits: MemoryLimits<T>
  #characters = 0
  #edition = 0

  /** Beyond this size both sides start over. */
  constructor(limits: MemoryLimits<T>) {
    this.#limits = limits
  }

  /** `content` returns the part of a value that the other side needs. */
  encode<Content>(values: ReadonlySet<T>, content: (value: T) => Content): EncodedItems<Content> {
    const { values: maxValues, characters, lengthOf } = this.#limits
    if (this.#numbers.size >= maxValues || this.#characters >= characters) this.reset()
    const fresh: Content[] = []
    const numbers = new Uint32Array(values.size)
    let at = 0
    for (const value of values) {
      let number = this.#numbers.get(value)
      if (number === undefined) {
        number = this.#numbers.size
        this.#numbers.set(value, number)
        this.#characters += lengthOf(value)
        fresh.push(content(value))
      }
      numbers[at++] = number
    }
    return { edition: this.#edition, fresh, numbers }
  }

  /** Starts over, because the next thread has no numbers, or a message may have been lost. */
  reset(): void {
    this.#numbers.clear()
    this.#characters = 0
    this.#edition++
  }
}

/** The receiving side; it stores the result of `decodeItem` for each value. */
export class NumberDecoder<Decoded> {
  #known: Decoded[] = []
  #edition = 0

  decode<T>({ edition, fresh, numbers }: EncodedItems<T>, decodeItem: (value: T) => Decoded): Decoded[] {
    if (edition !== this.#edition) this.#known = []
    this.#edition = edition
    for (const value of fresh) this.#known.push(decodeItem(value))
    return Array.from(numbers, (number) => this.#known[number] as Decoded)
  }
}
