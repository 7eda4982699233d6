import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components'
import { CheckIcon, ChevronIcon } from '../controls/icons.tsx'
import { useOpenNow } from '../controls/use-open-now.ts'
import { labelStyle, SELECT_STYLE, type SelectFieldProps } from './select.tsx'

export default function SelectList({ label, is_label_hidden = false, selected, options, onSelect }: SelectFieldProps) {
  return (
    <Select
      value={selected}
      onChange={(key) => key !== null && onSelect(String(key))}
      className="block min-w-0"
      placeholder="Choose"
      {...useOpenNow()}
    >
      <Label className={labelStyle(is_label_hidden)}>{label}</Label>
      <Button autoFocus className={SELECT_STYLE}>
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
