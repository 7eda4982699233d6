/**
 * The second half of an import: staged rows become facts. The order keeps answers safe: (1) marks days dirty, (2)
 * writes facts, (3) writes coverage (rules 3).
 */
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { JoinableRange } from '#crawlers/coverage/join-covered-time.ts'
import { withOpenDay } from '#crawlers/coverage/open-day.ts'
import {
  type CoverageInput,
  recordCoverage,
  recordReceipts,
  recordUnfinishedCoverage,
  removeUnfinishedCoverage,
} from '#crawlers/coverage/record-coverage.ts'
import type { TimeRange } from '#days/intervals.ts'
import { dayStart } from '#days/utc-day.ts'
import { dayRanges } from '#days/windows.ts'
import { confirmMarks, type Mark, markDays } from '#derived/dirty-days.ts'
import type { StatementLimits } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import { deleteExpiredDays } from '#retention/delete-expired.ts'
import { recordEvidence } from '#sources/record-evidence.ts'
import { type AgentCount, countStored, insertFacts, insertPages, type StagedDays, stagedDays } from './commit.sql.ts'
import { checkStaged, refuseLostRows } from './lost-rows.ts'
import { findMoved, withoutMoved } from './moved-lines.ts'
import { abandonDelivery } from './recover-broken-deliveries.ts'
import { type CommitStep, pageSpans, splitByMonth } from './split-by-month.ts'

export interface ImportDelivery {
  id: string
  site_id: string
  source: SourceRow
  /** The number of staged rows. */
  staged: number
  /** The host that the coverage is declared for, or `*`. */
  coverage_host: string
  ranges: readonly JoinableRange[]
  /** Time that the owner declares to be covered (`--covers`); null: none. */
  covers: TimeRange | null
  /** Why the coverage is only partial; empty: it is complete. */
  partial_reason: string
  /** The newest instant of its readable lines. */
  data_through: number
  has_statuses: boolean
  sees_edge: boolean
  /** Some times have no zone, so that the lines may already be stored with other instants. */
  has_local_times: boolean
}

export interface Committed {
  duplicates: number
  /** Part of `duplicates`: lines that an import with another time zone has stored at another instant. */
  moved: number
  /** Stored rows by agent key. */
  stored_by_agent: Map<string, number>
}

/**
 * Commits a staged delivery, some days at a time. Repeating the import after a crash completes it without duplicates.
 */
export async function commitDelivery(ctx: CrawlerContext, delivery: ImportDelivery): Promise<Committed> {
  // Otherwise rows that are going to be deleted would count as stored already.
  await deleteExpiredDays(ctx, { source_id: delivery.source.id })
  const steps = splitByMonth(await ctx.evidence.all(stagedDays(delivery.id)))
  // A server of a cluster that is upgraded during an import recreates the staging table.
  refuseLostRows({ staged: delivery.staged, found: steps.reduce((sum, { rows }) => sum + rows, 0) })
  const days = steps.flatMap((step) => step.days)
  const moved = delivery.has_local_times
    ? await findMoved(
        ctx.evidence,
        steps.map((step) => stagedDaysOf(delivery, step)),
      )
    : null
  const shown = moved === null ? delivery : withoutMoved(delivery, moved)
  try {
    // Inside, because a site removed a moment before refuses the delivery's first row.
    await openDelivery(ctx, shown, days)
    return { ...(await writeDelivery(ctx, shown, steps)), moved: moved === null ? 0 : moved.lines }
  } catch (error) {
    const is_removed = await abandonDelivery(ctx, {
      id: delivery.id,
      site_id: delivery.site_id,
      source_id: delivery.source.id,
    })
    if (is_removed)
      throw new Refusal('site_not_found', 'the site was removed while this log was imported; nothing of it stays')
    throw error
  }
}

type Written = Omit<Committed, 'moved'>

async function writeDelivery(
  ctx: CrawlerContext,
  delivery: ImportDelivery,
  steps: readonly CommitStep[],
): Promise<Written> {
  const committed: Written = { duplicates: 0, stored_by_agent: new Map() }
  let through = Number.NEGATIVE_INFINITY
  await writePages(ctx, delivery, steps)
  for (let at = 0; at < steps.length; at += MAX_CONCURRENT_INSERTS) {
    const some = steps.slice(at, at + MAX_CONCURRENT_INSERTS)
    const ended = await Promise.allSettled(
      some.map((step, beside) => {
        const is_one_of_several = steps.filter(({ month }) => month === step.month).length > 1
        const staged = { ...stagedDaysOf(delivery, step), is_one_of_several }
        return commitDays(ctx, staged, step, beside > 0 ? { is_concurrent: true } : undefined)
      }),
    )
    for (const [place, one] of ended.entries()) {
      // Days of the steps before the failed one have partial coverage.
      if (one.status === 'rejected') throw one.reason
      const step = some[place] as CommitStep
      ctx.derived.storedFacts.add(delivery.site_id, step.rows)
      addStored(committed, step, one.value)
      through = Math.min(delivery.data_through, Math.max(through, step.through))
      await leaveUnfinishedCoverage(ctx, delivery, step.days, through)
    }
  }
  const days = steps.flatMap((step) => step.days)
  await closeDelivery(ctx, delivery, days)
  return committed
}

/** Writes all pages before the first fact. No import runs while pages without facts are deleted. */
async function writePages(ctx: CrawlerContext, { id, site_id }: ImportDelivery, steps: readonly CommitStep[]) {
  for (const span of pageSpans(steps)) await ctx.evidence.run(insertPages({ delivery_id: id, site_id, ...span }))
}

/** How many inserts of facts run at once: each uses little more than one processor. */
const MAX_CONCURRENT_INSERTS = 2

function stagedDaysOf(delivery: ImportDelivery, { month, days }: CommitStep): StagedDays {
  return {
    delivery_id: delivery.id,
    site_id: delivery.site_id,
    source_id: delivery.source.id,
    month,
    from_day: days[0] as string,
    to_day: days.at(-1) as string,
    has_local_times: delivery.has_local_times,
  }
}

async function openDelivery(ctx: CrawlerContext, delivery: ImportDelivery, days: readonly string[]): Promise<void> {
  const { id, site_id, source } = delivery
  await ctx.control.transaction(async (tx) => {
    await tx
      .insertInto('sources')
      .values(source)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    await tx
      .insertInto('deliveries')
      .values({
        id,
        site_id,
        source_id: source.id,
        state: 'writing',
        started_at: ctx.clock.now(),
        finished_at: null,
        node_id: ctx.intake.node_id,
      })
      .execute()
    const mark = { kind: 'crawlers', cause: id, state: 'writing', now: ctx.clock.now() } as const
    await markDays(
      tx,
      mark,
      days.map((day) => ({ site_id, day })),
    )
  })
}

/** Stores the facts of some days; returns how many rows are new, by agent. */
async function commitDays(
  ctx: CrawlerContext,
  staged: StagedDays,
  step: CommitStep,
  limits?: StatementLimits,
): Promise<AgentCount[]> {
  await ctx.evidence.run(insertFacts(staged, ctx.clock.now()), limits)
  if (ctx.intake.node_id !== null) await checkStaged(ctx, staged, step)
  return ctx.evidence.all(countStored(staged))
}

function addStored(committed: Written, { rows }: CommitStep, counts: readonly AgentCount[]): void {
  const { stored_by_agent } = committed
  committed.duplicates += rows
  for (const { agent_key, stored } of counts) {
    const before = stored_by_agent.get(agent_key)
    stored_by_agent.set(agent_key, before === undefined ? stored : before + stored)
    committed.duplicates -= stored
  }
}

/** Facts of these days are stored; until the end of the import their coverage is partial (rules 3). */
async function leaveUnfinishedCoverage(
  ctx: CrawlerContext,
  delivery: ImportDelivery,
  days: readonly string[],
  through: number,
): Promise<void> {
  const spans = dayRanges(days).map((range) => ({ from: dayStart(range.from), to: dayStart(range.to) + DAY_MS }))
  const ranges = delivery.ranges.flatMap((range) =>
    spans
      .map((span) => ({
        ...range,
        from: Math.max(range.from, span.from),
        to: Math.min(range.to, span.to),
      }))
      .filter((part) => part.from < part.to),
  )
  await ctx.control.transaction(async (tx) => {
    const now = ctx.clock.now()
    const covered = {
      site_id: delivery.site_id,
      source_id: delivery.source.id,
      host: delivery.coverage_host,
      ranges,
    }
    await confirmDays(tx, delivery, days, { state: 'writing', now })
    await recordReceipts(tx, { ...covered, quality: 'partial', reason: 'unfinished', is_declared: 0 }, now)
    await withOpenDay(tx, delivery.site_id, now, async () => {
      await recordUnfinishedCoverage(tx, delivery.id, covered)
      const { has_statuses, sees_edge } = delivery
      await recordEvidence(tx, delivery.source.id, { through, has_statuses, sees_edge }, now)
    })
  })
}

/** Confirms the marks of days; call it in each transaction that claims coverage of stored facts. */
function confirmDays(
  tx: ControlTransaction,
  { id, site_id }: ImportDelivery,
  days: readonly string[],
  mark: Pick<Mark, 'state' | 'now'>,
): Promise<void> {
  return confirmMarks(
    tx,
    { kind: 'crawlers', cause: id, ...mark },
    days.map((day) => ({ site_id, day })),
  )
}

async function closeDelivery(ctx: CrawlerContext, delivery: ImportDelivery, days: readonly string[]): Promise<void> {
  const { id, site_id, source, ranges, partial_reason, covers, data_through, has_statuses, sees_edge } = delivery
  const now = ctx.clock.now()
  await ctx.control.transaction(async (tx) => {
    const covered: CoverageInput = {
      site_id,
      source_id: source.id,
      host: delivery.coverage_host,
      quality: partial_reason === '' ? 'complete' : 'partial',
      reason: partial_reason,
      is_declared: 0,
      ranges,
    }
    // Declared time has exact ends: no silence after it counts as covered.
    const declared = covers === null ? [] : [{ ...covers, silence_limit_ms: 0 }]
    await recordReceipts(tx, { ...covered, ranges: [...ranges, ...declared] }, now)
    await withOpenDay(tx, site_id, now, async () => {
      await removeUnfinishedCoverage(tx, id)
      await recordCoverage(tx, covered)
      // Recorded as declared, so that it can be distinguished from the coverage that lines show (rules 3).
      if (declared.length > 0) await recordCoverage(tx, { ...covered, is_declared: 1, ranges: declared })
      await recordEvidence(tx, source.id, { through: data_through, has_statuses, sees_edge }, now)
    })
    // If the owner has disconnected the source meanwhile, it stays disconnected; the evidence counts.
    await tx
      .updateTable('sources')
      .set({ connection_status: 'live' })
      .where('id', '=', source.id)
      .where('connection_status', '!=', 'disconnected')
      .execute()
    await confirmDays(tx, delivery, days, { state: 'written', now })
    await tx.updateTable('deliveries').set({ state: 'finished', finished_at: now }).where('id', '=', id).execute()
  })
}
