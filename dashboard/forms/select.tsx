import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components'
import { CheckIcon, ChevronIcon } from '../controls/icons.tsx'

interface SelectFieldProps {
  label: string
  is_label_hidden?: boolean
  selected: string | null
  options: readonly { key: string; label: string }[]
  onSelect: (key: string) => void
  name?: string
}

/** One of several; typing letters jumps to an option. */
export function SelectField({ label, is_label_hidden = false, selected, options, onSelect, name }: SelectFieldProps) {
  return (
    <Select
      value={selected}
      onChange={(key) => key !== null && onSelect(String(key))}
      className="block min-w-0"
      placeholder="Choose"
      {...(name === undefined ? {} : { name })}
    >
      <Label className={is_label_hidden ? 'sr-only' : 'mb-2 block text-dense font-medium'}>{label}</Label>
      <Button className="control min-h-16 w-full justify-between touch:min-h-22">
        <SelectValue className="truncate" />
        <ChevronIcon className="h-7 w-7" />
      </Button>
      <Popover className="panel max-h-160 min-w-(--trigger-width) overflow-y-auto p-2 shadow-layer">
        <ListBox className="outline-none">
          {options.map((option) => (
            <ListBoxItem
              key={option.key}
              id={option.key}
              textValue={option.label}
              className="flex min-h-15 cursor-pointer items-center justify-between gap-8 rounded-tag px-4 data-[focused]:bg-sunken touch:min-h-22"
            >
              {({ isSelected }) => (
                <>
                  {option.label}
                  {isSelected && <CheckIcon className="h-7 w-7" />}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  )
}
