/**
 * The days that a detection reads. Values that earlier detections read of a day are used again, because a build never
 * changes, as long as the same sources count, their vantage and the labels of the day's agents are the same.
 */
import { DAY_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { dayStart } from '#days/utc-day.ts'
import { labelsOfDays } from './day-labels.sql.ts'
import type { OutcomeScope } from './detection-scope.ts'
import { PROOF_WAIT_MS } from './eligible-agents.sql.ts'
import { versionOfAgents } from './eligible-agents.ts'

/** A day, `YYYY-MM-DD`, with the build that counts. */
export interface DayOfBuild {
  day: string
  build: number
}

const BYTES_OF_LABELS = 100
/** The most memory for values that one detection has read. */
const MAX_READ_BYTES = 48 * 2 ** 20

export class DetectionDays {
  readonly #ctx: Pick<CrawlerContext, 'evidence' | 'derived'>
  readonly #detection: OutcomeScope
  /** Later than any day, so that nothing is cached before `open`. */
  #from = '~'
  #labels: Promise<ReadonlyMap<string, string>> = Promise.resolve(new Map())
  readonly #read = new Map<string, { day: string; key: string | null; value: unknown; bytes: number }>()
  #bytes = 0

  constructor(ctx: Pick<CrawlerContext, 'evidence' | 'derived'>, detection: OutcomeScope) {
    this.#ctx = ctx
    this.#detection = detection
  }

  /** From now on, cached values of days since `from` may be used, if the labels of their agents are still the same. */
  open(from: string): void {
    this.#from = from
    this.#labels = this.#readLabels()
    // The reads that await it fail with its error.
    this.#labels.catch(() => {})
  }

  /** Days from `from` on that have a build, ascending. */
  since(from: string): DayOfBuild[] {
    return this.#detection.scope.builds.filter(({ day }) => day >= from)
  }

  /** Whether the rows of a day that count can no longer change by time alone. */
  isSettled({ day }: DayOfBuild): boolean {
    return dayStart(day) + DAY_MS <= this.#detection.as_of - PROOF_WAIT_MS
  }

  /** The value with this name of a day, as this detection or an earlier one has read it. */
  async find<T>(day: DayOfBuild, name: string): Promise<T | undefined> {
    const key = await this.#keyOf(day, name)
    return this.read(day, name) ?? (key === null ? undefined : this.#ctx.derived.detection_rows.get<T>(key))
  }

  /** The value with this name of a day, as this detection has read it. */
  read<T>({ day }: DayOfBuild, name: string): T | undefined {
    return this.#read.get(`${day} ${name}`)?.value as T | undefined
  }

  /**
   * Caches a value of a day, of about this size: for this detection at once, for later ones from `close` on. Without
   * enough memory it must be read again.
   */
  async cache(day: DayOfBuild, name: string, { value, bytes }: { value: unknown; bytes: number }): Promise<void> {
    const key = await this.#keyOf(day, name)
    const place = `${day.day} ${name}`
    const replaced = this.#read.get(place)
    if (replaced !== undefined) this.#bytes -= replaced.bytes
    this.#read.delete(place)
    if (this.#bytes + bytes > MAX_READ_BYTES) return
    this.#read.set(place, { day: day.day, key, value, bytes })
    this.#bytes += bytes
  }

  /**
   * Caches the values that were read so far for later detections; those that are read afterwards serve this one only.
   * Values of days whose labels changed meanwhile are not cached, because they may depend on both the old and the new.
   */
  async close(): Promise<void> {
    const read = [...this.#read.values()].filter(({ key }) => key !== null)
    if (read.length === 0) return
    const [before, now] = [await this.#labels, await this.#readLabels()]
    for (const { key, day, value, bytes } of read)
      if (key !== null && now.get(day) === before.get(day)) this.#ctx.derived.detection_rows.set(key, value, bytes)
  }

  /** Identifies everything that the rows of a day depend on; null if later detections must read them again. */
  async #keyOf(built: DayOfBuild, name: string): Promise<string | null> {
    const { day, build } = built
    if (day < this.#from || !this.isSettled(built)) return null
    const { scope, edge_source_ids } = this.#detection
    const slices = scope.slices
      .filter(({ days }) => days.some(({ from, to }) => from <= day && day <= to))
      .map(({ source_ids, hosts }) => [source_ids, hosts])
    const labels = [scope.registry_version, (await this.#labels).get(day) ?? '']
    return JSON.stringify([name, scope.site_id, day, build, slices, edge_source_ids.toSorted(), labels])
  }

  async #readLabels(): Promise<ReadonlyMap<string, string>> {
    const builds = this.since(this.#from).filter((built) => this.isSettled(built))
    if (builds.length === 0) return new Map()
    const { evidence, derived } = this.#ctx
    const { site_id, registry_version } = this.#detection.scope
    const read = async () => {
      const found = await evidence.all(labelsOfDays(this.#detection, builds))
      return new Map(found.map(({ day, labels }) => [day, labels]))
    }
    const version = versionOfAgents(evidence)
    if (version === null) return read()
    return derived.detection_rows.getOrRead(JSON.stringify(['labels of days', site_id, registry_version, builds]), {
      version,
      read,
      bytesOf: () => builds.length * BYTES_OF_LABELS,
      isStillValid: async () => versionOfAgents(evidence) === version,
    })
  }
}
