/** Joins pieces in a reused buffer: allocating new megabytes costs more than copying into them. */
const MAX_KEPT_BYTES = 8 << 20

export class JoinedBytes {
  #memory = Buffer.alloc(0)

  /** Valid until the next call. */
  join(pieces: readonly Uint8Array[]): Buffer {
    const [only] = pieces
    if (pieces.length === 1 && only !== undefined) return Buffer.from(only.buffer, only.byteOffset, only.byteLength)
    const size = pieces.reduce((sum, { length }) => sum + length, 0)
    if (size > MAX_KEPT_BYTES) return Buffer.concat(pieces, size)
    if (size > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(Math.min(MAX_KEPT_BYTES, 2 * size))
    let at = 0
    for (const piece of pieces) {
      this.#memory.set(piece, at)
      at += piece.length
    }
    return this.#memory.subarray(0, size)
  }
}
