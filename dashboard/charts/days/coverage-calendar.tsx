import { memo, type ReactNode, useMemo, useRef } from 'react'
import type { Coverage } from '../../../src/contract/dashboard-api/index.ts'
import { type DayEvidence, dayOf, daysOfCoverage, evidenceWords, formOf } from '../../evidence/day.ts'
import { DayFormMark, EvidenceCells } from '../../evidence/day-cell.tsx'
import { DayFormLegend } from '../../evidence/day-form-legend.tsx'
import { trackSummary } from '../../evidence/day-track.tsx'
import { hostsApart, hostWords } from '../../evidence/hosts.ts'
import { dayText, isMonday, longDayText, weekdayText } from '../../words/days.ts'
import { counted, fullCount } from '../../words/numbers.ts'
import { ChartGroup } from '../chart-group.tsx'
import { ChartTooltip, TooltipTitle } from '../chart-tooltip.tsx'
import { columnAt } from '../marks.ts'
import { useWidth } from '../use-width.ts'

const WIDTH = 900
const HEIGHT = 14
/** Width of the frame around the active day, in pixels: days of a year are narrower. */
const MIN_FRAME = 4

interface HostDays {
  key: string
  name: string
  days: readonly DayEvidence[]
}

/** Hosts by days: how each was covered on each day, in the forms of every chart. Arrow keys read the days. */
export function CoverageCalendar({ coverage }: { coverage: Coverage }) {
  const first = useRef<HTMLDivElement>(null)
  const width = useWidth(first, WIDTH)
  const rows = useMemo(() => hostRows(coverage), [coverage])
  const all = rows[0]?.days ?? []
  const slot_width = width / Math.max(1, all.length)
  return (
    <div>
      <ChartGroup
        name={`Coverage of hosts by day. All hosts: ${trackSummary(all)}.`}
        hint="Left and right read the days, up and down the hosts."
        shape={{ columns: all.length, rows: () => rows.length, up: -1 }}
        reading={({ column, row }) => {
          const { name = '', days } = rows[row ?? 0] ?? {}
          return hostDaySentence(name, days?.[column])
        }}
        markAt={({ target, clientX }) => {
          const track = target.closest<HTMLElement>('[data-chart]')
          const column = columnAt(clientX, track, { left: 0, slot_width, count: all.length })
          return track === null || column === null ? null : { column, row: Number(track.dataset.chart) }
        }}
      >
        {(active) => (
          <table className="w-full border-collapse">
            <caption className="sr-only">Hosts and how each of their days was covered</caption>
            <thead className="max-tablet:sr-only">
              <tr>
                <th scope="col" className="px-8 text-left text-small font-normal text-ink3">
                  Host
                </th>
                <th scope="col" className="px-3">
                  <DayAxis days={all} />
                  <span className="sr-only">Days</span>
                </th>
                <th scope="col" className="px-8 text-right text-small font-normal whitespace-nowrap text-ink3">
                  In full
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, name, days }, index) => {
                const column = active?.row === index ? active.column : null
                const day = column === null ? undefined : days[column]
                return (
                  <HostRow key={key} name={name} days={days} is_strong={index === 0}>
                    <div ref={index === 0 ? first : undefined} data-chart={index} className="relative">
                      <CalendarTrack days={days} />
                      {column !== null && day !== undefined && (
                        <>
                          <span
                            aria-hidden="true"
                            className="absolute -inset-y-1 rounded-tag border border-ink"
                            style={{ left: column * slot_width, width: Math.max(MIN_FRAME, slot_width) }}
                          />
                          <ChartTooltip middle={(column + 0.5) * slot_width} width={width}>
                            <TooltipTitle note="UTC">{weekdayText(day.date)}</TooltipTitle>
                            <p className="truncate">{name}</p>
                            <p className="mt-2 flex items-center gap-4 text-ink2">
                              <DayFormMark form={formOf(day)} />
                              {evidenceWords(day)}
                            </p>
                          </ChartTooltip>
                        </>
                      )}
                    </div>
                  </HostRow>
                )
              })}
            </tbody>
          </table>
        )}
      </ChartGroup>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-t border-line px-8 py-6 text-small text-ink2 max-tablet:px-6">
        <DayFormLegend days={rows.flatMap(({ days }) => days)} />
        {coverage.truncated && (
          <span>
            Showing {fullCount(coverage.returned_count)} of {counted(coverage.total_count, 'host')}
          </span>
        )}
      </div>
    </div>
  )
}

/** "www.example.com, 8 November, watched 11 h 20 min of 24 h" */
export const hostDaySentence = (name: string, day: DayEvidence | undefined): string =>
  day === undefined ? `${name} unknown` : `${name}, ${longDayText(day.date)}, ${evidenceWords(day)}`

/** All hosts together, then each host. */
function hostRows(coverage: Coverage): HostDays[] {
  const { as_of } = coverage.meta
  const hosts = hostsApart(coverage).map(({ host, days }) => ({
    key: host,
    name: hostWords(host),
    days: days.map((day) => dayOf(day, as_of)),
  }))
  return [{ key: '', name: 'All hosts', days: daysOfCoverage(coverage) }, ...hosts]
}

interface HostRowProps extends Pick<HostDays, 'name' | 'days'> {
  is_strong: boolean
  children: ReactNode
}

function HostRow({ name, days, is_strong, children }: HostRowProps) {
  const full = days.filter(({ state }) => state === 'complete').length
  return (
    <tr className="border-t border-line max-tablet:grid max-tablet:grid-cols-[1fr_auto] max-tablet:px-6 max-tablet:py-4">
      <th
        scope="row"
        title={name}
        className={`max-w-120 truncate px-8 py-4 text-left max-tablet:order-1 max-tablet:p-0 ${is_strong ? 'font-strong' : 'font-mono text-code font-normal'}`}
      >
        {name}
      </th>
      <td className="w-full px-3 py-4 max-tablet:order-3 max-tablet:col-span-2 max-tablet:px-0">{children}</td>
      <td className="px-8 text-right text-dense whitespace-nowrap text-ink2 max-tablet:order-2 max-tablet:p-0">
        {fullCount(full)} of {fullCount(days.length)}
      </td>
    </tr>
  )
}

/** Like a DayTrack, but higher. Pointer and keys are handled by the `ChartGroup`. */
const CalendarTrack = memo(function CalendarTrack({ days }: { days: readonly DayEvidence[] }) {
  const slot = WIDTH / Math.max(1, days.length)
  const cell = Math.max(1, slot * 0.82)
  return (
    <svg
      role="img"
      aria-label={trackSummary(days)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block w-full"
      height={HEIGHT}
    >
      <EvidenceCells
        days={days}
        place={(index) => ({ x: index * slot + (slot - cell) / 2, width: cell })}
        y={0}
        height={HEIGHT}
      />
    </svg>
  )
})

/** Labels of as many Mondays as there is room for, and of today. */
function DayAxis({ days }: { days: readonly DayEvidence[] }) {
  const mondays = days.filter(({ date }) => isMonday(date))
  const step = Math.ceil(mondays.length / MAX_LABELS)
  const labelled = new Set(mondays.filter((_, index) => index % step === 0).map(({ date }) => date))
  return (
    <span aria-hidden="true" className="relative block h-8 text-axis font-normal text-ink3">
      {days.map(
        ({ date }, index) =>
          labelled.has(date) && (
            <span
              key={date}
              className="absolute whitespace-nowrap"
              style={{ left: `${((index / days.length) * 100).toFixed(2)}%` }}
            >
              {dayText(date)}
            </span>
          ),
      )}
    </span>
  )
}
const MAX_LABELS = 6
