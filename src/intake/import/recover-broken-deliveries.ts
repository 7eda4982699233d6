/** Recovers deliveries that broke off: they stay partial, and their days are rebuilt (rules 3). */
import Type from 'typebox'
import { DAY_MS } from '#clock.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { BrokenDelivery } from '#crawlers/intake-memory.ts'
import { releaseDays } from '#derived/dirty-days.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { rows, sql } from '#evidence/sql.ts'
import { eraseAgain, eraseAgainSince } from '#sites/erase-removed.ts'
import { releaseGroups } from '../facts/dirty-days.ts'
import { dropLeftStaged } from './stage-rows.ts'

/** An import that was writing for a site when that was removed began at most this long before. */
const MAX_IMPORT_MS = 2 * DAY_MS

/**
 * Runs once at start, before anything else; returns how many deliveries an earlier process left unfinished. On a node,
 * those of its own earlier process: others may be writing.
 */
export async function recoverDeliveries(ctx: CrawlerContext): Promise<number> {
  const { node_id } = ctx.intake
  // Of several nodes one may be importing now; `clearAfterImports` drops what is left when none is.
  if (node_id === null) await dropAllStaged(ctx)
  return ctx.control.transaction((tx) => breakOffAll(tx, node_id, ctx.clock.now()))
}

/**
 * Of a process that is known to have ended; `node_id` null: the only one. Returns how many deliveries it left. Those of
 * no node are of a service that has moved to servers since, and which accepts nothing any more (decisions 8.2).
 */
export async function breakOffAll(tx: ControlTransaction, node_id: string | null, now: number): Promise<number> {
  const writing = tx.selectFrom('deliveries').selectAll().where('state', '=', 'writing')
  const ofNode = writing.where((is) => is.or([is('node_id', '=', node_id), is('node_id', 'is', null)]))
  const broken = await (node_id === null ? writing : ofNode).execute()
  for (const delivery of broken) await breakOffDelivery(tx, delivery)
  await releaseGroups(tx, node_id)
  await eraseAgainSince(tx, now - MAX_IMPORT_MS)
  return broken.length
}

/** A full disk must not keep the service from answering: what cannot be dropped now is dropped later. */
async function dropAllStaged({ evidence, intake }: CrawlerContext): Promise<void> {
  try {
    await evidence.run(sql`TRUNCATE TABLE spoor.import_rows`)
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.kind !== 'disk_full') throw error
    const staged = await evidence.all(stagedDeliveries)
    for (const { id } of staged) intake.left_staged.add(id)
  }
}

const stagedDeliveries = rows(Type.Object({ id: Type.String() }))`
  SELECT DISTINCT toString(delivery_id) AS id FROM spoor.import_rows`

/**
 * Marks a delivery that broke off, now or, where the store refuses, in a later round or at the next start.
 * True when it broke off because its site was removed; what it wrote is then erased again.
 */
export async function giveUpDelivery(ctx: CrawlerContext, delivery: BrokenDelivery): Promise<boolean> {
  try {
    return await breakOff(ctx.control, delivery)
  } catch {
    ctx.intake.left_open.set(delivery.id, delivery)
    return false
  }
}

function breakOff(control: ControlStore, delivery: BrokenDelivery): Promise<boolean> {
  return control.transaction(async (tx) => {
    await breakOffDelivery(tx, delivery)
    return eraseAgain(tx, delivery.site_id)
  })
}

/** Makes good what could not be written or dropped when imports broke off. */
export async function clearAfterImports(ctx: CrawlerContext): Promise<void> {
  const { left_open, left_staged } = ctx.intake
  for (const delivery of left_open.values()) {
    await breakOff(ctx.control, delivery)
    left_open.delete(delivery.id)
  }
  await dropLeftStaged(ctx.evidence, left_staged)
  if (ctx.intake.node_id !== null && (await ctx.evidence.all(stagedDeliveries)).length > 0) {
    await ctx.intake.duringImport(() => ctx.evidence.run(sql`TRUNCATE TABLE spoor.import_rows`))
  }
}

/** Marks a delivery that will not end: its coverage stays unfinished, its source shows it until an import succeeds. */
export async function breakOffDelivery(tx: ControlTransaction, { id, source_id }: BrokenDelivery): Promise<void> {
  await tx.updateTable('deliveries').set({ state: 'broken' }).where('id', '=', id).execute()
  await releaseDays(tx, id)
  // Live sources deliver on by themselves; their next delivery says what they are. An owner's disconnect stands.
  await tx
    .updateTable('sources')
    .set({ connection_status: 'error' })
    .where((is) => is.and({ id: source_id, source_type: 'log_upload' }))
    .where('connection_status', '!=', 'disconnected')
    .execute()
}
