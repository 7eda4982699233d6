/** Service nodes that share the stores (decisions 8.2). */
import Type from 'typebox'
import { Count, Day, Instant, oneOf, Uuid } from '../fields.ts'
import { onInstallation } from './define.ts'

const nodeFields = {
  id: Uuid,
  name: Type.String(),
  /** Part of the order numbers of its events. */
  number: Count,
  epoch: Count,
  state: oneOf(['up', 'silent', 'stopped', 'away', 'draining', 'gone', 'lost']),
  collect_mode: oneOf(['direct', 'local', 'shared']),
  version: Type.String(),
  registered_at: Instant,
  seen_at: Instant,
  /** Every event that it accepted up to here can be read. */
  readable_through: Instant,
  waiting_bytes: Count,
  /** How far its clock is ahead of the database's; negative: behind. */
  clock_ahead_ms: Type.Integer(),
}

export const nodeOperations = [
  onInstallation('node.list', 'The service nodes on these stores; none where one service has the evidence to itself', {
    output: Type.Object({ nodes: Type.Array(Type.Object(nodeFields)) }),
  }),
  onInstallation('node.lost', 'Give up a node that will not come back: the days of its waiting events become partial', {
    effect: 'write',
    input: { node: Type.String({ description: 'id or name' }) },
    output: Type.Object({ ...nodeFields, partial_days: Type.Array(Day) }),
  }),
] as const
