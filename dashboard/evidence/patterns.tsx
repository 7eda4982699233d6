/**
 * Every pattern of the charts, once per page: hatch (gap), reverse hatch (response unobserved), cross-hatch
 * (impostors), cuts (day that was observed in part) and dots (sampled day). The last two are masks, so that a bar keeps
 * its colour.
 */
export const PATTERN = {
  gap: 'url(#pattern-gap)',
  unobserved: 'url(#pattern-unobserved)',
  impostor: 'url(#pattern-impostor)',
  cuts: 'url(#mask-cuts)',
  dots: 'url(#mask-dots)',
} as const

export const PATTERNS_ID = 'patterns'

export function Patterns() {
  return (
    <svg aria-hidden="true" className="pointer-events-none absolute h-0 w-0">
      <defs id={PATTERNS_ID}>
        <pattern id="pattern-gap" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="7" height="7" fill="var(--color-hatch-bg)" />
          <path d="M0 0V7" stroke="var(--color-hatch)" strokeWidth="1.2" />
        </pattern>
        <pattern
          id="pattern-unobserved"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(-45)"
        >
          <rect width="4" height="4" fill="var(--color-panel)" />
          <path d="M0 0V4" stroke="var(--color-ink2)" strokeWidth="1.4" />
        </pattern>
        <pattern id="pattern-impostor" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="4" height="4" fill="var(--color-panel)" />
          <path d="M0 0V4M0 0H4" stroke="var(--color-bad)" strokeWidth="1.4" />
        </pattern>
        <pattern id="cuts" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M2 0V6" stroke="#fff" strokeWidth="4" />
        </pattern>
        <pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="5" height="5" fill="#fff" />
          <circle cx="2.5" cy="2.5" r="1.2" fill="#000" />
        </pattern>
        <mask id="mask-cuts" maskUnits="userSpaceOnUse" x="0" y="0" width="4000" height="1000">
          <rect width="4000" height="1000" fill="url(#cuts)" />
        </mask>
        <mask id="mask-dots" maskUnits="userSpaceOnUse" x="0" y="0" width="4000" height="1000">
          <rect width="4000" height="1000" fill="url(#dots)" />
        </mask>
      </defs>
    </svg>
  )
}
