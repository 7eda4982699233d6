import type { UrlReport } from '../../../src/contract/account-api/index.ts'
import { LineFrame, Part } from '../../evidence/evidence-line.tsx'
import { instantText, spanText } from '../../words/days.ts'
import { counted } from '../../words/numbers.ts'

/** The answers in which citations were counted. */
export function CitationLine({ report: { meta, rows } }: { report: UrlReport }) {
  const [first] = rows
  const n = first !== undefined && 'citation_rate' in first ? first.citation_rate.denominator : null
  return (
    <LineFrame end={`as of ${instantText(meta.as_of)} UTC`}>
      <span className="font-strong">
        {n === null ? 'Citations' : `In ${counted(n, 'answer')} whose citations were observed`}
      </span>
      <Part>{spanText(meta.filters.from, meta.filters.to)}</Part>
      {meta.opaque_citations !== null && meta.opaque_citations > 0 && (
        <Part>{counted(meta.opaque_citations, 'citation')} behind redirects have a domain and no URL</Part>
      )}
      {meta.limitations.includes('one_question') && <Part>shares of one question only</Part>}
    </LineFrame>
  )
}
