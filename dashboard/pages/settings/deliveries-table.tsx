import { Badge } from '../../controls/badge.tsx'
import { Value } from '../../evidence/value.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { alertWords, DELIVERY_WORDS } from '../../words/alerts.ts'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'

type Delivery = ReadOutput<'alert.delivery_list'>['deliveries'][number]

const TONES: Record<Delivery['state'], 'ok' | 'warn' | 'bad' | 'plain'> = {
  waiting: 'warn',
  delivered: 'ok',
  failed: 'bad',
  in_digest: 'plain',
  dropped: 'bad',
}

const COLUMNS: Column<Delivery>[] = [
  { key: 'occurred', head: 'Occurred, UTC', cell: ({ occurred_at }) => instantText(occurred_at), phone: 'bar' },
  { key: 'type', head: 'Alert', cell: ({ type }) => alertWords(type), phone: 'name' },
  { key: 'target', head: 'Receiver', cell: ({ target }) => visibleText(target), phone: 'tag' },
  {
    key: 'state',
    head: 'Result',
    cell: ({ state, next_attempt_at }) => (
      <>
        <Badge tone={TONES[state]}>{DELIVERY_WORDS[state] ?? state}</Badge>
        {next_attempt_at !== null && (
          <span className="ml-3 text-small text-ink3">again {instantText(next_attempt_at)} UTC</span>
        )}
      </>
    ),
    phone: 'value',
  },
  { key: 'attempts', head: 'Attempts', is_number: true, cell: ({ attempts }) => <Value value={attempts} /> },
  {
    key: 'answer',
    head: 'Answer',
    cell: ({ status, error_code }) => error_code ?? (status === null ? '' : String(status)),
  },
]

/** Sorted by the time of the event that an alert is about, not by the time of its delivery. */
const newestFirst = (deliveries: readonly Delivery[]) =>
  deliveries.toSorted((a, b) => Date.parse(b.occurred_at) - Date.parse(a.occurred_at))

export const DeliveriesTable = ({ deliveries, is_cut }: { deliveries: readonly Delivery[]; is_cut: boolean }) => (
  <DataTable
    caption="Alerts and their deliveries"
    columns={COLUMNS}
    rows={newestFirst(deliveries)}
    rowKey={({ id }) => id}
    total={is_cut ? null : deliveries.length}
    truncated={is_cut}
    empty="No alert was sent in the last 30 days."
  />
)
