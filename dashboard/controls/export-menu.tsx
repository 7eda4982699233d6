import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useExports } from './exports.ts'
import { DownloadIcon } from './icons.tsx'

/** Everything that the page can save, in one place; nothing is shown while there is nothing. */
export function ExportMenu() {
  const offered = useExports()
  if (offered.length === 0) return null
  return (
    <MenuTrigger>
      <Button className="control max-tablet:hidden" data-key="e">
        <DownloadIcon className="h-7 w-7" />
        Export
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
