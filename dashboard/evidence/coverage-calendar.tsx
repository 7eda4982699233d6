import type { Coverage } from '../../src/contract/dashboard-api/index.ts'
import { dayText, isMonday, weekdayText } from '../words/days.ts'
import { counted, fullCount } from '../words/numbers.ts'
import { DAY_FORMS, type DayEvidence, dayFormWords, dayOf, daysOfCoverage, evidenceWords, formOf } from './day.ts'
import { DayFormMark, EvidenceCell } from './day-cell.tsx'
import { trackSummary } from './day-track.tsx'
import { hostsApart, hostWords } from './hosts.ts'

const WIDTH = 900
const HEIGHT = 14

/** Hosts by days: which was covered when, in the forms of every chart. */
export function CoverageCalendar({ coverage }: { coverage: Coverage }) {
  const all = daysOfCoverage(coverage)
  const rows = hostsApart(coverage).map(({ host, days }) => ({
    host: hostWords(host),
    days: days.map((day) => dayOf(day, coverage.meta.as_of)),
  }))
  const forms = DAY_FORMS.filter((form) =>
    [all, ...rows.map(({ days }) => days)].flat().some((day) => formOf(day) === form),
  )
  return (
    <div>
      <div className="overflow-x-auto">
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
            <HostRow name="All hosts" days={all} is_strong />
            {rows.map(({ host, days }) => (
              <HostRow key={host} name={host} days={days} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-t border-line px-8 py-6 text-small text-ink2 max-tablet:px-6">
        <ul className="flex flex-wrap gap-x-8 gap-y-2">
          {forms.map((form) => (
            <li key={form} className="flex items-center gap-3">
              <DayFormMark form={form} />
              {dayFormWords(form)}
            </li>
          ))}
        </ul>
        {coverage.truncated && (
          <span>
            Showing {fullCount(coverage.returned_count)} of {counted(coverage.total_count, 'host')}
          </span>
        )}
      </div>
    </div>
  )
}

interface HostRowProps {
  name: string
  days: readonly DayEvidence[]
  is_strong?: boolean
}

function HostRow({ name, days, is_strong = false }: HostRowProps) {
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
      <td className="w-full px-3 py-4 max-tablet:order-3 max-tablet:col-span-2 max-tablet:px-0">
        <CalendarTrack days={days} />
      </td>
      <td className="px-8 text-right text-dense whitespace-nowrap text-ink2 max-tablet:order-2 max-tablet:p-0">
        {fullCount(full)} of {fullCount(days.length)}
      </td>
    </tr>
  )
}

/** Like a DayTrack, but higher, and each cell has a tooltip with its day. */
function CalendarTrack({ days }: { days: readonly DayEvidence[] }) {
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
      {days.map((day, index) => (
        <g key={day.date}>
          <title>{`${weekdayText(day.date)}: ${evidenceWords(day)}`}</title>
          <EvidenceCell day={day} x={index * slot + (slot - cell) / 2} y={0} width={cell} height={HEIGHT} />
        </g>
      ))}
    </svg>
  )
}

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
