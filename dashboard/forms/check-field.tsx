import { type ReactNode, useId } from 'react'

interface CheckFieldProps {
  label: ReactNode
  help?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  /** Why it cannot be changed. */
  forbidden?: string | undefined
}

/** A checkbox with its consequence below. */
export function CheckField({ label, help, checked, onChange, forbidden }: CheckFieldProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-5">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-disabled={forbidden !== undefined}
        aria-describedby={`${id}-help`}
        title={forbidden}
        onChange={(event) => forbidden === undefined && onChange(event.target.checked)}
        className="mt-1 h-8 w-8 shrink-0"
      />
      <span>
        <label htmlFor={id} className="block text-dense font-medium">
          {label}
        </label>
        <span id={`${id}-help`} className="block text-small text-ink2">
          {help}
          {forbidden !== undefined && <span className="block text-ink3">{forbidden}</span>}
        </span>
      </span>
    </div>
  )
}
