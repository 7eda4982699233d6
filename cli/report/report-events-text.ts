/** What visitors did, as a part of the report: events by name with their properties, links that led away, downloads. */
import type { AnalyticsEvents } from '#contract/site-api/index.ts'
import { countOf, formatCount } from '#quantities.ts'
import {
  andMore,
  type Column,
  columnsText,
  countText,
  cutEnd,
  heading,
  labelled,
  type PageStyle,
  rangeText,
  wrap,
} from '../page-style.ts'

const MAX_ROWS = 15
const MAX_VALUES = 5
const MAX_GAPS = 6

type ListState = Omit<AnalyticsEvents['events'], 'rows'>
type NamedEvent = AnalyticsEvents['events']['rows'][number]
interface Counted {
  events: number
  visitor_days: number | null
}

/** The events of a report, line by line. */
export function eventsText(style: PageStyle, answer: AnalyticsEvents, site: string): string[] {
  const { events, outbound_hosts, downloads } = answer
  return [
    heading(style, 'Events of visitors'),
    ...stateText(style, answer, site),
    ...listText(style, answer, events, { heading: 'Event', cell: ({ name }) => name, fills: cutEnd }),
    ...events.rows.slice(0, MAX_ROWS).flatMap((row) => propertiesText(style, row)),
    ...listText(style, answer, outbound_hosts, { heading: 'Link to', cell: ({ host }) => host, fills: cutEnd }),
    ...listText(style, answer, downloads, { heading: 'Download', cell: (row) => row.file_name, fills: cutEnd }),
  ]
}

const STATES: Readonly<Record<AnalyticsEvents['meta']['measurement_state'], (site: string) => string>> = {
  uninstalled: (site) => `unknown: the tracker is not installed. To begin: spoor tracker enable ${site}`,
  awaiting_first_evidence: () => 'unknown: the tracker has not sent an event yet',
  unavailable: () => 'unknown: the evidence store does not answer',
  measured: () => '',
}

function stateText(style: PageStyle, { meta, event_count, quality }: AnalyticsEvents, site: string): string[] {
  const state = STATES[meta.measurement_state](site)
  if (state !== '') return labelled(style, 'Events', state)
  const least = quality === 'observed_lower_bound' ? ' at least' : ''
  const { gaps } = meta.completeness
  const more = gaps.length > MAX_GAPS ? ` and ${countText(gaps.length - MAX_GAPS)} more` : ''
  return [
    ...labelled(style, 'Events', `${countText(event_count)}${event_count === null ? '' : least}`),
    ...(gaps.length === 0
      ? []
      : labelled(style, '', `Unknown, not zero: ${gaps.slice(0, MAX_GAPS).map(rangeText).join(', ')}${more}`)),
  ]
}

/** A list and a note about what is left out of it; empty if there is neither. */
function listText<Row extends Counted>(
  style: PageStyle,
  { privacy_floor }: AnalyticsEvents,
  list: ListState & { rows: readonly Row[] },
  name: Column<Row>,
): string[] {
  const { rows, total_count, withheld_count } = list
  const shown = rows.slice(0, MAX_ROWS)
  const left_out =
    withheld_count === null || withheld_count === 0
      ? []
      : wrap(
          `${countOf(withheld_count, 'row')} left out: fewer than ${formatCount(privacy_floor)} visitors sent them`,
          style.width,
        )
  if (shown.length === 0) return left_out
  return [
    ...columnsText(style, shown, [
      name,
      { heading: 'Events', cell: ({ events }) => countText(events), is_number: true },
      { heading: 'Visitor days', cell: ({ visitor_days }) => countText(visitor_days), is_number: true },
    ]),
    ...andMore(style, (total_count ?? shown.length) - shown.length, '--json lists the first 200'),
    ...left_out,
  ]
}

function propertiesText(style: PageStyle, { name, properties }: NamedEvent): string[] {
  return properties.flatMap(({ key, values, sum, withheld }) => {
    const counts = sum === null ? valuesText(values ?? []) : `sum ${countText(sum)}`
    const text = withheld ? 'withheld: too few visitors' : counts
    return text === '' ? [] : wrap(`  ${name}.${key}: ${text}`, style.width)
  })
}

function valuesText(values: readonly { value: string; events: number }[]): string {
  const shown = values.slice(0, MAX_VALUES).map(({ value, events }) => `${value} ${countText(events)}`)
  const more = values.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`
}
