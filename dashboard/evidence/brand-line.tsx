import { Fragment } from 'react'
import type { BrandReport } from '../../src/contract/account-api/index.ts'
import { PageLink } from '../controls/page-link.tsx'
import { searchOfAnswers, useBrandId, useBrandSearch } from '../read/brand-search.ts'
import { ENGINE_WORDS } from '../words/brand.ts'
import { dayText, instantText, spanText } from '../words/days.ts'
import { fullCount, percent } from '../words/numbers.ts'
import { LineFrame, LineWithoutEvidence, Part } from './evidence-line.tsx'
import { EvidenceGlyph } from './glyph.tsx'

/** How many runs were answered, refused or failed, and when the model of an engine changed. */
export function BrandLine({ report, has_failed = false }: { report: BrandReport | null; has_failed?: boolean }) {
  if (report === null) return <LineWithoutEvidence has_failed={has_failed} />
  const { meta } = report
  const words = runWords(meta.runs)
  const last = lastAnswer(report)
  const changes = modelChanges(report)
  return (
    <LineFrame
      as_of={meta.as_of}
      end={`${last === null ? '' : `last answer ${instantText(last)} · `}as of ${instantText(meta.as_of)} UTC`}
    >
      <span className="inline-flex items-center gap-4 font-strong">
        <EvidenceGlyph state={meta.completeness.state} />
        {words.share}
      </span>
      {words.counts !== null && (
        <Part>
          {words.counts}
          <RunsWithoutAnswer runs={meta.runs} />
        </Part>
      )}
      {words.not_applied !== null && <Part>{words.not_applied}</Part>}
      {meta.completeness.gaps.length > 0 && <Part>{gapWords(meta.completeness.gaps)}</Part>}
      {changes.length > 0 && <Part>{changes.join(', ')}</Part>}
      {meta.completeness.limitations.includes('one_question') && (
        <Part>a share of one question only: no comparison across questions</Part>
      )}
      {meta.completeness.limitations.includes('names_changed') && (
        <Part>names changed: stored answers are being searched again</Part>
      )}
    </LineFrame>
  )
}

type Runs = BrandReport['meta']['runs']

export const runTotal = ({ answered, refused, failed, scheduled_not_run }: Runs): number =>
  answered + refused + failed + scheduled_not_run

interface RunWords {
  /** "96.9 % of runs answered" */
  share: string
  /** "5,814 of 6,000 runs" */
  counts: string | null
  /** "12 answers without their country applied" */
  not_applied: string | null
}

export function runWords(runs: Runs): RunWords {
  const total = runTotal(runs)
  const not_applied = notApplied(runs)
  if (total === 0) return { share: 'No run in these dates', counts: null, not_applied }
  return {
    share: runs.answered === 0 ? 'No run was answered' : `${percent(runs.answered / total)} of runs answered`,
    counts: `${fullCount(runs.answered)} of ${fullCount(total)} runs`,
    not_applied,
  }
}

/** ", 41 refused, 145 failed": with links to these runs, which the list of answers has as rows. */
function RunsWithoutAnswer({ runs }: { runs: Runs }) {
  const brand = useBrandId()
  const search = searchOfAnswers(useBrandSearch())
  return (
    <>
      {(['refused', 'failed'] as const).map(
        (status) =>
          runs[status] > 0 && (
            <Fragment key={status}>
              {', '}
              <PageLink to="/brands/$brand/answers" params={{ brand }} search={{ ...search, status }}>
                {fullCount(runs[status])} {status}
              </PageLink>
            </Fragment>
          ),
      )}
      {runs.scheduled_not_run > 0 && `, ${fullCount(runs.scheduled_not_run)} due and not asked`}
    </>
  )
}

const notApplied = ({ country_not_applied }: Runs) =>
  country_not_applied === 0 ? null : `${fullCount(country_not_applied)} answers without their country applied`

const MAX_GAPS = 2

function gapWords(gaps: BrandReport['meta']['completeness']['gaps']): string {
  const listed = gaps.slice(0, MAX_GAPS).map(({ engine, from, to }) => `${ENGINE_WORDS[engine]} ${spanText(from, to)}`)
  const more = gaps.length > MAX_GAPS ? ` and ${gaps.length - MAX_GAPS} more` : ''
  return `no answer: ${listed.join(', ')}${more}`
}

/** Model changes, on the day of the first answer of each new model. */
export const modelChanges = ({ by_engine }: Pick<BrandReport, 'by_engine'>): string[] =>
  by_engine.flatMap(({ engine, models }) =>
    models
      .slice(1)
      .map(({ first_at }) => `model change ${dayText(first_at.slice(0, 10))}, ${ENGINE_WORDS[engine] ?? engine}`),
  )

const lastAnswer = ({ by_engine }: BrandReport): string | null =>
  by_engine
    .flatMap(({ models }) => models.map(({ last_at }) => last_at))
    .sort()
    .at(-1) ?? null
