/** Operations that list nodes and give one up (decisions 8.2). */
import { instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { NodeRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import { eachDay } from '#days/windows.ts'
import { quoted } from '#foreign-text.ts'
import type { Implementations } from '#implementation.ts'
import { markBrokenDeliveries } from '#intake/import/recover-broken-deliveries.ts'
import { Refusal } from '#refusal.ts'
import { countLost } from '#tracker/collection/lost-events.ts'
import { SPOOL_STATES } from './delete-nodes.ts'
import { isNodeSilent, MAX_NODE_SILENCE_MS } from './silent-nodes.ts'

export const manageNodes: Implementations<ManagementOperationOf<`node.${string}`>, ControlContext> = {
  async 'node.list'({ control, clock }) {
    const nodes = await control.db.selectFrom('nodes').selectAll().orderBy('number').execute()
    return { nodes: nodes.map((node) => describeNode(node, clock.shared())) }
  },

  async 'node.lost'({ control, clock }, { node: named }) {
    return control.transaction(async (tx) => {
      // By the shared clock: a clock of this machine that is ahead must not make a node look silent.
      const now = clock.shared()
      const node = await findNode(tx, named)
      if (node.state === 'up' && !isNodeSilent(node, now)) throw stillUp(node)
      const partial_days = SPOOL_STATES.has(node.state) ? await giveUp(tx, node, now) : []
      const lost = { ...node, epoch: node.epoch + 1, state: 'lost' as const, waiting_bytes: 0 }
      const { epoch, state, waiting_bytes } = lost
      await tx.updateTable('nodes').set({ epoch, state, waiting_bytes }).where('id', '=', node.id).execute()
      return { ...describeNode(lost, now), partial_days }
    })
  },
}

/** @throws Refusal not_found; invalid_input: several have the name. */
async function findNode(tx: ControlTransaction, named: string): Promise<NodeRow> {
  const found = await tx
    .selectFrom('nodes')
    .selectAll()
    .where((is) => is.or([is('id', '=', named), is('name', '=', named)]))
    .execute()
  const [node] = found
  const next = { step: 'node.list' } as const
  if (node === undefined)
    throw new Refusal('not_found', `there is no node ${quoted(named)}: {next} lists them`, { next })
  if (found.length === 1) return node
  throw new Refusal(
    'invalid_input',
    `${found.length} nodes have the name ${quoted(named)}: give the id of one ({next})`,
    {
      next,
    },
  )
}

const stillUp = ({ name, seen_at }: NodeRow) =>
  new Refusal(
    'conflict',
    `the node ${name} gave a sign of life at ${instantText(seen_at)}: stop it first. It is silent after ${MAX_NODE_SILENCE_MS / 1_000} s without one.`,
  )

/** Counts lost events for the days on which the node may have acknowledged events that still wait in its spool. */
async function giveUp(tx: ControlTransaction, node: NodeRow, now: number): Promise<string[]> {
  await markBrokenDeliveries(tx, node.id, now)
  const to = Math.min(node.seen_at + MAX_NODE_SILENCE_MS, now)
  const days = eachDay({ from: utcDay(Math.min(node.readable_through, to)), to: utcDay(to) })
  for (const day of days) await countLost(tx, { day, reason: 'node_lost', events: 1, last_at: to }, now)
  return days
}

function describeNode({ registered_at, seen_at, readable_through, ...node }: NodeRow, now: number) {
  return {
    ...node,
    state: isNodeSilent({ ...node, registered_at, seen_at, readable_through }, now) ? ('silent' as const) : node.state,
    registered_at: instantText(registered_at),
    seen_at: instantText(seen_at),
    readable_through: instantText(readable_through),
  }
}
