import { type KeyboardEvent, useRef, useState } from 'react'
import { IconButton } from '../../controls/button.tsx'
import { ChevronIcon, CloseIcon } from '../../controls/icons.tsx'
import { announce } from '../../shell/announce.tsx'
import { MAX_STEPS, MIN_STEPS, moved, type StepDraft, stepDraftSentence, stepKey } from './draft.ts'

interface StepListProps {
  steps: readonly StepDraft[]
  onChange: (steps: readonly StepDraft[]) => void
}

/** The picked steps. They are dragged, moved by Alt and the arrow keys, or by their buttons. */
export function StepList({ steps, onChange }: StepListProps) {
  const list = useRef<HTMLOListElement>(null)
  const move = (from: number, to: number) => {
    const next = moved(steps, from, to)
    if (next === steps) return
    onChange(next)
    announce(`Step ${from + 1} is now step ${to + 1}.`)
    // After the rows are drawn in their new order.
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-step]')[to]?.focus())
  }
  const dragging = useDragging(move)
  if (steps.length === 0) {
    return (
      <p className="rounded-control border border-dashed border-control px-6 py-8 text-ink2">
        Pick {MIN_STEPS} to {MAX_STEPS} pages or conversions. A session counts for a step if it reached every step
        before it.
      </p>
    )
  }
  return (
    <>
      <ol ref={list} className="space-y-4">
        {steps.map((step, index) => (
          <Step
            // A page may be a step twice, so its key includes how many times it occurs before.
            key={`${stepKey(step)} ${steps.slice(0, index).filter((one) => stepKey(one) === stepKey(step)).length}`}
            place={{ index, count: steps.length }}
            sentence={stepDraftSentence(step)}
            dragging={dragging}
            onMove={(to) => move(index, to)}
            onRemove={() => onChange(steps.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <p className="mt-4 text-small text-ink2">
        Drag a step, or focus it and press <kbd className="font-mono">Alt</kbd> with ↑ or ↓.
      </p>
    </>
  )
}

interface Dragging {
  dragged: number | null
  /** The step that the dragged one is above. */
  over: number | null
  begin(index: number): void
  moveOver(index: number): void
  drop(index: number): void
  end(): void
}

function useDragging(onMove: (from: number, to: number) => void): Dragging {
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const end = () => {
    setDragged(null)
    setOver(null)
  }
  return {
    dragged,
    over,
    begin: setDragged,
    moveOver: setOver,
    drop(index) {
      if (dragged !== null) onMove(dragged, index)
      end()
    },
    end,
  }
}

interface StepProps {
  place: { index: number; count: number }
  sentence: string
  dragging: Dragging
  onMove: (to: number) => void
  onRemove: () => void
}

function Step({ place: { index, count }, sentence, dragging, onMove, onRemove }: StepProps) {
  const { dragged, over } = dragging
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  return (
    <li
      data-step
      // biome-ignore lint/a11y/noNoninteractiveTabindex: Alt and arrow keys move the step
      tabIndex={0}
      aria-label={`Step ${index + 1} of ${count}: ${sentence}`}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      draggable
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        dragging.begin(index)
      }}
      onDragOver={(event) => {
        if (dragged === null) return
        event.preventDefault()
        dragging.moveOver(index)
      }}
      onDragEnd={dragging.end}
      onDrop={(event) => {
        event.preventDefault()
        dragging.drop(index)
      }}
      className={`flex cursor-grab items-center gap-6 rounded-control border bg-panel px-6 py-4 ${over === index && dragged !== index ? 'border-ink' : 'border-line'} ${dragged === index ? 'opacity-60' : ''}`}
    >
      <span
        aria-hidden="true"
        className="flex h-12 w-12 shrink-0 items-center justify-center rounded-full bg-sunken text-small font-strong"
      >
        {index + 1}
      </span>
      <span className="min-w-0 flex-1 break-words">{sentence}</span>
      <span className="flex shrink-0">
        <IconButton label={`Move step ${index + 1} up`} onClick={() => onMove(index - 1)}>
          <ChevronIcon className="h-8 w-8 rotate-180" />
        </IconButton>
        <IconButton label={`Move step ${index + 1} down`} onClick={() => onMove(index + 1)}>
          <ChevronIcon />
        </IconButton>
        <IconButton label={`Remove step ${index + 1}`} onClick={onRemove}>
          <CloseIcon />
        </IconButton>
      </span>
    </li>
  )
}
