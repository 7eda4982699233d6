/** The files of a spool to which nothing more is written, and those of their rows that memory keeps. */
import { rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isMissing, writeAgain } from './spool-folder.ts'
import { nameKeptAside, type Segment } from './spool-segment.ts'

/** The most bytes of files whose rows are kept in memory, so that they need not be read from the disk. */
const MAX_HELD_BYTES = 32 << 20

export class EndedSegments {
  readonly #folder: string
  readonly #segments: Segment[]
  #bytes: number
  #held_bytes = 0

  /** @param left the files that an earlier process left, oldest first; their rows are not in memory. */
  constructor(folder: string, left: readonly Segment[]) {
    this.#folder = folder
    this.#segments = [...left]
    this.#bytes = left.reduce((sum, segment) => sum + segment.bytes, 0)
  }

  /** Oldest first; files that end or are dropped later change it. */
  get all(): readonly Segment[] {
    return this.#segments
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Adds the newest file. Memory forgets its rows if it keeps too many. */
  add(segment: Segment): void {
    if (this.#held_bytes + segment.bytes > MAX_HELD_BYTES) segment.memory = null
    else this.#held_bytes += segment.bytes
    this.#segments.push(segment)
    this.#bytes += segment.bytes
  }

  /** Writes removed files again whose rows are in memory: acknowledged events stay on disk until they are stored. */
  async restore(): Promise<void> {
    for (const segment of [...this.#segments]) {
      if (segment.memory === null || !(await isMissing(segment.file))) continue
      await (await writeAgain(segment, this.#folder)).close()
    }
  }

  /** Removes a file whose events are in the evidence store; `keep` renames a damaged file instead. */
  async drop(segment: Segment, keep: boolean): Promise<void> {
    const aside = join(this.#folder, nameKeptAside(basename(segment.file)))
    if (keep && !(await isMissing(segment.file))) await rename(segment.file, aside)
    else await rm(segment.file, { force: true })
    this.#segments.splice(this.#segments.indexOf(segment), 1)
    this.#bytes -= segment.bytes
    if (segment.memory !== null) this.#held_bytes -= segment.bytes
  }
}
