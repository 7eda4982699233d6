export interface Recall<T> {
  /** Names what the value depends on and its key does not name: one value of a key is kept. */
  version?: string
  read(): Promise<T>
  bytesOf(value: T): number
  isStillSo(): Promise<boolean>
}

interface Versioned<T> {
  version: string
  value: T
}

/**
 * What was read of days whose builds count. A build never changes, so what is known of it need not be read again; what
 * was used longest ago makes room for what is new.
 */
export class KeptDays {
  readonly #max_bytes: number
  readonly #kept = new Map<string, { value: unknown; bytes: number }>()
  readonly #reading = new Map<string, Promise<unknown>>()
  #bytes = 0

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes
  }

  /** Of everything that is kept, in the sizes that `set` was given. */
  get bytes(): number {
    return this.#bytes
  }

  /** What was kept under a key, which names the build and everything else that the value depends on. */
  get<T>(key: string): T | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.value as T
  }

  /**
   * What is kept of this version under a key, or else what `read` returns, which then takes the place of other
   * versions; those who ask for the same meanwhile wait for one read. It is kept unless what it depends on has changed
   * by then.
   */
  async recall<T>(key: string, { version = '', read, bytesOf, isStillSo }: Recall<T>): Promise<T> {
    const kept = this.get<Versioned<T>>(key)
    if (kept?.version === version) return kept.value
    const name = `${key} ${version}`
    const running = this.#reading.get(name) as Promise<T> | undefined
    if (running !== undefined) return running
    const reading = read()
    this.#reading.set(name, reading)
    try {
      const value = await reading
      if (await isStillSo()) this.set(key, { version, value }, bytesOf(value))
      return value
    } finally {
      this.#reading.delete(name)
    }
  }

  /** What `read` returns; those who ask for the same name meanwhile wait for one read. Nothing is kept. */
  async share<T>(name: string, read: () => Promise<T>): Promise<T> {
    const running = this.#reading.get(name) as Promise<T> | undefined
    if (running !== undefined) return running
    const reading = read()
    this.#reading.set(name, reading)
    try {
      return await reading
    } finally {
      this.#reading.delete(name)
    }
  }

  /**
   * Keeps a value of about this size instead of what was kept under its key; not one that is too large for all room.
   */
  set(key: string, value: unknown, bytes: number): void {
    this.#drop(key)
    if (bytes > this.#max_bytes) return
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes + bytes <= this.#max_bytes) break
      this.#drop(oldest)
    }
    this.#kept.set(key, { value, bytes })
    this.#bytes += bytes
  }

  #drop(key: string): void {
    const dropped = this.#kept.get(key)
    if (dropped === undefined) return
    this.#bytes -= dropped.bytes
    this.#kept.delete(key)
  }
}
