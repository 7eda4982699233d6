/**
 * The days that a detection reads, and what earlier ones read of them. A day's build never changes, so what was read
 * counts again as long as the same sources count, see the same side, and the labels of its agents are the same.
 */
import { DAY_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { dayStart } from '#days/utc-day.ts'
import { PROOF_WAIT_MS } from './eligible-agents.sql.ts'
import { versionOfAgents } from './eligible-agents.ts'
import { labelsOfDays } from './day-labels.sql.ts'
import type { OutcomeScope } from './detection-scope.ts'

/** A day, `YYYY-MM-DD`, with the build that counts. */
export interface DayOfBuild {
  day: string
  build: number
}

const BYTES_OF_LABELS = 100
/** Of what one detection has read itself. */
const MAX_READ_BYTES = 48 * 2 ** 20

export class DetectionDays {
  readonly #ctx: Pick<CrawlerContext, 'evidence' | 'derived'>
  readonly #of: OutcomeScope
  /** Later than any day: nothing is kept before `open`. */
  #from = '~'
  #labels: Promise<ReadonlyMap<string, string>> = Promise.resolve(new Map())
  readonly #read = new Map<string, { day: string; key: string | null; value: unknown; bytes: number }>()
  #bytes = 0

  constructor(ctx: Pick<CrawlerContext, 'evidence' | 'derived'>, of: OutcomeScope) {
    this.#ctx = ctx
    this.#of = of
  }

  /** Allows what is kept of days since `from` to be used: begins to read under which labels it must have been read. */
  open(from: string): void {
    this.#from = from
    this.#labels = this.#readLabels()
    // A read of what is kept fails with it.
    this.#labels.catch(() => {})
  }

  /** Days with a build, ascending. */
  since(from: string): DayOfBuild[] {
    return this.#of.scope.builds.filter(({ day }) => day >= from)
  }

  /** Whether time alone cannot change any more which rows of a day count. */
  isSettled({ day }: DayOfBuild): boolean {
    return dayStart(day) + DAY_MS <= this.#of.as_of - PROOF_WAIT_MS
  }

  /** What this detection has read, or an earlier one keeps, of a day under a name. */
  async kept<T>(of: DayOfBuild, name: string): Promise<T | undefined> {
    const key = await this.#keyOf(of, name)
    return this.read(of, name) ?? (key === null ? undefined : this.#ctx.derived.kept.get<T>(key))
  }

  /** What this detection has read of a day under a name. */
  read<T>({ day }: DayOfBuild, name: string): T | undefined {
    return this.#read.get(`${day} ${name}`)?.value as T | undefined
  }

  /**
   * Keeps a value of a day, of about this size: at once for this detection, once it has ended for later ones. Where
   * there is no room, it must be read again.
   */
  async keep(of: DayOfBuild, name: string, { value, bytes }: { value: unknown; bytes: number }): Promise<void> {
    const key = await this.#keyOf(of, name)
    const place = `${of.day} ${name}`
    const replaced = this.#read.get(place)
    if (replaced !== undefined) this.#bytes -= replaced.bytes
    this.#read.delete(place)
    if (this.#bytes + bytes > MAX_READ_BYTES) return
    this.#read.set(place, { day: of.day, key, value, bytes })
    this.#bytes += bytes
  }

  /**
   * Keeps what was read so far for later detections; what is read afterwards serves this one alone. What was read while
   * labels changed may rest on both the old and the new: it is not kept.
   */
  async close(): Promise<void> {
    const read = [...this.#read.values()].filter(({ key }) => key !== null)
    if (read.length === 0) return
    const [before, now] = [await this.#labels, await this.#readLabels()]
    for (const { key, day, value, bytes } of read)
      if (key !== null && now.get(day) === before.get(day)) this.#ctx.derived.kept.set(key, value, bytes)
  }

  /** Names everything that the rows of a day depend on; null where later detections must read them again. */
  async #keyOf(of: DayOfBuild, name: string): Promise<string | null> {
    const { day, build } = of
    if (day < this.#from || !this.isSettled(of)) return null
    const { scope, edge_source_ids } = this.#of
    const slices = scope.slices
      .filter(({ days }) => days.some(({ from, to }) => from <= day && day <= to))
      .map(({ source_ids, hosts }) => [source_ids, hosts])
    const labels = [scope.registry_version, (await this.#labels).get(day) ?? '']
    return JSON.stringify([name, scope.site_id, day, build, slices, edge_source_ids.toSorted(), labels])
  }

  async #readLabels(): Promise<ReadonlyMap<string, string>> {
    const builds = this.since(this.#from).filter((of) => this.isSettled(of))
    if (builds.length === 0) return new Map()
    const { evidence, derived } = this.#ctx
    const { site_id, registry_version } = this.#of.scope
    const read = async () => {
      const found = await evidence.all(labelsOfDays(this.#of, builds))
      return new Map(found.map(({ day, labels }) => [day, labels]))
    }
    const version = versionOfAgents(evidence)
    if (version === null) return read()
    return derived.kept.recall(JSON.stringify(['labels of days', site_id, registry_version, builds]), {
      version,
      read,
      bytesOf: () => builds.length * BYTES_OF_LABELS,
      isStillSo: async () => versionOfAgents(evidence) === version,
    })
  }
}
