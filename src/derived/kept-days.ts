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
   * What is kept under a key, or else what `read` returns; those who ask for the same key meanwhile wait for one read.
   * It is kept unless what its key names has changed by then.
   */
  async recall<T>(
    key: string,
    { read, bytesOf, isStillSo }: { read(): Promise<T>; bytesOf(value: T): number; isStillSo(): Promise<boolean> },
  ): Promise<T> {
    const kept = this.get<T>(key)
    if (kept !== undefined) return kept
    const running = this.#reading.get(key) as Promise<T> | undefined
    if (running !== undefined) return running
    const reading = read()
    this.#reading.set(key, reading)
    try {
      const value = await reading
      if (await isStillSo()) this.set(key, value, bytesOf(value))
      return value
    } finally {
      this.#reading.delete(key)
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
