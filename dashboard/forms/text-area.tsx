import { type ReactNode, useId } from 'react'

interface TextAreaProps {
  label: string
  help?: ReactNode
  error?: string | undefined
  value: string
  onChange: (value: string) => void
  rows?: number
  is_mono?: boolean
}

/** Several lines; label above, help and error below. */
export function TextArea({ label, help, error, value, onChange, rows = 4, is_mono = false }: TextAreaProps) {
  const id = useId()
  return (
    <div className="space-y-2">
      <label htmlFor={id} className="block text-dense font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-help ${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className={`field ${is_mono ? 'font-mono text-code' : ''} ${error === undefined ? '' : 'border-bad'}`}
      />
      <p id={`${id}-help`} className="text-small text-ink2">
        {help}
      </p>
      <p id={`${id}-error`} className="text-small text-bad">
        {error}
      </p>
    </div>
  )
}
