import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { CheckMenuProps } from './check-menu.tsx'
import { CheckIcon, ChevronIcon } from './icons.tsx'
import { useOpenNow } from './use-open-now.ts'

export default function CheckList({ text, label, options, chosen, onChoose }: CheckMenuProps) {
  return (
    <MenuTrigger {...useOpenNow()}>
      <Button autoFocus className="control max-tablet:justify-between" aria-label={`${label}: ${text}`}>
        {text}
        <ChevronIcon className="h-7 w-7" />
      </Button>
      <Popover className="panel min-w-(--trigger-width) p-2 shadow-layer">
        <Menu
          aria-label={label}
          className="outline-none"
          selectionMode="multiple"
          disallowEmptySelection
          selectedKeys={new Set(chosen)}
          onSelectionChange={(keys) => onChoose(keys === 'all' ? options.map(({ key }) => key) : [...keys].map(String))}
        >
          {options.map((option) => (
            <MenuItem
              key={option.key}
              id={option.key}
              textValue={option.label}
              className="flex min-h-15 cursor-pointer items-center justify-between gap-8 rounded-tag px-4 text-dense outline-none data-[focused]:bg-sunken touch:min-h-22"
            >
              {({ isSelected }) => (
                <>
                  {option.label}
                  {isSelected && <CheckIcon className="h-7 w-7" />}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
