import type { CoverageState } from '../../src/contract/vocabulary.ts'

/** ● complete, ◐ partial, hatched outline unknown: shapes that do not depend on colour. */
export function EvidenceGlyph({ state }: { state: CoverageState }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 14 14" className="h-7 w-7 shrink-0">
      {state === 'complete' && <circle cx="7" cy="7" r="6" fill="currentColor" />}
      {state === 'partial' && (
        <>
          <circle cx="7" cy="7" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.4" />
          <path d="M7 1.4a5.6 5.6 0 0 0 0 11.2z" fill="currentColor" />
        </>
      )}
      {state === 'unknown' && (
        <circle
          cx="7"
          cy="7"
          r="5.6"
          fill="url(#pattern-gap)"
          stroke="currentColor"
          strokeWidth="1.4"
          strokeDasharray="2.2 1.6"
        />
      )}
    </svg>
  )
}
