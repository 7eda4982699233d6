/** Registers a node under a new epoch (decisions 8.2). */
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { NodeRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { version } from '#version.ts'
import { deleteNode, SPOOL_STATES } from './delete-nodes.ts'

const MAX_NUMBER = 1_023

export interface Registering {
  id: string
  name: string
  collect_mode: NodeRow['collect_mode']
  clock_ahead_ms: number
}

/**
 * Registers the node and returns its row.
 * @throws Refusal conflict: all numbers are in use, or accepted events wait in the folder of another mode.
 */
export async function registerNode({ control, clock }: ControlContext, node: Registering): Promise<NodeRow> {
  return control.transaction(async (tx) => {
    const now = clock.now()
    const known = await tx.selectFrom('nodes').selectAll().where('id', '=', node.id).executeTakeFirst()
    // Until its first report, events of an earlier process of the node may still wait.
    const mayHaveEvents = known !== undefined && SPOOL_STATES.has(known.state)
    if (mayHaveEvents && known.collect_mode === 'shared' && node.collect_mode !== 'shared')
      throw eventsLeftInShared(node)
    const row: NodeRow = {
      ...node,
      number: known?.number ?? (await freeNumber(tx)),
      epoch: known === undefined ? 1 : known.epoch + 1,
      state: 'up',
      version,
      registered_at: now,
      seen_at: clock.shared(),
      readable_through: mayHaveEvents ? Math.min(known.readable_through, now) : now,
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

/** Only nodes of the mode `shared` read the shared folder, and store the events of nodes that ended there. */
const eventsLeftInShared = ({ name }: Registering) =>
  new Refusal(
    'conflict',
    `The node ${name} ended without storing what it had accepted with SPOOR_COLLECT_MODE=shared. Start it with that mode once more and stop ` +
      'it, or wait until another such node has stored these events: {next} then shows it as gone.',
    { next: { step: 'node.list' } },
  )

/** The lowest free number. If there is none, the ended node that was seen longest ago is deleted. */
async function freeNumber(tx: ControlTransaction): Promise<number> {
  const nodes = await tx.selectFrom('nodes').selectAll().orderBy('seen_at').execute()
  const taken = new Set(nodes.map(({ number }) => number))
  for (let number = 1; number <= MAX_NUMBER; number++) if (!taken.has(number)) return number
  const ended = nodes.find(({ state }) => !SPOOL_STATES.has(state))
  if (ended === undefined) {
    const why = `${MAX_NUMBER} nodes are registered, which is as many as can be. Give up those that are gone for good: {next}.`
    throw new Refusal('conflict', why, { next: { step: 'node.lost' } })
  }
  await deleteNode(tx, ended)
  return ended.number
}
