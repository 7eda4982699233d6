import { saveFile } from '../charts/save-file.ts'
import { announce } from '../shell/announce.tsx'
import { IconButton } from './button.tsx'
import { useExport } from './exports.ts'
import { DownloadIcon } from './icons.tsx'

interface SaveCsvProps {
  /** What the rows are: "Crawlers". */
  label: string
  /** Without a file extension. */
  file_name: string
  csv: () => string
}

/** Saves the rows of a table as they are shown; the page's Export menu offers the same. */
export function SaveCsv({ label, file_name, csv }: SaveCsvProps) {
  const save = () => {
    saveFile(`${file_name}.csv`, csv())
    announce('Saved as CSV.')
  }
  useExport(`${label}, CSV`, save)
  return (
    <IconButton label={`Save ${label.charAt(0).toLowerCase()}${label.slice(1)} as CSV`} onClick={save}>
      <DownloadIcon />
    </IconButton>
  )
}
