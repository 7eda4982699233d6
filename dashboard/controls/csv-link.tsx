import { csvAddress } from '../read/client.ts'
import type { ReadId, ReadInput } from '../read/operations.ts'
import { DownloadIcon } from './icons.tsx'

/** The answer of a report as the API writes it as CSV, all of it. */
export function CsvLink<Id extends ReadId>({ id, input }: { id: Id; input: ReadInput<Id> }) {
  return (
    <a className="control" href={csvAddress(id, input)} download={`${id}.csv`} data-key="e">
      <DownloadIcon className="h-7 w-7" />
      Export
    </a>
  )
}
