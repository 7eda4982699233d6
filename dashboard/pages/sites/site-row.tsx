import type { SitesOverview } from '../../../src/contract/dashboard-api/index.ts'
import { Spark } from '../../charts/spark.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { type DayEvidence, dayOf } from '../../evidence/day.ts'
import { DayTrack } from '../../evidence/day-track.tsx'
import { EvidenceGlyph } from '../../evidence/glyph.tsx'
import { Value } from '../../evidence/value.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import { datedInstantText, instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'
import { ROLE_WORDS } from '../../words/roles.ts'
import { CONNECTION_WORDS, COVERAGE_STATE_WORDS } from '../../words/sources.ts'

type Site = SitesOverview['sites'][number]

const GRID =
  'grid items-center gap-x-8 max-wide:grid-cols-[minmax(0,1fr)_auto] wide:grid-cols-[minmax(0,1fr)_150px_180px_100px_90px_64px]'

export const SiteHead = () => (
  <div aria-hidden="true" className={`${GRID} px-8 pb-4 text-small text-ink3 max-wide:hidden`}>
    <span>Site</span>
    <span>Evidence and sources</span>
    <span>30 days</span>
    <span className="text-right">Requests</span>
    <span className="text-right">Open issues</span>
    <span className="text-right">Role</span>
  </div>
)

/** One site: the evidence of its days, its observed requests, its open issues and the state of its sources. */
export function SiteRow({ site, as_of }: { site: Site; as_of: string }) {
  const days = daysOf(site, as_of)
  const counts = new Map(
    site.days.flatMap(({ date, observed_request_count: count }) => (count === null ? [] : [[date, count] as const])),
  )
  return (
    <li
      className={`${GRID} relative min-h-28 gap-y-2 border-t border-line px-8 py-5 hover:bg-sunken/50 max-tablet:px-6`}
    >
      <PageLink to="/sites/$site/performance" params={{ site: site.id }} className={`${ROW_LINK} truncate font-medium`}>
        {visibleText(site.root_domain)}
      </PageLink>
      <span className="text-dense text-ink2 max-wide:order-3">
        <span className="flex items-center gap-3">
          <EvidenceGlyph state={site.coverage_state} />
          {COVERAGE_STATE_WORDS[site.coverage_state] ?? site.coverage_state}
        </span>
        <span className="block truncate text-small text-ink3">{sourceWords(site)}</span>
        {site.data_through !== null && (
          <span className="block text-small text-ink3">data through {throughText(site.data_through, as_of)} UTC</span>
        )}
      </span>
      <span className="max-wide:order-5 max-wide:col-span-2">
        <Spark
          days={days}
          counts={counts}
          color="var(--color-series)"
          label={`Requests to ${site.root_domain} by day`}
          width={180}
        />
        <span className="mt-2 block w-90">
          <DayTrack days={days} height={5} width={180} />
        </span>
      </span>
      <span className="text-right max-wide:order-2">
        <Value value={site.observed_request_count} />
      </span>
      <span className="text-right max-wide:order-4">
        {site.open_issue_count === 0 ? (
          <span className="max-wide:hidden">
            <Value value={0} />
          </span>
        ) : (
          <PageLink
            to="/sites/$site/issues"
            params={{ site: site.id }}
            className="link relative z-10 inline-flex min-h-12 items-center"
          >
            {counted(site.open_issue_count, 'issue')}
          </PageLink>
        )}
      </span>
      <span className="text-right text-dense text-ink3 max-wide:order-6 max-wide:col-span-2 max-wide:text-left">
        <span className="wide:hidden">Your role: </span>
        {ROLE_WORDS[site.role]}
      </span>
    </li>
  )
}

const daysOf = (site: Site, as_of: string): DayEvidence[] =>
  site.days.map(({ date, state, observed_request_count }) => ({
    ...dayOf({ date, state, minutes: null, sampling: null, reasons: [], source_id: null }, as_of),
    ...(observed_request_count === null ? { is_zero_unproven: true } : {}),
  }))

/** With its year, where that is not the current one: a log may be old. */
const throughText = (data_through: string, as_of: string): string =>
  data_through.slice(0, 4) === as_of.slice(0, 4) ? instantText(data_through) : datedInstantText(data_through)

/** The worst state of its sources, and how many there are. */
export function sourceWords({ sources }: Pick<Site, 'sources'>): string {
  if (sources.length === 0) return 'No source'
  const failing = sources.filter(({ connection_status: state }) => state === 'error' || state === 'revoked')
  if (failing.length > 0) return `${failing.length} of ${counted(sources.length, 'source')} failing`
  const live = sources.filter(({ connection_status: state }) => state === 'live')
  if (live.length > 0) return `${live.length} of ${counted(sources.length, 'source')} live`
  const state = sources[0]?.connection_status
  return `${counted(sources.length, 'source')}, ${state === undefined ? '' : CONNECTION_WORDS[state].toLowerCase()}`
}
