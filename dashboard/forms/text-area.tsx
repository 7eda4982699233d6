import { type ReactNode, useId } from 'react'
import { useFault } from './use-fault.ts'

interface TextAreaProps {
  label: string
  help?: ReactNode
  error?: string | undefined
  /** An error that the page found, shown after the field loses the focus. */
  fault?: string | undefined
  value: string
  onChange: (value: string) => void
  rows?: number
  is_mono?: boolean
}

/** A field of several lines; label above, help and error below. */
export function TextArea({ label, help, error, fault, value, onChange, rows = 4, is_mono = false }: TextAreaProps) {
  const id = useId()
  const { shown: found, ...handlers } = useFault(fault)
  const shown = error ?? found
  return (
    <div className="space-y-2">
      <label htmlFor={id} className="block text-dense font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        {...handlers}
        aria-invalid={shown !== undefined}
        aria-describedby={`${id}-help ${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className={`field ${is_mono ? 'font-mono text-code' : ''} ${shown === undefined ? '' : 'border-bad'}`}
      />
      <p id={`${id}-help`} className="text-small text-ink2">
        {help}
      </p>
      <p id={`${id}-error`} className="text-small text-bad">
        {shown}
      </p>
    </div>
  )
}
