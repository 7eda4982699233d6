import { ArchiveDialog } from '../../forms/archive-dialog.tsx'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import type { ConversionRow } from './columns.tsx'

export function ArchiveConversion({ row, onClose }: { row: ConversionRow; onClose: () => void }) {
  const site = useSiteId()
  const archive = useChange('conversion.archive', { changes: ['getAnalyticsConversions', 'conversion.list'] })
  return (
    <ArchiveDialog
      kind="conversion"
      name={row.name}
      onClose={onClose}
      onArchive={() => archive.mutateAsync({ site, conversion: row.conversion_id })}
    >
      No further events are counted. The results of its revisions are kept.
    </ArchiveDialog>
  )
}
