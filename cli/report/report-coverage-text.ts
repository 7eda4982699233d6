/** The head of a report: its days, and how complete its evidence is. */
import { DAY_MS, instantText } from '#clock.ts'
import type { Meta } from '#contract/meta.ts'
import { WINDOWS } from '#contract/vocabulary.ts'
import { dayStart } from '#days/utc-day.ts'
import { eachDay } from '#days/windows.ts'
import { countOf, formatCount } from '#quantities.ts'
import { heading, instantWords, labelled, type PageStyle, rangeText, shortRange } from '../page-style.ts'

/** How many gaps and sources are listed. */
const MAX_LISTED = 6

/** The title and the lines about completeness. */
export function coverageText(style: PageStyle, meta: Meta, title: string, site: string): string[] {
  const days = eachDay(meta.window).length
  const is_empty = days === missingDays(meta)
  return [
    heading(style, title),
    `${rangeText(meta.window)}, ${days} days in UTC`,
    '',
    ...labelled(style, 'Completeness', completeness(meta, days, site)),
    ...(meta.gaps.length === 0 || is_empty ? [] : labelled(style, '', gapsText(meta.gaps))),
    ...(meta.data_through === null ? [] : labelled(style, 'Evidence', `through ${instantWords(meta.data_through)}`)),
    ...(is_empty ? whereEvidenceIs(meta).flatMap((advice) => labelled(style, '', advice)) : []),
    ...meta.sources
      .slice(0, MAX_LISTED)
      .flatMap((source, at) => labelled(style, at === 0 ? 'Sources' : '', sourceText(source))),
    ...(meta.sources.length > MAX_LISTED
      ? labelled(style, '', `and ${formatCount(meta.sources.length - MAX_LISTED)} more: --json lists all`)
      : []),
  ]
}

function completeness({ coverage_state, sources, gaps }: Meta, days: number, site: string): string {
  if (coverage_state === 'complete') return 'complete: a source covered every day'
  if (coverage_state === 'unknown') {
    return sources.length === 0
      ? `unknown: no source yet. Import a log: spoor import ${site} access.log`
      : 'unknown: no source has reported evidence yet'
  }
  const missing = missingDays({ gaps })
  if (missing === days) return `no evidence for any of these ${countOf(days, 'day')}. Unknown, not zero.`
  return missing === 0
    ? 'partial: every day has evidence, and some days are not covered in full; counts are what was observed'
    : `partial: no evidence for ${missing} of ${countOf(days, 'day')}. Unknown, not zero:`
}

const missingDays = ({ gaps }: Pick<Meta, 'gaps'>): number => gaps.reduce((sum, gap) => sum + eachDay(gap).length, 0)

/** How to see evidence that ends before the window; empty if it does not. */
function whereEvidenceIs({ data_through, window }: Meta): string[] {
  const last = data_through?.slice(0, 10)
  if (last === undefined || last >= window.from) return []
  const age = eachDay({ from: last, to: window.to }).length
  const longer = WINDOWS.find((name) => Number.parseInt(name, 10) >= age)
  if (longer !== undefined) return [`To see it, add --window ${longer}`]
  const clock = instantText(dayStart(last) + DAY_MS).replace('.000', '')
  return [`To read it as of its own time, restart the server with an earlier clock: spoor serve --clock ${clock}`]
}

function gapsText(gaps: Meta['gaps']): string {
  const shown = gaps.slice(0, MAX_LISTED).map(shortRange).join(', ')
  return gaps.length > MAX_LISTED ? `${shown} and ${formatCount(gaps.length - MAX_LISTED)} more` : shown
}

const SOURCE_NAMES: Readonly<Record<Meta['sources'][number]['source_type'], string>> = {
  cloudflare_zone: 'Cloudflare zone',
  https_intake: 'HTTPS intake',
  log_upload: 'uploaded logs',
}

function sourceText(source: Meta['sources'][number]): string {
  const { source_type, connection_status, completeness, coverage_limitations = [] } = source
  const why = coverage_limitations.length === 0 ? '' : ` (last 30 days: ${coverage_limitations.join(', ')})`
  const since =
    source.evidence_from === null
      ? 'no evidence yet'
      : `evidence since ${source.evidence_from}, ${completeness ?? 'unknown'}${why}`
  return `${SOURCE_NAMES[source_type]}, ${connection_status}: ${since}`
}
