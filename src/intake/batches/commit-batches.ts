/**
 * Stores all waiting batches together, because few large writes cost far less than many small ones. The order keeps
 * answers safe: (1) marks days dirty, (2) writes facts, (3) writes coverage and the answers to batches (rules 3).
 */

import { setImmediate as everythingElse } from 'node:timers/promises'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { withOpenDay } from '#crawlers/coverage/open-day.ts'
import { releaseDays } from '#derived/dirty-days.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { eraseAgain } from '#sites/erase-removed.ts'
import { closeGroup, newGroup, openGroup } from '../facts/dirty-days.ts'
import { storeBundles } from '../facts/store-facts.ts'
import { findAnswer, storeBatchAnswer } from './answered-batches.ts'
import type { IntakeAnswer } from './batch-answer.ts'
import { BatchCoverage } from './batch-coverage.ts'
import { IntakeRefusal } from './batch-refusal.ts'
import { boundRanges } from './bound-ranges.ts'
import { boundSenders } from './bound-senders.ts'
import { countRecords } from './count-records.ts'
import { dropDuplicates } from './duplicate-records.ts'
import { deleteWaitingDays } from './expired-days.ts'
import { type ReadyBatch, releaseRows, rowsOf } from './ready-batch.ts'
import { recordBatchCoverage } from './record-batch-coverage.ts'

/** The most rows of a group, unless a single batch has more. */
const MAX_GROUP_ROWS = 10_000
const MAX_GROUP_BATCHES = 64

export interface Committer {
  /** Resolves with the answer once the batch is durable. @throws IntakeRefusal, EvidenceError. */
  commit(batch: ReadyBatch): Promise<IntakeAnswer>
  /** Resolves once nothing is being written. */
  idle(): Promise<void>
}

interface Waiting {
  ready: ReadyBatch
  resolve(answer: IntakeAnswer): void
  reject(error: unknown): void
}

/** Commits waiting batches together, one group after the other. */
export function openCommitter(ctx: CrawlerContext): Committer {
  const waiting: Waiting[] = []
  let running: Promise<void> | null = null
  /** Groups whose days could not be released yet, for example because the disk was full. */
  const left = new Set<string>()

  const run = async () => {
    try {
      while (waiting.length > 0) {
        await commitGroup(ctx, takeGroup(waiting), left)
        await everythingElse()
      }
    } finally {
      running = null
    }
  }
  return {
    commit(ready) {
      return new Promise((resolve, reject) => {
        waiting.push({ ready, resolve, reject })
        running ??= run()
      })
    },
    async idle() {
      await running
    },
  }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let rows = 0
  let count = 0
  for (const { ready } of waiting) {
    rows += rowsOf(ready)
    if (count > 0 && (rows > MAX_GROUP_ROWS || count >= MAX_GROUP_BATCHES)) break
    count++
  }
  return waiting.splice(0, count)
}

async function commitGroup(ctx: CrawlerContext, group: readonly Waiting[], left: Set<string>): Promise<void> {
  const name = newGroup(ctx.intake.node_id)
  try {
    await deleteWaitingDays(
      ctx,
      group.map(({ ready }) => ready),
    )
    const opened = await openBatches(ctx, name, group, left)
    await everythingElse()
    const settled = await writeBatches(ctx, name, opened)
    for (const [{ resolve, reject }, outcome] of settled) {
      if (outcome instanceof IntakeRefusal) reject(outcome)
      else resolve(outcome)
    }
    for (const { ready } of group) releaseRows(ready)
  } catch (error) {
    await giveUp(ctx, name, left)
    // If the engine refuses one batch, the others are stored without it.
    if (group.length > 1 && error instanceof EvidenceError && error.kind === 'bug') {
      for (const one of group) await commitGroup(ctx, [one], left)
      return
    }
    for (const { reject } of group) reject(error)
  }
}

/** Releases the days of a group, now or with the next group; they stay dirty and are derived again. */
async function giveUp(ctx: CrawlerContext, group: string, left: Set<string>): Promise<void> {
  left.add(group)
  await releaseLeft(ctx, left).catch(() => {})
}

async function releaseLeft(ctx: CrawlerContext, left: Set<string>): Promise<void> {
  if (left.size === 0) return
  const groups = [...left]
  await ctx.control.transaction(async (tx) => {
    for (const group of groups) await releaseDays(tx, group)
  })
  for (const group of groups) left.delete(group)
}

type Outcome = IntakeAnswer | IntakeRefusal

/** (1) Answers repeated batches again, and marks the days of the others. Returns the batches to write. */
async function openBatches(
  ctx: CrawlerContext,
  group: string,
  waiting: readonly Waiting[],
  left: Set<string>,
): Promise<{ fresh: Waiting[]; again: Map<Waiting, Waiting> }> {
  await releaseLeft(ctx, left)
  const { outcomes, fresh, again } = await ctx.control.transaction(async (tx) => {
    const outcomes = new Map<Waiting, Outcome>()
    const again = new Map<Waiting, Waiting>()
    const fresh: Waiting[] = []
    for (const one of waiting) {
      const outcome = await answeredBefore(tx, one.ready, ctx.clock.now())
      const twin = fresh.find(({ ready }) => isSameBatch(ready, one.ready))
      const rival = fresh.find(({ ready }) => isSameKey(ready, one.ready))
      if (outcome !== null) outcomes.set(one, outcome)
      else if (twin !== undefined) again.set(one, twin)
      else if (rival !== undefined) outcomes.set(one, keyInUse())
      else fresh.push(one)
    }
    const days = daysOf(fresh.map(({ ready }) => ready))
    await openGroup(tx, group, days, ctx.clock.now())
    return { outcomes, fresh, again }
  })
  for (const [{ resolve, reject }, outcome] of outcomes) {
    if (outcome instanceof IntakeRefusal) reject(outcome)
    else resolve(outcome)
  }
  return { fresh, again }
}

const daysOf = (batches: readonly ReadyBatch[]) =>
  batches.flatMap(({ site_id, days }) => days.map((day) => ({ site_id, day })))

async function answeredBefore(tx: ControlTransaction, ready: ReadyBatch, now: number): Promise<Outcome | null> {
  try {
    const refusal = await refuseEnded(tx, ready)
    return refusal ?? (await findAnswer(tx, ready.name, now))
  } catch (error) {
    if (error instanceof IntakeRefusal) return error
    throw error
  }
}

/** The refusal if the token or the source has ended while the batch was read; else null. */
async function refuseEnded(tx: ControlTransaction, ready: ReadyBatch): Promise<IntakeRefusal | null> {
  const token = await tx
    .selectFrom('source_tokens')
    .innerJoin('sources', 'sources.id', 'source_tokens.source_id')
    .select('sources.connection_status')
    .where('source_tokens.id', '=', ready.token_id)
    .where('source_tokens.revoked_at', 'is', null)
    .executeTakeFirst()
  if (token === undefined) return tokenEnded()
  return token.connection_status === 'disconnected' ? sourceDisconnected() : null
}

/** The refusal of an unknown or revoked token. */
export function tokenEnded(): IntakeRefusal {
  return new IntakeRefusal('unauthenticated', 'The token is unknown or revoked: make another ({next}).', {
    step: 'source.token_create',
  })
}

/** The refusal of batches of a disconnected source. */
export function sourceDisconnected(): IntakeRefusal {
  return new IntakeRefusal(
    'source_disconnected',
    'The owner has disconnected this source, so nothing was stored: reconnect it ({next}) or stop sending.',
    { step: 'source.reconnect', source_id: null },
  )
}

function keyInUse(): IntakeRefusal {
  return new IntakeRefusal(
    'key_reused',
    'Another batch with this Idempotency-Key is being stored: give every batch a key of its own. Nothing was stored.',
  )
}

function isSameBatch(a: ReadyBatch, b: ReadyBatch): boolean {
  return a.name.batch === b.name.batch && a.name.source_id === b.name.source_id
}

function isSameKey(a: ReadyBatch, b: ReadyBatch): boolean {
  return (
    a.name.idempotency_key !== null &&
    a.name.idempotency_key === b.name.idempotency_key &&
    a.name.source_id === b.name.source_id
  )
}

/** (2) and (3). Returns the outcome of every batch that was not answered in (1). */
async function writeBatches(
  ctx: CrawlerContext,
  group: string,
  { fresh, again }: { fresh: Waiting[]; again: Map<Waiting, Waiting> },
): Promise<Map<Waiting, Outcome>> {
  const outcomes = new Map<Waiting, Outcome>()
  if (fresh.length > 0) {
    const readies = fresh.map(({ ready }) => ready)
    const bundles = await dropDuplicates(ctx.evidence, readies)
    const writes = bundles.filter(({ months }) => months.size > 0)
    if (writes.length > 0) await storeBundles(ctx, writes)
    const gone = await closeBatches(ctx, group, readies)
    for (const one of fresh) {
      outcomes.set(one, gone.has(one.ready.name.source_id) ? tokenEnded() : one.ready.answer)
    }
  }
  for (const [one, twin] of again) outcomes.set(one, outcomes.get(twin) ?? tokenEnded())
  return outcomes
}

/**
 * Writes coverage and answers in one transaction. Returns sources that were removed with their site: these get no
 * answer.
 */
async function closeBatches(ctx: CrawlerContext, group: string, batches: readonly ReadyBatch[]): Promise<Set<string>> {
  return ctx.control.transaction(async (tx) => {
    const now = ctx.clock.now()
    const gone = new Set<string>()
    for (const [source_id, own] of Map.groupBy(batches, ({ name }) => name.source_id)) {
      const source = await tx.selectFrom('sources').selectAll().where('id', '=', source_id).executeTakeFirst()
      if (source === undefined) {
        gone.add(source_id)
        await eraseAgain(tx, (own[0] as ReadyBatch).site_id)
        continue
      }
      await withOpenDay(tx, source.site_id, now, () => recordSource(tx, source, own, now))
      for (const { name, answer } of own) await storeBatchAnswer(tx, name, answer, now)
    }
    const stored = batches.filter(({ name }) => !gone.has(name.source_id))
    await closeGroup(tx, group, daysOf(stored), now)
    if (gone.size > 0) await releaseDays(tx, group)
    return gone
  })
}

/** Records the batches of a sender as one coverage, so that a group costs as little as a batch. */
async function recordSource(
  tx: ControlTransaction,
  source: SourceRow,
  batches: readonly ReadyBatch[],
  now: number,
): Promise<void> {
  const bounded = await boundSenders(tx, source.id, batches, now)
  await countRecords(tx, source.id, bounded, now)
  let known = source
  for (const [sender, own] of Map.groupBy(bounded, (ready) => ready.sender)) {
    const coverage = new BatchCoverage()
    for (const ready of own) coverage.join(ready.coverage)
    const delivered = { site_id: source.site_id, source_id: source.id, sender, coverage }
    known = await recordBatchCoverage(tx, known, delivered, now)
  }
  await boundRanges(tx, source.id, bounded)
}
