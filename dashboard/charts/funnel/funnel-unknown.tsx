import { PATTERN } from '../../evidence/patterns.tsx'

interface UnknownColumnProps {
  x: number
  /** It is as high as the plot, because the height of the column is unknown. */
  top: number
  width: number
  height: number
  is_withheld: boolean
}

/** A step whose sessions are unknown, or withheld for privacy. Its shape differs from that of a zero. */
export const UnknownColumn = ({ x, top, width, height, is_withheld }: UnknownColumnProps) => (
  <g>
    <rect
      x={x + 0.5}
      y={top + 0.5}
      width={width - 1}
      height={height - 1}
      fill={is_withheld ? 'var(--color-panel)' : PATTERN.gap}
      stroke="var(--color-hatch)"
      {...(is_withheld ? { strokeDasharray: '1.5 2.5' } : {})}
    />
    <text
      x={x + width / 2}
      y={top + height / 2}
      textAnchor="middle"
      fontSize="12"
      fontWeight="620"
      fill="var(--color-ink2)"
      stroke="var(--color-hatch-bg)"
      strokeWidth="4"
      paintOrder="stroke"
    >
      {is_withheld ? 'withheld' : 'unknown'}
    </text>
  </g>
)
