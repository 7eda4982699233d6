import { useRef } from 'react'
import { PATTERN } from '../evidence/patterns.tsx'
import { STEP_KIND_WORDS } from '../words/definitions.ts'
import { fullCount, percent } from '../words/numbers.ts'
import { middleCut } from '../words/strangers-text.ts'
import { FunnelBars } from './funnel-bars.tsx'
import { barsOf, type Funnel, type FunnelBar } from './funnel-steps.ts'
import { useWidth } from './use-width.ts'

const NARROW = 560
const PLOT = 190
const TOP = 22
const LABELS = 84
const GAP_OF_BAR = 0.69

/** Sessions that reached each step: columns from zero, and beside each what was not seen going on. */
export function FunnelChart({ funnel }: { funnel: Pick<Funnel, 'steps' | 'name'> }) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 900)
  const bars = barsOf(funnel)
  return (
    <div ref={frame}>
      {width < NARROW ? <FunnelBars bars={bars} /> : <FunnelColumns name={funnel.name} bars={bars} width={width} />}
      <FunnelLegend bars={bars} />
    </div>
  )
}

interface FunnelColumnsProps {
  name: string
  bars: readonly FunnelBar[]
  width: number
}

export function FunnelColumns({ name, bars, width }: FunnelColumnsProps) {
  const bar = width / (bars.length + (bars.length - 1) * GAP_OF_BAR)
  const slot = bar * (1 + GAP_OF_BAR)
  const largest = Math.max(1, ...bars.map(({ reached }) => reached ?? 0))
  const height = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / largest) * PLOT))
  const bottom = TOP + PLOT
  return (
    <svg
      role="img"
      aria-label={`${name}: ${bars.map(sentenceOf).join('. ')}`}
      width={width}
      height={bottom + LABELS}
      className="block max-w-full overflow-visible"
    >
      {[0.25, 0.5, 0.75, 1].map((part) => (
        <path key={part} d={`M0 ${Math.round(bottom - PLOT * part) + 0.5}H${width}`} stroke="var(--color-line)" />
      ))}
      {bars.map((one, index) => (
        <Column
          key={one.position}
          {...{ one, bar, bottom, height }}
          before={bars[index - 1]}
          x={index * slot}
          gap={slot - bar}
        />
      ))}
      <path d={`M0 ${bottom + 0.5}H${width}`} stroke="var(--color-control)" />
      {bars.map((one, index) => (
        <Labels key={one.position} one={one} x={index * slot} y={bottom} characters={Math.floor(slot / 7.9)} />
      ))}
    </svg>
  )
}

interface ColumnProps {
  one: FunnelBar
  before: FunnelBar | undefined
  x: number
  bar: number
  gap: number
  bottom: number
  height: (count: number) => number
}

function Column({ one, before, x, bar, gap, bottom, height }: ColumnProps) {
  if (one.reached === null) {
    const is_withheld = one.quality === 'suppressed'
    return (
      <g>
        <rect
          x={x + 0.5}
          y={TOP + 0.5}
          width={bar - 1}
          height={PLOT - 1}
          fill={is_withheld ? 'var(--color-panel)' : PATTERN.gap}
          stroke="var(--color-hatch)"
          {...(is_withheld ? { strokeDasharray: '1.5 2.5' } : {})}
        />
        <text
          x={x + bar / 2}
          y={TOP + PLOT / 2}
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
  }
  const top = bottom - height(one.reached)
  const lost_top = before?.reached == null ? null : bottom - height(before.reached)
  const is_lower_bound = one.quality === 'observed_lower_bound'
  return (
    <g>
      {lost_top !== null && (
        <>
          <path
            d={`M${x - gap} ${lost_top}L${x} ${top}V${bottom}H${x - gap}Z`}
            fill="var(--color-series)"
            fillOpacity="0.13"
          />
          {one.rate !== null && (
            <text
              x={x - gap / 2}
              y={bottom - 12}
              textAnchor="middle"
              fontSize="12"
              fontWeight="620"
              fill="var(--color-ink)"
            >
              {percent(one.rate)}
            </text>
          )}
          {one.lost !== null && one.lost > 0 && (
            <>
              <rect
                x={x + 0.5}
                y={lost_top + 0.5}
                width={bar - 1}
                height={Math.max(0, top - lost_top - 0.5)}
                fill="none"
                stroke="var(--color-control)"
              />
              <text
                x={x + bar / 2}
                y={lost_top - 6}
                textAnchor="middle"
                fontSize="11"
                fill="var(--color-ink3)"
                stroke="var(--color-panel)"
                strokeWidth="3"
                paintOrder="stroke"
              >
                {fullCount(one.lost)} not seen going on
              </text>
            </>
          )}
        </>
      )}
      <rect x={x} y={top} width={bar} height={bottom - top} fill="var(--color-series)" />
      {is_lower_bound && (
        <path d={`M${x} ${top - 3}h${bar}`} stroke="var(--color-ink)" strokeWidth="1.5" strokeDasharray="3 2" />
      )}
    </g>
  )
}

function Labels({ one, x, y, characters }: { one: FunnelBar; x: number; y: number; characters: number }) {
  const is_page = one.kind === 'page'
  return (
    <g>
      <text x={x} y={y + 20} fontSize="12" fill="var(--color-ink3)">
        {one.position} · {STEP_KIND_WORDS[one.kind]}
      </text>
      <text
        x={x}
        y={y + 38}
        fontSize={is_page ? 12.5 : 13}
        fontWeight={is_page ? 400 : 620}
        fill="var(--color-ink)"
        style={is_page ? { fontFamily: 'var(--font-mono)' } : {}}
      >
        {middleCut(one.words, Math.max(8, characters))}
        <title>{`${one.note} ${one.words}`}</title>
      </text>
      <text x={x} y={y + 60} fontSize="17" fontWeight="620" fill="var(--color-ink)">
        {countText(one)}
      </text>
      <text x={x} y={y + 78} fontSize="12" fill="var(--color-ink2)">
        {one.position === 1
          ? 'entered'
          : one.of_entered === null
            ? one.quality === 'suppressed'
              ? ''
              : 'share not defined'
            : `${percent(one.of_entered)} of entered`}
      </text>
    </g>
  )
}

/** "≥ 1,629", "withheld", "unknown" */
export function countText({ reached, quality }: Pick<FunnelBar, 'reached' | 'quality'>): string {
  if (quality === 'suppressed') return 'withheld'
  if (reached === null) return 'unknown'
  return `${quality === 'observed_lower_bound' ? '≥ ' : ''}${fullCount(reached)}`
}

const sentenceOf = (one: FunnelBar) =>
  `step ${one.position}, ${one.words}, ${countText(one).replace('≥', 'at least')}${one.rate === null ? '' : `, ${percent(one.rate)} of the step before`}`

/** What the forms mean that occur in the chart. */
function FunnelLegend({ bars }: { bars: readonly FunnelBar[] }) {
  const has_counts = bars.some(({ reached }) => reached !== null)
  if (!has_counts) return null
  return (
    <ul className="mt-8 flex flex-wrap gap-x-10 gap-y-2 border-t border-line pt-6 text-small text-ink2">
      <li className="flex items-center gap-4">
        <svg aria-hidden="true" className="h-5 w-5">
          <rect width="10" height="10" rx="1.5" fill="var(--color-series)" />
        </svg>
        observed sessions
      </li>
      {bars.some(({ quality }) => quality === 'observed_lower_bound') && (
        <li className="flex items-center gap-4">
          <svg aria-hidden="true" className="h-2 w-9">
            <path d="M0 1.5h18" stroke="var(--color-ink)" strokeWidth="1.5" strokeDasharray="3 2" />
          </svg>
          at least: events of some days are missing
        </li>
      )}
      {bars.some(({ lost }) => lost !== null && lost > 0) && (
        <li className="flex items-center gap-4">
          <svg aria-hidden="true" className="h-5 w-6">
            <rect x="0.5" y="0.5" width="11" height="9" fill="none" stroke="var(--color-control)" />
          </svg>
          reached the step before, not seen here
        </li>
      )}
    </ul>
  )
}
