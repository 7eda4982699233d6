/**
 * Derives the roll-ups of crawlers. A closed day waits while a delivery writes facts of it. The open day is derived all
 * the same, to signal it to issue detection: it stays dirty, and answers read it from facts.
 */
import { MINUTE_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { CONCURRENT_WRITE, type Derivation, type ReadyDay } from '#derived/derivation.ts'
import { derive } from '#derived/derive.ts'
import { daysOfMarks, findMarks, isDirty } from '#derived/dirty-days.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { CrawlerContext } from '../context.ts'
import { fitOneTable, insertTwoAtOnce, piecesOfDays, rowsOfDays, slowSpeed } from './build-pieces.ts'
import { findCountingReadings } from './counting-readings.ts'
import { crawlerMonths, retireMonth } from './month-roll-ups.ts'
import {
  type DayFacts,
  type DaysBuild,
  deleteRollUpBuilds,
  factsByDay,
  inPiece,
  insertCrawlerDaily,
  insertPageOutcomes,
  repeatedDays,
} from './roll-ups.sql.ts'

/** The context of a derivation. */
export type RollUpContext = Pick<CrawlerContext, 'clock' | 'control' | 'evidence' | 'derived'>

/** How the open day is treated: derived at once, at most once a minute and slowly, or left alone. */
export type OpenDay = 'at_once' | 'each_minute' | 'left'

/**
 * Derives dirty days, of one site if named, newest first, and then the months that have ended; returns how many days.
 * `stop` is called between two months.
 */
export async function rebuildDirtyDays(
  ctx: RollUpContext,
  stop: () => boolean = () => false,
  { open_day = 'at_once', site_id }: { open_day?: OpenDay; site_id?: string } = {},
): Promise<number> {
  try {
    return await derive(ctx, crawlerRollUps(ctx, open_day, site_id), stop)
  } finally {
    await derive(ctx, crawlerMonths(ctx, site_id), stop)
  }
}

export const crawlerRollUps = (ctx: RollUpContext, open_day: OpenDay, site_id?: string): Derivation => ({
  kind: 'crawlers',
  async findBatches() {
    const today = utcDay(ctx.clock.now())
    const dirty = (await findDays(ctx, site_id)).filter(({ day }) => day !== today)
    const ready = dirty.filter(({ marks }) => marks.every(({ state }) => state === 'written'))
    // Days whose builds still count come last.
    return monthBatches(ready).sort((a, b) => Number(isOutdated(a)) - Number(isOutdated(b)))
  },
  async findUrgent() {
    if (open_day === 'left') return []
    const now = ctx.clock.now()
    const open = (await findDays(ctx, site_id, utcDay(now))).filter((day) => !isOutdated([day]))
    if (open_day === 'at_once') return open.map((day) => [day])
    const { openDayPace } = ctx.derived
    const young = await findYoungBuilds(ctx, utcDay(now))
    const due = openDayPace.longestWaitFirst(open.filter(({ site_id }) => !young.has(site_id)))
    return due.filter(({ site_id }) => openDayPace.tryBegin(site_id, now)).map((day) => [day])
  },
  parts: () => [''],
  async begin(tx, batch, build) {
    const [{ site_id }] = batch as [ReadyDay]
    const days = batch.map(({ day }) => day)
    const is_open = days.includes(utcDay(ctx.clock.now()))
    // A reading that replaces one of these later marks its day again, which is then derived again.
    const readings = await findCountingReadings(tx, site_id, days.toSorted())
    const daysBuild = { site_id, days, build, readings, has_one_thread: is_open }
    return async () => {
      const started = ctx.clock.elapsed()
      try {
        await insertBuild(ctx, daysBuild, { is_open, is_slow: is_open && open_day === 'each_minute' })
      } finally {
        if (is_open) ctx.derived.openDayPace.noteDuration(site_id, ctx.clock.elapsed() - started)
      }
    }
  },
  isCurrent: (tx, day) => isDirty(tx, 'crawlers', day),
  replace: retireMonth,
  async deleteRows(retired) {
    for (const command of deleteRollUpBuilds(retired)) await ctx.evidence.run(command, CONCURRENT_WRITE)
  },
})

async function insertBuild(
  { evidence }: RollUpContext,
  build: DaysBuild,
  { is_open, is_slow }: { is_open: boolean; is_slow: boolean },
): Promise<void> {
  const found = await evidence.all(factsByDay(build))
  const facts = new Map(found.map(({ name, facts }) => [name, facts]))
  // On servers the insert may read other parts than this statement, of which fewer are merged.
  const merged = new Set(evidence.has_own_parts ? found.filter(isInOnePart).map(({ name }) => name) : [])
  const pieces = piecesOfDays(build.days, facts)
  const speed = is_slow ? { max_rows_a_second: slowSpeed(rowsOfDays(build.days, facts)) } : {}
  // A single day may be large, and has both processors.
  const has_one_thread = build.has_one_thread || pieces.length > 1
  await insertTwoAtOnce(pieces, async (days) => {
    const has_one_table = fitOneTable(rowsOfDays(days, facts))
    const piece = { ...build, days, has_one_thread, has_one_table }
    const has_repeats = is_open || !has_one_table || (await mayHaveRepeats(evidence, piece, merged))
    const limits = { ...speed, is_concurrent: true, row_count_check: { where: inPiece(piece), may_grow: is_open } }
    await evidence.run(insertPageOutcomes({ ...piece, has_repeats }), limits)
    await evidence.run(insertCrawlerDaily(piece), limits)
  })
}

/**
 * Whether a fact of these days may be stored twice. Later writers mark the day first, so that it is read from facts
 * until it is derived again.
 * @param merged days of which every fact is stored once.
 */
async function mayHaveRepeats(
  evidence: EvidenceStore,
  build: DaysBuild,
  merged: ReadonlySet<string>,
): Promise<boolean> {
  if (!evidence.has_own_parts) return true
  const days = build.days.filter((day) => !merged.has(day))
  return days.length > 0 && (await evidence.all(repeatedDays({ ...build, days }))).length > 0
}

const isInOnePart = ({ is_in_one_part }: DayFacts): boolean => is_in_one_part === 1

async function findDays(ctx: RollUpContext, site_id?: string, day?: string): Promise<ReadyDay[]> {
  const range = day === undefined ? undefined : { from: day, to: day }
  return daysOfMarks(await findMarks(ctx.control.db, 'crawlers', site_id, range))
}

/**
 * The sites whose day a node has derived within the last minute (rules 8), by the numbers of builds, which are instants
 * of the shared clock. With embedded evidence the only process knows when it began each derivation.
 */
async function findYoungBuilds({ control, clock, evidence }: RollUpContext, day: string): Promise<Set<string>> {
  if (evidence.has_own_parts) return new Set()
  const now = clock.shared()
  const young = await control.db
    .selectFrom('builds')
    .select('site_id')
    .where((is) => is.and({ kind: 'crawlers', day }))
    .where('build', '>', now - MINUTE_MS)
    // A later number comes from a clock that was set back, or from many derivations in one millisecond.
    .where('build', '<=', now)
    .execute()
  return new Set(young.map((row) => row.site_id))
}

const isOutdated = (batch: readonly ReadyDay[]) => batch.every(({ marks }) => marks.every(({ marked }) => marked === 0))

/** An insert touches one partition, so that a crash leaves all or nothing: one batch for each site and month. */
function monthBatches(days: readonly ReadyDay[]): ReadyDay[][] {
  return [...Map.groupBy(days, ({ site_id, day }) => `${day.slice(0, 7)} ${site_id}`).values()]
}
