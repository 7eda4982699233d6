import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react'

interface ChartTooltipProps {
  /** The middle of the mark, from the left edge of the positioned element that contains mark and tooltip. */
  middle: number
  /** The width of that element. */
  width: number
  /** Where the mark starts and ends in it; without them the mark is as high as the element. */
  top?: number
  bottom?: number
  children: ReactNode
}

const WIDTH = 216
/** Height that the header, the evidence line and a tooltip need above a mark, in pixels. */
const ROOM_ABOVE = 280

/**
 * Describes a mark. The tooltip is above its mark, or below it if it does not fit above. They touch, so that the
 * pointer can be moved onto the tooltip.
 */
export function ChartTooltip({ middle, width, top = 0, bottom, children }: ChartTooltipProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [is_below, setBelow] = useState(false)
  useLayoutEffect(() => {
    const parent = frame.current?.offsetParent?.getBoundingClientRect()
    if (parent !== undefined) setBelow(parent.top + top < ROOM_ABOVE)
  }, [top])
  const left = Math.max(0, Math.min(middle - WIDTH / 2, width - WIDTH))
  const vertical = is_below ? { top: bottom ?? '100%' } : { bottom: `calc(100% - ${top}px)` }
  return (
    <div
      ref={frame}
      aria-hidden="true"
      className="absolute z-20 w-108 py-2 text-small"
      style={{ left, ...vertical }}
      onPointerMove={stop}
      onClick={stop}
    >
      <div className="rounded-control border border-control bg-panel px-5 py-4 shadow-layer">{children}</div>
    </div>
  )
}

const stop = (event: SyntheticEvent) => event.stopPropagation()

/** The first line of a tooltip. */
export const TooltipTitle = ({ children, note }: { children: ReactNode; note?: string }) => (
  <p className="mb-2 font-strong break-words">
    {children} {note !== undefined && <span className="font-normal text-ink3">{note}</span>}
  </p>
)

/** A name and its number. */
export const TooltipRow = ({
  mark,
  label,
  value,
  is_strong = false,
}: {
  mark?: ReactNode
  label: ReactNode
  value: ReactNode
  is_strong?: boolean
}) => (
  <p className={`flex items-center gap-4 py-1 ${is_strong ? 'font-strong' : ''}`}>
    {mark}
    <span className="truncate">{label}</span>
    <span className="ml-auto shrink-0">{value}</span>
  </p>
)
