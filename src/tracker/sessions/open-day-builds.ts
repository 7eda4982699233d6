/** What builds of an open day have in common: only the process that derived them knows them, and counts them. */
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

/** Part of the retired rows; no pointer has it. */
export const OPEN_DAY_PART = 'settled'
/** As of a closed day: events are sorted and grouped at once. */
export const OPEN_DAY_MEMORY_MB = 400

/**
 * Derives one open day after the other; one that fails keeps no other from it. `stop` is called before each.
 * @throws AggregateError when days could not be derived; they are read from facts.
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

/** Numbers builds, which are retired from birth: they go when this process does. */
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

/** Whether no other process can have begun to delete builds that were renewed at this instant. */
export const isRenewed = ({ clock }: Pick<OpenDayContext, 'clock'>, renewed_at: number): boolean =>
  clock.shared() - renewed_at <= MAX_UNRENEWED_MS

/** What names the visitors' events of a day that were received before an instant, epoch milliseconds. */
export async function nameEvents(
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

/**
 * Whether this is still their name, as far as a look at them at most a second ago shows. An answer waits for it as long
 * as for its own statements.
 */
export async function haveStayed(
  ctx: Pick<OpenDayContext, 'clock' | 'evidence' | 'derived'>,
  { site_id, day, facts }: DayOfSite & { facts: string },
  before: number,
): Promise<boolean> {
  const found = await ctx.derived.answers.recall(`events of ${site_id} ${day} before ${before}`, {
    version: String(Math.floor(ctx.clock.now() / 1_000)),
    read: () => nameEvents(ctx, { site_id, day }, before, READ_LIMITS),
    bytesOf: () => BYTES_OF_NAME,
    isStillSo: async () => true,
  })
  return found === facts
}

const BYTES_OF_NAME = 200
