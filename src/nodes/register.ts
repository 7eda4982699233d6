/** A node says that it is there, under a new epoch (decisions 8.2). */
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { NodeRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { version } from '#version.ts'
import { forgetNode, SPOOL_STATES } from './forget-nodes.ts'

const MAX_NUMBER = 1_023

export interface Registering {
  id: string
  name: string
  collect_mode: NodeRow['collect_mode']
  clock_ahead_ms: number
}

/**
 * The node's row from now on.
 * @throws Refusal conflict: as many nodes as can be are there, or events of this one wait in a folder that it would not
 * read.
 */
export async function registerNode({ control, clock }: ControlContext, node: Registering): Promise<NodeRow> {
  return control.transaction(async (tx) => {
    const now = clock.now()
    const known = await tx.selectFrom('nodes').selectAll().where('id', '=', node.id).executeTakeFirst()
    // What an earlier process of it left may still wait, until its first report.
    const waits = known !== undefined && SPOOL_STATES.has(known.state)
    if (waits && known.collect_mode === 'shared' && node.collect_mode !== 'shared') throw leftInShared(node)
    const row: NodeRow = {
      ...node,
      number: known?.number ?? (await freeNumber(tx)),
      epoch: known === undefined ? 1 : known.epoch + 1,
      state: 'up',
      version,
      registered_at: now,
      seen_at: clock.shared(),
      readable_through: waits ? Math.min(known.readable_through, now) : now,
      waiting_bytes: known === undefined ? 0 : known.waiting_bytes,
    }
    await tx
      .insertInto('nodes')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
    return row
  })
}

/** In the shared folder each spool is found by nodes of that mode, once its own node is silent or has started again. */
const leftInShared = ({ name }: Registering) =>
  new Refusal(
    'conflict',
    `The node ${name} ended without storing what it had accepted with SPOOR_COLLECT_MODE=shared. Start it with that mode once more and stop ` +
      'it, or wait until another such node has stored these events: {next} then shows it as gone.',
    { next: { step: 'node.list' } },
  )

/** The lowest that no node has; of nodes that have ended, the one that was seen longest ago gives up its own. */
async function freeNumber(tx: ControlTransaction): Promise<number> {
  const nodes = await tx.selectFrom('nodes').selectAll().orderBy('seen_at').execute()
  const taken = new Set(nodes.map(({ number }) => number))
  for (let number = 1; number <= MAX_NUMBER; number++) if (!taken.has(number)) return number
  const ended = nodes.find(({ state }) => !SPOOL_STATES.has(state))
  if (ended === undefined) {
    const why = `${MAX_NUMBER} nodes are registered, which is as many as can be. Give up those that are gone for good: {next}.`
    throw new Refusal('conflict', why, { next: { step: 'node.lost' } })
  }
  await forgetNode(tx, ended)
  return ended.number
}
