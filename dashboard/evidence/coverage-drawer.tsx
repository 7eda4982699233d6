import type { Coverage } from '../../src/contract/dashboard-api/index.ts'
import type { Source } from '../../src/contract/site-api/index.ts'
import { Drawer } from '../forms/dialog.tsx'
import { weekdayText } from '../words/days.ts'
import { counted, fullCount } from '../words/numbers.ts'
import { SOURCE_TYPE_WORDS } from '../words/sources.ts'
import { dayOf, daysOfCoverage, evidenceWords } from './day.ts'
import { DayFormLegend } from './day-form-legend.tsx'
import { DayTrack } from './day-track.tsx'
import { hostsApart, hostWords } from './hosts.ts'

interface CoverageDrawerProps {
  /** null while it is being read. */
  coverage: Coverage | null
  has_failed: boolean
  is_open: boolean
  onClose: () => void
}

/** Hosts by days, then every day that was not watched in full with its reasons and the source that counts it. */
export default function CoverageDrawer({ coverage, has_failed, is_open, onClose }: CoverageDrawerProps) {
  return (
    <Drawer title="Coverage" is_open={is_open} onClose={onClose}>
      {coverage !== null ? (
        <CoverageDetail coverage={coverage} />
      ) : (
        <p className="text-ink2">
          {has_failed ? 'How each day was covered could not be read. It is unknown for now.' : 'Loading coverage.'}
        </p>
      )}
    </Drawer>
  )
}

function CoverageDetail({ coverage }: { coverage: Coverage }) {
  const days = daysOfCoverage(coverage)
  const incomplete = days.filter((day) => evidenceWords(day) !== 'watched in full').toReversed()
  const sources = new Map(coverage.meta.sources.map((source) => [source.id, source]))
  const counting = new Map(coverage.days.map((day) => [day.date, day.source_id]))
  return (
    <div className="space-y-12">
      <DayFormLegend days={days} />
      <section className="space-y-5">
        <h3 className="text-small text-ink3">Hosts</h3>
        <HostTrack name="All hosts" days={days} />
        {hostsApart(coverage).map(({ host, days: of_host }) => (
          <HostTrack key={host} name={hostWords(host)} days={of_host.map((day) => dayOf(day, coverage.meta.as_of))} />
        ))}
        {coverage.truncated && (
          <p className="text-small text-ink2">
            Showing {fullCount(coverage.returned_count)} of {counted(coverage.total_count, 'host')}
          </p>
        )}
      </section>
      {incomplete.length > 0 && (
        <section>
          <h3 className="mb-3 text-small text-ink3">Days not watched in full, UTC</h3>
          <ul>
            {incomplete.map((day) => (
              <li key={day.date} className="flex justify-between gap-8 border-t border-line py-4">
                <span className="shrink-0">{weekdayText(day.date)}</span>
                <span className="text-right text-ink2">
                  {evidenceWords(day)}
                  <CountingSource source={sources.get(counting.get(day.date) ?? '')} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const CountingSource = ({ source }: { source: Source | undefined }) =>
  source === undefined ? null : (
    <span className="block text-small text-ink3">
      counted by {SOURCE_TYPE_WORDS[source.source_type] ?? source.source_type}
    </span>
  )

const HostTrack = ({ name, days }: { name: string; days: Parameters<typeof DayTrack>[0]['days'] }) => (
  <div className="grid grid-cols-[minmax(0,9rem)_1fr] items-center gap-6">
    <span className="truncate font-mono text-code" title={name}>
      {name}
    </span>
    <DayTrack days={days} />
  </div>
)
