export interface Recall<T> {
  /** Identifies the dependencies of the value that are not in its key. One value per key is cached. */
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
 * A cache of values that were read from evidence, most of them from builds, which never change. The least recently used
 * values are dropped to make room for new ones.
 */
export class KeptValues {
  readonly #max_bytes: number
  readonly #kept = new Map<string, { value: unknown; bytes: number }>()
  readonly #reading = new Map<string, Promise<unknown>>()
  #bytes = 0

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes
  }

  /** The size of all cached values, in the unit of `set`. */
  get bytes(): number {
    return this.#bytes
  }

  /** The cached value of a key, which identifies the build and all other dependencies of the value. */
  get<T>(key: string): T | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.value as T
  }

  /**
   * The cached value of this key and version, or else the result of `read`, which replaces other versions of the key.
   * Concurrent calls share one read. The result is not cached if its dependencies have changed by then (`isStillSo`).
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

  /** Returns the result of `read` without caching it. Concurrent calls with the same name share one read. */
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
   * Caches a value of about this size in place of the previous one. A value larger than the whole cache is not cached.
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
