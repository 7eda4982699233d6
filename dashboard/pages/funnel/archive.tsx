import { ArchiveDialog } from '../../forms/archive-dialog.tsx'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'

export function ArchiveFunnel({ slug, name, onClose }: { slug: string; name: string; onClose: () => void }) {
  const site = useSiteId()
  const archive = useChange('funnel.archive', { changes: ['getAnalyticsFunnel', 'getAnalyticsFunnels', 'funnel.show'] })
  return (
    <ArchiveDialog
      kind="funnel"
      name={name}
      onClose={onClose}
      onArchive={() => archive.mutateAsync({ site, funnel: slug })}
    >
      Sessions that begin from now on are not counted. The results of its revisions are kept.
    </ArchiveDialog>
  )
}
