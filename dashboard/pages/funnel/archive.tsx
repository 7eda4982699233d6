import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { shortText } from '../../words/strangers-text.ts'

export function ArchiveFunnel({ slug, name, onClose }: { slug: string; name: string; onClose: () => void }) {
  const site = useSiteId()
  const archive = useChange('funnel.archive', { changes: ['getAnalyticsFunnel', 'getAnalyticsFunnels', 'funnel.show'] })
  return (
    <ConfirmByTyping
      title={`Archive ${shortText(name)}`}
      expected={null}
      action="Archive the funnel"
      is_open
      onClose={onClose}
      onConfirm={async () => {
        await archive.mutateAsync({ site, funnel: slug })
        announce(`The funnel ${name} is archived.`)
      }}
    >
      It counts no session that begins from now on. What its revisions have counted stays.
    </ConfirmByTyping>
  )
}
