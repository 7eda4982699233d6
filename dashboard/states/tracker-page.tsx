import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import type { TrackerCoverage } from '../../src/contract/dashboard-api/index.ts'
import { daysOfTracker } from '../evidence/tracker-days.ts'
import { TrackerLine } from '../evidence/tracker-line.tsx'
import type { TrackerEnvelope } from '../evidence/tracker-sentences.ts'
import { readQuery } from '../read/queries.ts'
import { filterOf } from '../read/search.ts'
import { useReportSearch, useSiteId } from '../read/use-report.ts'
import { PageTitle } from '../shell/title.tsx'
import { useSite } from '../shell/use-site.ts'
import { runsOf } from '../words/days.ts'
import { hasFailed } from './async.tsx'
import { NotInstalled } from './not-installed.tsx'
import { useCoverageDrawer } from './use-coverage-drawer.ts'

const TrackerDrawer = lazy(() => import('../evidence/tracker-drawer.tsx'))

/** The tracker's days in the window that the address names, for evidence line and charts alike. */
export function useTrackerCoverage() {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const query = useQuery(readQuery('getTrackerCoverage', { site, window }))
  const days = useMemo(() => (query.data === undefined ? null : daysOfTracker(query.data)), [query.data])
  return { query, days }
}

interface TrackerPageProps {
  title: string
  heading?: ReactNode
  above?: ReactNode
  controls?: ReactNode
  /** Below the title: what the page is about, in one line. */
  note?: ReactNode
  /** Of the answer that the evidence line words; undefined while it is read. */
  meta: TrackerEnvelope | undefined
  /** In place of "Tracker evidence", such as "Lower bound". */
  evidence_name?: string | undefined
  /** False on a page that explains how to install the tracker. */
  has_hint?: boolean
  children: ReactNode
}

/** The skeleton of every report about visitors: title and controls, evidence, and then the numbers. */
export function TrackerPage({ title, heading, above, controls, note, meta, ...props }: TrackerPageProps) {
  const { query } = useTrackerCoverage()
  const { is_open, onOpen, onClose } = useCoverageDrawer()
  const site = useSite()
  const days = query.data?.days ?? null
  const is_missing = meta !== undefined && ['uninstalled', 'awaiting_first_evidence'].includes(meta.measurement_state)
  return (
    <div className="space-y-8">
      <PageTitle title={title} site={site?.root_domain} above={above} controls={controls}>
        {heading ?? title}
      </PageTitle>
      {note !== undefined && <p className="-mt-4 text-dense text-ink2">{note}</p>}
      <TrackerLine
        meta={meta ?? metaOf(query.data)}
        days={days}
        name={meta?.measurement_state === 'measured' ? props.evidence_name : undefined}
        has_failed={hasFailed(query)}
        onOpenDays={meta === undefined ? undefined : onOpen}
      />
      {is_missing && props.has_hint !== false && <NotInstalled meta={meta} />}
      {props.children}
      {is_open && meta !== undefined && (
        <Suspense>
          <TrackerDrawer meta={meta} days={days} onClose={onClose} />
        </Suspense>
      )}
    </div>
  )
}

/** The coverage of the tracker's days, while the report is read or after it failed. */
function metaOf(coverage: TrackerCoverage | undefined): TrackerEnvelope | null {
  if (coverage === undefined) return null
  const gaps = runsOf(coverage.days.filter(({ state }) => state === 'gap').map(({ date }) => date))
  const limitations = new Set(coverage.days.flatMap(({ limitation }) => (limitation === null ? [] : [limitation])))
  const is_measured = coverage.measurement_state === 'measured'
  return {
    ...coverage,
    available_from: null,
    completeness: { state: is_measured ? 'partial' : 'unknown', gaps, limitations: [...limitations] },
  }
}
