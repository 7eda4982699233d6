import { useMemo, useRef } from 'react'
import { Value } from '../../evidence/value.tsx'
import { fullCount, percent } from '../../words/numbers.ts'
import { VALUE_QUALITIES } from '../../words/tracker.ts'
import { ChartGroup } from '../chart-group.tsx'
import { ChartTooltip, TooltipRow, TooltipTitle } from '../chart-tooltip.tsx'
import { columnAt } from '../marks.ts'
import { useWidth } from '../use-width.ts'
import { FunnelBars } from './funnel-bars.tsx'
import { FunnelColumns, funnelWidths } from './funnel-columns.tsx'
import { FunnelLegend } from './funnel-legend.tsx'
import { barsOf, type Funnel, type FunnelBar, funnelSummary, stepSentence } from './funnel-steps.ts'

const NARROW = 560

interface FunnelChartProps {
  /** Heading of the panel. */
  title: string
  funnel: Pick<Funnel, 'steps'>
}

/** Sessions that reached each step, from left to right; on phones from top to bottom. */
export function FunnelChart({ title, funnel }: FunnelChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 900)
  const bars = useMemo(() => barsOf(funnel), [funnel])
  const { bar, slot } = funnelWidths(width, bars.length)
  const is_narrow = width < NARROW
  const tooltipOf = (step: number | null) => {
    const one = bars[step ?? -1]
    const middle = is_narrow ? width / 2 : (step ?? 0) * slot + bar / 2
    return one === undefined ? null : (
      <ChartTooltip {...{ middle, width }}>
        <StepTooltip bar={one} />
      </ChartTooltip>
    )
  }
  return (
    <div>
      <ChartGroup
        ref={frame}
        name={`${title}. ${funnelSummary(bars)}.`}
        hint="Arrow keys read the steps."
        shape={{ columns: bars.length, rows: () => 1, up: -1 }}
        reading={({ column }) => {
          const one = bars[column]
          return one === undefined ? '' : stepSentence(one)
        }}
        markAt={({ target, clientX }) => {
          const at = { left: 0, slot_width: slot, count: bars.length }
          const column = is_narrow ? stepAt(target) : columnAt(clientX, frame.current, at)
          return column === null ? null : { column, row: 0 }
        }}
      >
        {(active) => {
          const step = active?.column ?? null
          if (is_narrow) return <FunnelBars bars={bars} active={step} tooltip={tooltipOf(step)} />
          return (
            <>
              <FunnelColumns {...{ bars, width }} active={step} />
              {tooltipOf(step)}
            </>
          )
        }}
      </ChartGroup>
      <FunnelLegend bars={bars} />
    </div>
  )
}

/** The step of a row of bars on a narrow screen; null: the pointer is beside them. */
function stepAt(target: Element): number | null {
  const row = target.closest<HTMLElement>('[data-step]')?.dataset.step
  return row === undefined ? null : Number(row)
}

function StepTooltip({ bar: { position, words, note, reached, quality, rate, of_entered, lost } }: { bar: FunnelBar }) {
  return (
    <>
      <TooltipTitle>
        {position} · {words}
      </TooltipTitle>
      <p className="mb-2 break-words text-ink2">{note}</p>
      <TooltipRow
        label="Sessions"
        value={<Value value={reached} quality={VALUE_QUALITIES[quality]} format={fullCount} />}
        is_strong
      />
      {rate !== null && <TooltipRow label="Of the previous step" value={percent(rate)} />}
      {position > 1 && of_entered !== null && <TooltipRow label="Of entered" value={percent(of_entered)} />}
      {lost !== null && lost > 0 && <TooltipRow label="Not seen going on" value={fullCount(lost)} />}
    </>
  )
}
