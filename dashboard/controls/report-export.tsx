import { csvAddress } from '../read/client.ts'
import type { ReadId, ReadInput } from '../read/operations.ts'
import { ExportMenu } from './export-menu.tsx'
import { useExport } from './exports.ts'

/** The page's Export menu, with the whole answer of its report as the API writes it as CSV. */
export function ReportExport<Id extends ReadId>({ id, input }: { id: Id; input: ReadInput<Id> }) {
  const address = csvAddress(id, input)
  useExport('Whole report as CSV', () => {
    const link = document.createElement('a')
    link.href = address
    link.download = `${id}.csv`
    link.click()
  })
  return <ExportMenu />
}
