import { Button } from './button.tsx'
import { useExports } from './exports.ts'
import { DownloadIcon } from './icons.tsx'
import { type OpeningButton, openedLater } from './opened-later.tsx'

/** A menu with everything that the page can save. It keeps its place until there is something. */
export function ExportMenu() {
  return useExports().length === 0 ? <NothingYet /> : <Offered />
}

const NothingYet = () => (
  <Button forbidden="Nothing can be saved yet.">
    <ExportWord />
  </Button>
)

const Offered = openedLater(
  ({ button }: { button: OpeningButton }) => (
    <button {...button} className="control" data-key="e" aria-haspopup="menu">
      <ExportWord />
    </button>
  ),
  () => import('./export-list.tsx'),
)

export const ExportWord = () => (
  <>
    <DownloadIcon className="h-7 w-7" />
    Export
  </>
)
