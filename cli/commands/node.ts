import { group, operation } from '../command.ts'
import { argument } from '../input/parameters.ts'
import { tableOr } from '../output.ts'

export const nodeCommands = group('node', 'service nodes on the same stores: list, lost', [
  operation('node.list', 'list the nodes, and how far the events of each can be read', {
    text: ({ nodes }) =>
      tableOr('No nodes: this installation runs as a single service. Several nodes need SPOOR_CLICKHOUSE_URL.', nodes, {
        NAME: 'name',
        STATE: 'state',
        COLLECTS: 'collect_mode',
        SEEN: 'seen_at',
        'READABLE THROUGH': 'readable_through',
        'WAITING BYTES': (row) => String(row.waiting_bytes),
        'CLOCK AHEAD MS': (row) => String(row.clock_ahead_ms),
        VERSION: 'version',
        ID: 'id',
      }),
  }),
  operation('node.lost', 'give up a node that will not come back; the days of its waiting events become partial', {
    parameters: { node: argument('<node>', 'its id or name') },
    text: ({ name, partial_days }) =>
      partial_days.length === 0
        ? `Gave up ${name}. None of its events were waiting.`
        : `Gave up ${name}. These days are partial (collection_interrupted): ${partial_days.join(', ')}.`,
  }),
])
