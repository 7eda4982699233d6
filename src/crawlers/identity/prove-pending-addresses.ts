/** Resolves the names of pending addresses, stores the answers, and deletes the addresses (rules 4). */
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { PendingAddressRow } from '#control/tables.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { NameServers } from '#outgoing/name-servers.ts'
import type { Registry } from '../registry/classify.ts'
import { labelInForce } from '../registry/label-agents.ts'
import { agentsWaitingFor, storeAnswers } from './address-proofs.sql.ts'
import { provingSuffixes } from './host-name-suffixes.ts'
import type { Prover } from './prover.ts'
import { confirmNames, knowVendors } from './reverse-dns.ts'
import type { NameAnswer } from './reverse-dns-answers.ts'

export interface PendingContext extends ControlContext {
  evidence: EvidenceStore
  registries: { current(): Promise<Registry> }
  prover: Prover
  name_servers: NameServers
}

export interface PendingRound {
  proved: number
  /** Addresses without an answer, which are resolved again. */
  waiting: number
  /** Addresses that were deleted without an answer: their request is over a day old, or the maximum time is over. */
  forgotten: number
}

/** The longest time that an address is stored after its receipt (rules 4). */
export const MAX_PENDING_MS = 7 * DAY_MS
const AT_ONCE = 16
const MAX_PROOFS_PER_ROUND = 500
const RETRIES_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS]

/** One run of the job: stores pending addresses, resolves those that are due, and deletes those that are too old. */
export async function provePending(ctx: PendingContext, signal?: AbortSignal): Promise<PendingRound> {
  await ctx.prover.refresh()
  await storePendingAddresses(ctx)
  const forgotten = await forgetOldAddresses(ctx)
  const due = await ctx.control.db
    .selectFrom('pending_addresses')
    .selectAll()
    .where('next_attempt_at', '<=', ctx.clock.now())
    .orderBy('received_at')
    .limit(MAX_PROOFS_PER_ROUND)
    .execute()
  const answers = await askAll(ctx, due, signal)
  await settle(ctx, due, answers)
  const unanswered = due.filter((row) => !answers.has(row.id))
  await postpone(ctx, unanswered)
  return { proved: answers.size, waiting: unanswered.length, forgotten }
}

/**
 * Stores the pending addresses that are in memory. Call it after requests are stored, and before the process ends.
 */
export async function storePendingAddresses({
  control,
  prover,
}: Pick<PendingContext, 'control' | 'prover'>): Promise<void> {
  const unsaved = prover.names.takeUnsaved()
  if (unsaved.length === 0) return
  try {
    await control.transaction(async (tx) => {
      for (const { id, address, requested_at, received_at } of unsaved) {
        await tx
          .insertInto('pending_addresses')
          .values({ id, address, requested_at, received_at, next_attempt_at: received_at })
          .execute()
      }
    })
  } catch (error) {
    prover.names.giveBack(unsaved)
    throw error
  }
}

/** Deletes addresses without an answer in time; their requests stay `not checked`. Returns their number. */
export async function forgetOldAddresses(ctx: Pick<PendingContext, 'clock' | 'control' | 'prover'>): Promise<number> {
  const now = ctx.clock.now()
  const old = await ctx.control.db
    .selectFrom('pending_addresses')
    .select(['id', 'address'])
    .where((row) => row.or([row('requested_at', '<=', now - DAY_MS), row('received_at', '<=', now - MAX_PENDING_MS)]))
    .execute()
  await deleteAddresses(ctx, old)
  return old.length
}

async function askAll(
  ctx: PendingContext,
  due: readonly PendingAddressRow[],
  signal?: AbortSignal,
): Promise<Map<string, NameAnswer>> {
  const registry = await ctx.registries.current()
  const suffixes = [...new Set(registry.entries.flatMap(provingSuffixes))]
  const waiting = [...due]
  const answers = new Map<string, NameAnswer>()
  const asker = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal?.aborted; next = waiting.shift()) {
      // A missing answer and a server failure prove nothing; the address is resolved again later.
      const answer = await confirmNames(ctx.name_servers, next.address, suffixes).catch(() => null)
      if (answer !== null) answers.set(next.id, answer)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, asker))
  signal?.throwIfAborted()
  const denied = [...answers].filter(([, answer]) => answer === 'none')
  if (denied.length > 0 && !(await knowVendors(ctx.name_servers, suffixes))) {
    for (const [id] of denied) answers.delete(id)
  }
  return answers
}

/** Stores the answers, then the labels, then deletes the addresses. After a crash in between, it is repeated. */
async function settle(
  ctx: PendingContext,
  due: readonly PendingAddressRow[],
  answers: ReadonlyMap<string, NameAnswer>,
): Promise<void> {
  if (answers.size === 0) return
  await storeAnswers(ctx.evidence, answers)
  await labelInForce(ctx, await ctx.evidence.all(agentsWaitingFor([...answers.keys()])))
  const settled = due.filter((row) => answers.has(row.id))
  await deleteAddresses(ctx, settled)
  for (const { id, address } of settled) ctx.prover.names.learn(address, answers.get(id) as NameAnswer)
}

async function deleteAddresses(
  { control, prover }: Pick<PendingContext, 'control' | 'prover'>,
  rows: readonly { id: string; address: string }[],
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map((row) => row.id)
  for (let start = 0; start < ids.length; start += MAX_PROOFS_PER_ROUND) {
    await control.db
      .deleteFrom('pending_addresses')
      .where('id', 'in', ids.slice(start, start + MAX_PROOFS_PER_ROUND))
      .execute()
  }
  await control.scrub()
  for (const { address } of rows) prover.names.forget(address)
}

async function postpone({ control, clock }: PendingContext, rows: readonly PendingAddressRow[]): Promise<void> {
  for (const { id, attempts } of rows) {
    const pause = RETRIES_MS[Math.min(attempts, RETRIES_MS.length - 1)] as number
    await control.db
      .updateTable('pending_addresses')
      .set({ attempts: attempts + 1, next_attempt_at: clock.now() + pause })
      .where('id', '=', id)
      .execute()
  }
}
