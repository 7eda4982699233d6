import { useId } from 'react'
import { ChevronIcon } from '../controls/icons.tsx'
import { type OpeningButton, openedLater } from '../controls/opened-later.tsx'

export interface SelectFieldProps {
  label: string
  is_label_hidden?: boolean
  selected: string | null
  options: readonly { key: string; label: string }[]
  onSelect: (key: string) => void
}

export const SELECT_STYLE = 'control min-h-16 w-full justify-between touch:min-h-22'
export const labelStyle = (is_hidden: boolean) => (is_hidden ? 'sr-only' : 'mb-2 block text-dense font-medium')

/** Selects one of several options. Typing letters in the open list jumps to an option. */
export const SelectField = openedLater(ClosedSelect, () => import('./select-list.tsx'))

function ClosedSelect({
  label,
  is_label_hidden = false,
  selected,
  options,
  button,
}: SelectFieldProps & { button: OpeningButton }) {
  const id = useId()
  return (
    <div className="block min-w-0">
      <span id={`${id}-label`} className={labelStyle(is_label_hidden)}>
        {label}
      </span>
      <button {...button} className={SELECT_STYLE} aria-haspopup="listbox" aria-labelledby={`${id}-value ${id}-label`}>
        <span id={`${id}-value`} className="truncate">
          {options.find(({ key }) => key === selected)?.label ?? 'Choose'}
        </span>
        <ChevronIcon className="h-7 w-7" />
      </button>
    </div>
  )
}
