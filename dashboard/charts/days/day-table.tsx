import { type DayEvidence, evidenceWords } from '../../evidence/day.ts'
import { DayValue } from '../../evidence/day-value.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { weekdayText } from '../../words/days.ts'
import { type Series, type Slot, slotsOf } from '../series.ts'

/** The columns of a day chart's table and CSV: the day, each series, their sum, and the evidence of the day. */
export function dayColumns(series: readonly Series[], total_label: string | null = 'Observed'): Column<Slot>[] {
  return [
    {
      key: 'date',
      head: 'Day, UTC',
      cell: ({ from }) => weekdayText(from),
      csv: { name: 'date', value: ({ from }) => from },
    },
    ...series.map(
      ({ key, label }, index): Column<Slot> => ({
        key,
        head: label,
        is_number: true,
        ...(total_label === null && series.length === 1 ? { phone: 'value' } : {}),
        cell: ({ day, counts }) => <DayValue day={day} value={counts[index] ?? null} />,
        csv: { name: key, value: ({ counts }) => counts[index] ?? null },
      }),
    ),
    ...(total_label === null
      ? []
      : [
          {
            key: 'total',
            head: total_label,
            is_number: true,
            phone: 'value' as const,
            cell: ({ day, total }: Slot) => <DayValue day={day} value={total} />,
            csv: { name: 'observed_request_count', value: ({ total }: Slot) => total },
          },
        ]),
    {
      key: 'evidence',
      head: 'Evidence',
      phone: 'tag',
      cell: ({ day }) => <span className="text-ink2">{evidenceWords(day)}</span>,
      csv: { name: 'evidence', value: ({ day }) => evidenceWords(day) },
    },
  ]
}

/** Every day of the chart as a row, newest first. */
export function DayTable({
  caption,
  days,
  series,
  total_label = 'Observed',
}: {
  caption: string
  days: readonly DayEvidence[]
  series: readonly Series[]
  /** null: there is no sum column. */
  total_label?: string | null
}) {
  const rows = slotsOf(days, series).toReversed()
  return (
    <DataTable
      caption={caption}
      columns={dayColumns(series, total_label)}
      rows={rows}
      rowKey={({ from }) => from}
      total={rows.length}
    />
  )
}
