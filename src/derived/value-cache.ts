export interface CachedRead<T> {
  /** Identifies the dependencies of the value that are not in its key. One value per key is cached. */
  version?: string
  read(): Promise<T>
  bytesOf(value: T): number
  /** Called after `read`: false if its dependencies have changed meanwhile, so that the value is not cached. */
  isStillValid(): Promise<boolean>
}

interface Versioned<T> {
  version: string
  value: T
}

/**
 * A cache of values that were read from evidence, most of them from builds, which never change. The least recently used
 * values are dropped to make room for new ones.
 */
export class ValueCache {
  readonly #max_bytes: number
  readonly #cached = new Map<string, { value: unknown; bytes: number }>()
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
    const cached = this.#cached.get(key)
    if (cached === undefined) return undefined
    this.#cached.delete(key)
    this.#cached.set(key, cached)
    return cached.value as T
  }

  /**
   * The cached value of this key and version, or else the result of `read`, which replaces other versions of the key.
   * Concurrent calls share one read.
   */
  async getOrRead<T>(key: string, { version = '', read, bytesOf, isStillValid }: CachedRead<T>): Promise<T> {
    const cached = this.get<Versioned<T>>(key)
    if (cached?.version === version) return cached.value
    return this.share(`${key} ${version}`, async () => {
      const value = await read()
      if (await isStillValid()) this.set(key, { version, value }, bytesOf(value))
      return value
    })
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
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes + bytes <= this.#max_bytes) break
      this.#drop(oldest)
    }
    this.#cached.set(key, { value, bytes })
    this.#bytes += bytes
  }

  #drop(key: string): void {
    const dropped = this.#cached.get(key)
    if (dropped === undefined) return
    this.#bytes -= dropped.bytes
    this.#cached.delete(key)
  }
}
