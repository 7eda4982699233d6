import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import type { Meta } from '../../src/contract/site-api/index.ts'
import { ExportMenu } from '../controls/export-menu.tsx'
import { daysOfCoverage } from '../evidence/day.ts'
import { EvidenceLine } from '../evidence/evidence-line.tsx'
import { readQuery } from '../read/queries.ts'
import { useSameEvidence } from '../read/same-evidence.ts'
import { filterOf } from '../read/search.ts'
import { useReportSearch, useSiteId } from '../read/use-report.ts'
import { PageTitle } from '../shell/title.tsx'
import { useSite } from '../shell/use-site.ts'
import { hasFailed } from './async.tsx'
import { useCoverageDrawer } from './use-coverage-drawer.ts'

const CoverageDrawer = lazy(() => import('../evidence/coverage-drawer.tsx'))

/** Coverage of the window that the address names, for evidence line and charts alike. */
export function useCoverage() {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const query = useQuery(readQuery('getCoverage', { site, window }))
  const days = useMemo(() => (query.data === undefined ? null : daysOfCoverage(query.data)), [query.data])
  return { query, days }
}

interface ReportPageProps {
  title: string
  heading?: ReactNode
  /** The heading is a sentence. */
  is_long?: boolean
  above?: ReactNode
  controls?: ReactNode
  /** Below the title: chips and other filters. */
  filters?: ReactNode
  /** Of every answer on the page, the first being the one that the evidence line words; undefined while it is read. */
  metas: readonly (Meta | undefined)[]
  /** All observed requests as each answer has them. */
  totals?: readonly (number | null | undefined)[]
  /** False on a page without any chart or table to save. */
  can_save?: boolean
  children: ReactNode
}

/** The skeleton of every crawler report: title and controls, filters, evidence, and then the numbers. */
export function ReportPage({
  title,
  heading,
  is_long = false,
  above,
  controls,
  filters,
  metas,
  totals = [],
  can_save = true,
  children,
}: ReportPageProps) {
  const { query, days } = useCoverage()
  const { is_open, onOpen, onClose } = useCoverageDrawer()
  const site = useSite()
  const difference = useSameEvidence(metas, totals)
  const meta = metas.find((one) => one !== undefined) ?? query.data?.meta ?? null
  return (
    <div className="space-y-8">
      <PageTitle
        title={title}
        site={site?.root_domain}
        is_long={is_long}
        above={above}
        controls={
          <>
            {controls}
            {can_save && <ExportMenu />}
          </>
        }
      >
        {heading ?? title}
      </PageTitle>
      {filters}
      <EvidenceLine
        meta={meta}
        days={days}
        difference={difference}
        has_failed={hasFailed(query)}
        {...(query.data === undefined ? {} : { onOpenCoverage: onOpen })}
      />
      {children}
      {is_open && (
        <Suspense>
          <CoverageDrawer coverage={query.data ?? null} has_failed={hasFailed(query)} is_open onClose={onClose} />
        </Suspense>
      )}
    </div>
  )
}

/** A wide column and one of 336 px. */
export const PanelColumns = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 wide:grid-cols-[minmax(0,1fr)_336px]">
    {children}
  </div>
)
export const PanelColumn = ({ children }: { children: ReactNode }) => (
  <div className="min-w-0 space-y-8">{children}</div>
)
