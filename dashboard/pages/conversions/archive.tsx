import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { shortText } from '../../words/strangers-text.ts'
import type { ConversionRow } from './columns.tsx'

export function ArchiveConversion({ row, onClose }: { row: ConversionRow; onClose: () => void }) {
  const site = useSiteId()
  const archive = useChange('conversion.archive', { changes: ['getAnalyticsConversions', 'conversion.list'] })
  return (
    <ConfirmByTyping
      title={`Archive ${shortText(row.name)}`}
      expected={null}
      action="Archive the conversion"
      is_open
      onClose={onClose}
      onConfirm={async () => {
        await archive.mutateAsync({ site, conversion: row.conversion_id })
        announce(`The conversion ${row.name} is archived.`)
      }}
    >
      It counts nothing more from now on. What its revisions have counted stays.
    </ConfirmByTyping>
  )
}
