export interface SharePart {
  key: string
  label: string
  count: number
  color: string
  pattern?: string
  /** A part that needs an outline to be seen, in this colour. */
  outline?: string
}

interface ShareBarProps {
  parts: readonly SharePart[]
  label: string
  height?: number
  /** Sets the width of the bar; by default it takes the whole row. */
  className?: string
}

const WIDTH = 1000

/** Parts of a total side by side. Every part is at least 1 % wide, so that it is visible. */
export function ShareBar({ parts, label, height = 10, className = 'w-full' }: ShareBarProps) {
  const shown = parts.filter(({ count }) => count > 0)
  const total = shown.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  const widths = shown.map(({ count }) => Math.max(0.02, count / total))
  const scale = WIDTH / widths.reduce((sum, width) => sum + width, 0)
  return (
    <span role="img" aria-label={label} className={`flex gap-px ${className}`} style={{ height }}>
      {shown.map((part, index) => (
        <svg
          key={part.key}
          aria-hidden="true"
          className="block h-full overflow-visible"
          style={{ flex: `${(widths[index] ?? 0) * scale} 1 0`, width: 0 }}
        >
          {part.outline === undefined ? (
            <rect width="100%" height="100%" fill={part.pattern ?? part.color} />
          ) : (
            <>
              <rect width="100%" height="100%" fill={part.outline} />
              <rect x="1" y="1" width="100%" height={height - 2} fill={part.color} className="share-inner" />
              {part.pattern !== undefined && (
                <rect x="1" y="1" width="100%" height={height - 2} fill={part.pattern} className="share-inner" />
              )}
            </>
          )}
        </svg>
      ))}
    </span>
  )
}
