/** Builds of an open day. Only the process that derived such a build knows it and uses it. */
import { MAX_UNRENEWED_MS, nextBuild, retire } from '#derived/builds.ts'
import { sumOfHashes, sumParts } from '#derived/part-sums.ts'
import type { StatementLimits } from '#evidence/store.ts'
import type { TrackerContext } from '../context.ts'
import { READ_LIMITS } from '../coverage/with-evidence.ts'
import { eventsBefore } from './settled-sessions.sql.ts'

export type OpenDayContext = Pick<TrackerContext, 'clock' | 'control' | 'evidence' | 'derived' | 'collection'>

export interface DayOfSite {
  site_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
}

/** The `part` of these builds in `retired_builds`. No row of `builds` has it. */
export const OPEN_DAY_PART = 'settled'
/** The events of a day are sorted and grouped in memory, as for a closed day. */
export const OPEN_DAY_MEMORY_MB = 400

/**
 * Derives open days one after the other. If one fails, the others are still derived. `stop` is called before each.
 * @throws AggregateError: some days could not be derived. Answers read them from facts.
 */
export async function deriveEach<Day>(
  days: readonly Day[],
  stop: () => boolean,
  deriveOne: (day: Day) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const day of days) {
    if (stop()) break
    try {
      await deriveOne(day)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `sites whose open day could not be derived: ${failures.length}`)
}

/** Takes numbers for new builds, which are retired at once: they are deleted when this process stops renewing them. */
export function beginBuilds(
  { control, clock }: OpenDayContext,
  { site_id, day }: DayOfSite,
  count: number,
): Promise<number[]> {
  return control.transaction(async (tx) => {
    const builds: number[] = []
    const retired_at = clock.shared()
    while (builds.length < count) builds.push(await nextBuild(tx, retired_at))
    const retired = { site_id, day, kind: 'sessions', part: OPEN_DAY_PART, delivery_id: '' } as const
    await retire(
      tx,
      builds.map((build) => ({ ...retired, build, retired_at })),
    )
    return builds
  })
}

/** Whether builds that were renewed at this instant certainly still exist: no process can have begun to delete them. */
export const isRenewed = ({ clock }: Pick<OpenDayContext, 'clock'>, renewed_at: number): boolean =>
  clock.shared() - renewed_at <= MAX_UNRENEWED_MS

/**
 * A fingerprint of the visitors' events of a day that were received before an instant (epoch milliseconds): their
 * number and a sum of hashes. It changes when events are added or deleted.
 */
export async function fingerprintEvents(
  ctx: Pick<OpenDayContext, 'evidence' | 'derived'>,
  { site_id, day }: DayOfSite,
  before: number,
  limits?: StatementLimits,
): Promise<string> {
  const key = `events of ${site_id} ${day} before ${before}`
  const read = (known: readonly string[] | null) => eventsBefore(site_id, day, before, known)
  const parts = await sumParts(ctx, { key, read, limits })
  const events = parts.reduce((all, part) => all + part.rows, 0)
  return `${events} ${sumOfHashes(parts.map(({ sum }) => sum))}`
}

/** The number of events that a fingerprint is of. */
export const eventCountOf = (facts: string): number => Number(facts.split(' ')[0])

/**
 * Whether `facts` is still the fingerprint of the events before an instant (epoch milliseconds). The events are read at
 * most once a second, with the limits of an answer's statements.
 */
export async function hasSameEvents(
  ctx: Pick<OpenDayContext, 'clock' | 'evidence' | 'derived'>,
  { site_id, day, facts }: DayOfSite & { facts: string },
  before: number,
): Promise<boolean> {
  const found = await ctx.derived.answers.getOrRead(`events of ${site_id} ${day} before ${before}`, {
    version: String(Math.floor(ctx.clock.now() / 1_000)),
    read: () => fingerprintEvents(ctx, { site_id, day }, before, READ_LIMITS),
    bytesOf: () => FINGERPRINT_BYTES,
    isStillValid: async () => true,
  })
  return found === facts
}

const FINGERPRINT_BYTES = 200
