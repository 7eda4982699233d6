interface IntervalBarProps {
  /** Shares from 0 to 1; null: unknown. */
  value: number | null
  low: number | null
  high: number | null
  label: string
  /** The right end of the scale, shared by the rows that are compared. */
  largest?: number
  /** Shows a competitor, which does not have the colour of the series. */
  is_pale?: boolean
}

const HEIGHT = 12

/** A rate as a point on a line, with its interval. Unknown is a hatched line. */
export function IntervalBar({ value, low, high, label, largest = 1, is_pale = false }: IntervalBarProps) {
  const color = is_pale ? 'var(--color-control)' : 'var(--color-series)'
  const at = (share: number) => `${Math.min(100, (share / largest) * 100)}%`
  if (value === null) {
    return <span role="img" aria-label={`${label}: unknown`} className="hatched block h-3 w-full rounded-tag" />
  }
  return (
    <svg role="img" aria-label={label} width="100%" height={HEIGHT} className="block overflow-visible">
      <rect y={HEIGHT / 2 - 0.5} width="100%" height="1" fill="var(--color-line)" />
      {low !== null && high !== null && (
        <>
          <rect
            x={at(low)}
            y={HEIGHT / 2 - 2}
            width={`${Math.max(0.5, (Math.min(high, largest) - low) * (100 / largest))}%`}
            height="4"
            fill={color}
            fillOpacity="0.35"
          />
          {[low, high].map((end) => (
            <rect key={end} x={at(end)} y={HEIGHT / 2 - 4} width="1.4" height="8" fill={color} />
          ))}
        </>
      )}
      <circle cx={at(value)} cy={HEIGHT / 2} r="3.2" fill={color} />
    </svg>
  )
}
