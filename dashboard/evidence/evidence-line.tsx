import { type ReactNode, useRef } from 'react'
import type { Meta } from '../../src/contract/site-api/index.ts'
import { ClockIcon, WarningIcon } from '../controls/icons.tsx'
import { PageLink } from '../controls/page-link.tsx'
import { STALE_MS } from '../read/queries.ts'
import { useSiteId } from '../read/use-report.ts'
import { clockText } from '../words/days.ts'
import { COVERAGE_STATE_WORDS } from '../words/sources.ts'
import type { DayEvidence } from './day.ts'
import { EvidenceGlyph } from './glyph.tsx'
import { evidenceSentences } from './sentences.ts'

interface EvidenceLineProps {
  /** null while it is being read. */
  meta: Meta | null
  days: readonly DayEvidence[] | null
  onOpenCoverage?: () => void
  /** Nothing about the evidence could be read. */
  has_failed?: boolean
  /** Set if the panels of the page were read at different times: "Panels were read 3 s apart." */
  difference?: string | null
}

/** States how complete the evidence of a page is, above its numbers. */
export function EvidenceLine({ meta, days, onOpenCoverage, has_failed = false, difference = null }: EvidenceLineProps) {
  if (meta === null) return <LineWithoutEvidence has_failed={has_failed} />
  const words = evidenceSentences(meta, days)
  const registry = words.registry === null ? '' : `registry ${words.registry}`
  const through = words.stale === null ? words.through : ''
  const end = [through, words.as_of, registry, difference ?? ''].filter((part) => part !== '').join(' · ')
  return (
    <LineFrame
      as_of={meta.as_of}
      end={
        <>
          {words.stale !== null && (
            <>
              <StaleSource sources={meta.sources}>{`${words.through}, ${words.stale}`}</StaleSource>
              {' · '}
            </>
          )}
          {end}
        </>
      }
    >
      <span className="inline-flex items-center gap-4 font-strong">
        <EvidenceGlyph state={words.state} />
        {COVERAGE_STATE_WORDS[words.state] ?? words.state}
      </span>
      {words.state === 'unknown' && <Part>{unknownWords(meta)}</Part>}
      {[words.watched, words.unwatched].map(
        (part) =>
          part !== null && (
            <Part key={part.linked}>
              <CoverageButton {...(onOpenCoverage === undefined ? {} : { onOpen: onOpenCoverage })}>
                {part.linked}
              </CoverageButton>
              {part.rest}
            </Part>
          ),
      )}
    </LineFrame>
  )
}

/** How old the newest evidence is, with a link to the source that is behind. */
function StaleSource({ sources, children }: { sources: Meta['sources']; children: ReactNode }) {
  const site = useSiteId()
  const [only, ...others] = sources
  const target =
    only === undefined || others.length > 0
      ? { to: '/sites/$site/sources', params: { site } }
      : { to: '/sites/$site/sources/$source', params: { site, source: only.id } }
  return (
    <PageLink {...target}>
      <ClockIcon className="mr-2 inline h-6 w-6 align-[-2px] text-warn" />
      {children}
    </PageLink>
  )
}

interface LineFrameProps {
  children: ReactNode
  end?: ReactNode
  /** Of the answers that the page shows; undefined while they are read. */
  as_of?: string
}

/** The attribute by which the export of pictures finds the line. */
export const EVIDENCE_LINE = 'data-evidence-line'

/**
 * The frame of every evidence line, also those of the tracker and of a brand. On narrow screens it is at least as high
 * as most lines, so that the page does not move when they are read.
 */
export const LineFrame = ({ children, end, as_of }: LineFrameProps) => (
  <section
    aria-label="Evidence"
    {...{ [EVIDENCE_LINE]: '' }}
    className="panel z-10 flex min-h-55 tablet:min-h-26 wide:min-h-18 flex-wrap items-center gap-x-5 gap-y-1 px-6 py-4 text-dense tablet:sticky tablet:top-4 max-tablet:block"
  >
    {children}
    <span className="ml-auto min-w-0 text-ink3 tablet:text-right">{end}</span>
    <Updated as_of={as_of} />
  </section>
)

/** While the evidence of a page is read, or after that failed. */
export const LineWithoutEvidence = ({ has_failed }: { has_failed: boolean }) => (
  <LineFrame>
    {has_failed ? (
      <span className="inline-flex items-center gap-4">
        <WarningIcon className="h-7 w-7 text-warn" />
        How complete the evidence is could not be read.
      </span>
    ) : (
      <span className="skeleton h-8 w-160 max-w-full appear-late" />
    )}
  </LineFrame>
)

/** Announces to screen readers that the numbers were updated; not after the first read. */
function Updated({ as_of }: { as_of: string | undefined }) {
  const first = useRef<string | undefined>(undefined)
  first.current ??= as_of
  return (
    <span role="status" className="sr-only">
      {as_of !== undefined && isUpdate(first.current, as_of) && `Updated ${clockText(as_of)} UTC`}
    </span>
  )
}

/** Answers of one page are a few seconds apart when they are first read, and are read again after 30 s at the least. */
export const isUpdate = (first: string | undefined, as_of: string): boolean =>
  first !== undefined && Date.parse(as_of) - Date.parse(first) >= STALE_MS

export const Part = ({ children }: { children: ReactNode }) => (
  <span className="max-tablet:block">
    <span aria-hidden="true" className="mr-5 text-ink3 max-tablet:hidden">
      ·
    </span>
    {children}
  </span>
)

const CoverageButton = ({ children, onOpen }: { children: ReactNode; onOpen?: () => void }) =>
  onOpen === undefined ? (
    children
  ) : (
    <button type="button" className="link text-left" onClick={onOpen}>
      {children}
    </button>
  )

const unknownWords = ({ sources }: Meta) =>
  sources.some((source) => source.connection_status !== 'disconnected')
    ? 'A source exists and has not reported yet. Every number is unknown, not zero.'
    : 'No source has reported yet. Every number of this site is unknown, not zero.'
