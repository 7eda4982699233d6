/** Recovers interrupted deliveries: their coverage stays partial, and their days are derived again (rules 3). */
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
import { dropUndroppedStages } from './stage-rows.ts'

/** The longest import that may have been running when its site was removed. */
const MAX_IMPORT_MS = 2 * DAY_MS

/**
 * Runs once at start, before anything else. Returns the number of deliveries that an earlier process left unfinished;
 * on a node, those of this node only, because others may be writing.
 */
export async function recoverDeliveries(ctx: CrawlerContext): Promise<number> {
  const { node_id } = ctx.intake
  // Another node may be importing now; `clearAfterImports` drops staged rows when none is.
  if (node_id === null) await dropAllStaged(ctx)
  return ctx.control.transaction((tx) => markBrokenDeliveries(tx, node_id, ctx.clock.now()))
}

/**
 * Marks the running deliveries of a process that has ended; `node_id` null: the only process. Returns their number.
 * Deliveries without a node are of a service that has moved to servers since, and accepts nothing any more
 * (decisions 8.2).
 */
export async function markBrokenDeliveries(
  tx: ControlTransaction,
  node_id: string | null,
  now: number,
): Promise<number> {
  const writing = tx.selectFrom('deliveries').selectAll().where('state', '=', 'writing')
  const ofNode = writing.where((is) => is.or([is('node_id', '=', node_id), is('node_id', 'is', null)]))
  const broken = await (node_id === null ? writing : ofNode).execute()
  for (const delivery of broken) await markDeliveryBroken(tx, delivery)
  await releaseGroups(tx, node_id)
  await eraseAgainSince(tx, now - MAX_IMPORT_MS)
  return broken.length
}

/** Drops all staged rows, or drops them later if the disk is full, which must not prevent the start of the service. */
async function dropAllStaged({ evidence, intake }: CrawlerContext): Promise<void> {
  try {
    await evidence.run(sql`TRUNCATE TABLE spoor.import_rows`)
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.kind !== 'disk_full') throw error
    const staged = await evidence.all(stagedDeliveries)
    for (const { id } of staged) intake.undropped_stages.add(id)
  }
}

const stagedDeliveries = rows(Type.Object({ id: Type.String() }))`
  SELECT DISTINCT toString(delivery_id) AS id FROM spoor.import_rows`

/**
 * Marks an interrupted delivery as broken: now or, if the store refuses, in a later round or at the next start. Returns
 * true if its site was removed, whose evidence is then erased again.
 */
export async function abandonDelivery(ctx: CrawlerContext, delivery: BrokenDelivery): Promise<boolean> {
  try {
    return await markAndErase(ctx.control, delivery)
  } catch {
    ctx.intake.unmarked_deliveries.set(delivery.id, delivery)
    return false
  }
}

function markAndErase(control: ControlStore, delivery: BrokenDelivery): Promise<boolean> {
  return control.transaction(async (tx) => {
    await markDeliveryBroken(tx, delivery)
    return eraseAgain(tx, delivery.site_id)
  })
}

/** Repeats what failed after interrupted imports: marks deliveries as broken and drops staged rows. */
export async function clearAfterImports(ctx: CrawlerContext): Promise<void> {
  const { unmarked_deliveries, undropped_stages } = ctx.intake
  for (const delivery of unmarked_deliveries.values()) {
    await markAndErase(ctx.control, delivery)
    unmarked_deliveries.delete(delivery.id)
  }
  await dropUndroppedStages(ctx.evidence, undropped_stages)
  if (ctx.intake.node_id !== null && (await ctx.evidence.all(stagedDeliveries)).length > 0) {
    await ctx.intake.duringImport(() => ctx.evidence.run(sql`TRUNCATE TABLE spoor.import_rows`))
  }
}

/** Marks a delivery as broken: its coverage stays unfinished, and its source is in error until an import succeeds. */
export async function markDeliveryBroken(tx: ControlTransaction, { id, source_id }: BrokenDelivery): Promise<void> {
  await tx.updateTable('deliveries').set({ state: 'broken' }).where('id', '=', id).execute()
  await releaseDays(tx, id)
  // The state of a live source follows from its next delivery; a disconnected source stays disconnected.
  await tx
    .updateTable('sources')
    .set({ connection_status: 'error' })
    .where((is) => is.and({ id: source_id, source_type: 'log_upload' }))
    .where('connection_status', '!=', 'disconnected')
    .execute()
}
