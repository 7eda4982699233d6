import type { ReactNode } from 'react'
import { CheckIcon } from '../controls/icons.tsx'

export interface Step {
  title: string
  text: ReactNode
  is_done: boolean
}

/** Steps to a goal: finished steps have a tick, the others their number. */
export const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <ol className="space-y-10">
    {steps.map(({ title, text, is_done }, index) => (
      <li key={title} className="flex items-start gap-6">
        <span
          className={`mt-1 inline-flex h-9 w-9 shrink-0 items-center justify-center rounded-full border text-axis ${
            is_done ? 'border-ink bg-ink text-panel' : 'border-control text-ink2'
          }`}
        >
          {is_done ? <CheckIcon className="h-6 w-6" /> : index + 1}
          <span className="sr-only">{is_done ? 'Done: ' : ''}</span>
        </span>
        <span>
          <span className="block font-strong">{title}</span>
          <span className="block text-dense text-ink2">{text}</span>
        </span>
      </li>
    ))}
  </ol>
)
