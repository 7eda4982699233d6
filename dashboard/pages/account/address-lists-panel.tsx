import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { Unknown, Value } from '../../evidence/value.tsx'
import { FormError } from '../../forms/form-error.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { instantText } from '../../words/days.ts'
import { counted } from '../../words/numbers.ts'

type List = ReadOutput<'registry.lists.list'>['lists'][number]

const STATES: Record<List['state'], { label: string; tone: 'ok' | 'warn' | 'bad' | 'plain' }> = {
  in_force: { label: 'In force', tone: 'ok' },
  stale: { label: 'Not confirmed for 7 days', tone: 'warn' },
  never: { label: 'Never loaded', tone: 'bad' },
  whole_as: { label: 'Whole network: proves nothing', tone: 'plain' },
}

const COLUMNS: Column<List>[] = [
  {
    key: 'list',
    head: 'List',
    cell: ({ id, crawlers }) => (
      <>
        <span className="font-mono text-code">{id}</span>
        <span className="block text-small text-ink3">{crawlers.join(', ')}</span>
      </>
    ),
    phone: 'name',
  },
  {
    key: 'state',
    head: 'State',
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
    phone: 'tag',
  },
  {
    key: 'prefixes',
    head: 'Networks',
    is_number: true,
    cell: ({ prefixes }) => <Value value={prefixes} />,
    phone: 'value',
  },
  { key: 'versions', head: 'Versions', is_number: true, cell: ({ versions }) => <Value value={versions} /> },
  {
    key: 'confirmed',
    head: 'Confirmed, UTC',
    cell: ({ confirmed_at }) => (confirmed_at === null ? <Unknown /> : instantText(confirmed_at)),
  },
  {
    key: 'failure',
    head: 'Last failure',
    cell: ({ failure }) => <span className="text-small text-ink2">{failure}</span>,
  },
]

/** The vendors' published addresses, by which claims are proved or refuted. */
export function AddressListsPanel() {
  const lists = useQuery(readQuery('registry.lists.list', {}))
  const load = useChange('registry.lists.update', {
    changes: ['registry.lists.list'],
    onDone: ({ lists: loaded }) => {
      const failed = loaded.filter((list) => 'failure' in list).length
      announce(
        `${counted(loaded.length - failed, 'list')} loaded${failed === 0 ? '' : `, ${failed} failed`}. The table says which.`,
      )
    },
  })
  return (
    <Panel
      title="Published addresses"
      note="They prove or refute that a request comes from a crawler"
      actions={
        <Button aria-busy={load.isPending} onClick={() => load.mutate({})}>
          {load.isPending ? 'Loading from the vendors' : 'Load all now'}
        </Button>
      }
    >
      {load.error !== null && (
        <div className="px-8 pb-4">
          <FormError error={load.error} />
        </div>
      )}
      <Async query={lists} skeleton={<SkeletonRows rows={6} />}>
        {(answer) => (
          <DataTable
            caption="Lists of addresses that vendors publish"
            columns={COLUMNS}
            rows={answer.lists}
            rowKey={({ id }) => id}
            total={answer.lists.length}
            empty="The registry names no list."
          />
        )}
      </Async>
    </Panel>
  )
}
