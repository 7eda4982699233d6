import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useState } from 'react'
import { areSame, hasMark, type MarkAt, type MarkShape, markAfter } from './marks.ts'

export interface ChartGroupProps {
  ref?: Ref<HTMLDivElement>
  /** Heading of the panel and one sentence about the whole. */
  name: string
  /** What the arrow keys do: "Arrow keys read the days." */
  hint: string
  shape: MarkShape
  /** The text of a mark for screen readers. */
  reading: (at: MarkAt) => string
  /** The mark below the pointer. */
  markAt: (pointer: { target: Element; clientX: number }) => MarkAt | null
  onSelect?: ((at: MarkAt) => void) | undefined
  /** All days that can be selected, for the keys that go to the previous and the next one. */
  selectable_days?: readonly string[] | undefined
  /** Draws the chart, and the tooltip of the active mark. */
  children: (active: MarkAt | null) => ReactNode
}

/**
 * A chart with one tab stop. Arrow keys move between its marks; pointer and keys show the same tooltip, which Escape
 * closes.
 */
export function ChartGroup(props: ChartGroupProps) {
  const { ref, name, hint, shape, reading, markAt, onSelect, selectable_days, children } = props
  const [kept, setActive] = useState<MarkAt | null>(null)
  const active = kept !== null && hasMark(kept, shape) ? kept : null
  const status_id = useId()
  const is_open = active !== null
  // Escape also works while the pointer is over the chart and the focus is elsewhere.
  useEffect(() => {
    if (!is_open) return
    const onKeyDown = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && setActive(null)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [is_open])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = markAfter(active, event.key, shape)
    if (next !== undefined) {
      setActive(next)
      // One of several small charts may be outside of the screen.
      event.currentTarget.querySelector(`[data-chart="${next.row}"]`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && active !== null) onSelect?.(active)
    else return
    event.preventDefault()
  }
  const pointed = ({ target, clientX }: { target: EventTarget; clientX: number }) =>
    markAt({ target: target as Element, clientX })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a chart is one stop for the keyboard, not a set of fields
    <div
      ref={ref}
      role="group"
      aria-label={name}
      aria-describedby={status_id}
      data-days={selectable_days?.join(' ')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read its marks
      tabIndex={0}
      className="relative touch-pan-y rounded-tag"
      onKeyDown={onKeyDown}
      onBlur={() => setActive(null)}
      onPointerMove={(event) => {
        const at = pointed(event)
        // Most moves stay within one mark, and need no new drawing.
        setActive((before) => (areSame(before, at) ? before : at))
      }}
      onPointerLeave={() => setActive(null)}
      onClick={(event) => {
        const clicked = pointed(event)
        if (clicked !== null) onSelect?.(clicked)
      }}
    >
      {children(active)}
      <span id={status_id} className="sr-only" aria-live="polite">
        {active === null ? hint : reading(active)}
      </span>
    </div>
  )
}
