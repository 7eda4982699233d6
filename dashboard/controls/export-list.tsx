import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { ExportWord } from './export-menu.tsx'
import { useExports } from './exports.ts'
import { useOpenNow } from './use-open-now.ts'

export default function ExportList() {
  const offered = useExports()
  return (
    <MenuTrigger {...useOpenNow()}>
      <Button autoFocus className="control" data-key="e">
        <ExportWord />
      </Button>
      <Popover className="panel min-w-(--trigger-width) p-2 shadow-layer" placement="bottom end">
        <Menu className="outline-none" aria-label="Export">
          {offered.map(({ label, save }) => (
            <MenuItem
              key={label}
              id={label}
              onAction={save}
              className="flex min-h-15 cursor-pointer items-center rounded-tag px-5 text-dense outline-none data-[focused]:bg-sunken"
            >
              {label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
