/** What a report says first: of which days it speaks, and how complete its evidence is. */
import type { Meta } from '#contract/meta.ts'
import { eachDay } from '#days/windows.ts'
import { countOf, formatCount } from '#quantities.ts'
import { heading, instantWords, labelled, type PageStyle, rangeText, shortRange } from './page-style.ts'

/** How many gaps and sources are listed. */
const MAX_LISTED = 6

/** The title and the lines about completeness. */
export function coverageText(style: PageStyle, meta: Meta, title: string, site: string): string[] {
  const days = eachDay(meta.window).length
  return [
    heading(style, title),
    `${rangeText(meta.window)}, ${days} days in UTC`,
    '',
    ...labelled(style, 'Completeness', completeness(meta, days, site)),
    ...(meta.gaps.length === 0 ? [] : labelled(style, '', gapsText(meta.gaps))),
    ...(meta.data_through === null ? [] : labelled(style, 'Evidence', `through ${instantWords(meta.data_through)}`)),
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
  const missing = gaps.reduce((sum, gap) => sum + eachDay(gap).length, 0)
  return missing === 0
    ? 'partial: every day has evidence, and some days are not covered in full; counts are what was observed'
    : `partial: no evidence for ${missing} of ${countOf(days, 'day')}. Unknown, not zero:`
}

function gapsText(gaps: Meta['gaps']): string {
  const shown = gaps.slice(0, MAX_LISTED).map(shortRange).join(', ')
  return gaps.length > MAX_LISTED ? `${shown} and ${gaps.length - MAX_LISTED} more` : shown
}

const SOURCE_NAMES: Readonly<Record<Meta['sources'][number]['source_type'], string>> = {
  cloudflare_zone: 'Cloudflare zone',
  https_intake: 'HTTPS intake',
  log_upload: 'uploaded logs',
}

function sourceText(source: Meta['sources'][number]): string {
  const { source_type, connection_status, completeness, coverage_limitations = [] } = source
  const why = coverage_limitations.length === 0 ? '' : ` (${coverage_limitations.join(', ')})`
  const since =
    source.evidence_from === null
      ? 'no evidence yet'
      : `${completeness ?? 'unknown'} since ${source.evidence_from}${why}`
  return `${SOURCE_NAMES[source_type]}, ${connection_status}: ${since}`
}
