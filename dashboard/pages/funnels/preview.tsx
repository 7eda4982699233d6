import { useState } from 'react'
import { FunnelChart } from '../../charts/funnel/funnel-chart.tsx'
import { Button } from '../../controls/button.tsx'
import { TrackerLine } from '../../evidence/tracker-line.tsx'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { ErrorPanel } from '../../states/error-panel.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { FUNNEL_STATE_WORDS } from '../../words/tracker.ts'
import { funnelDefinition, type StepDraft, stepsFault } from './draft.ts'

interface FunnelPreviewPanelProps {
  name: string
  steps: readonly StepDraft[]
  forbidden: string | undefined
}

/** A preview of what the steps count. Only its button requests it, not each change. */
export function FunnelPreviewPanel({ name, steps, forbidden }: FunnelPreviewPanelProps) {
  const site = useSiteId()
  const preview = useChange('previewFunnel')
  const [shown, setShown] = useState<readonly StepDraft[] | null>(null)
  const fault = stepsFault(steps)
  const ask = () => {
    setShown(steps)
    preview.mutate({
      site,
      window: '30d',
      definition: funnelDefinition(name.trim() === '' ? 'Preview' : name.trim(), steps),
    })
  }
  const { data, error, isPending } = preview
  return (
    <Panel
      title="Preview"
      note="30 days, nothing is saved"
      controls={
        <Button forbidden={forbidden ?? (fault === null ? undefined : fault)} disabled={isPending} onClick={ask}>
          {isPending ? 'Counting…' : 'Preview'}
        </Button>
      }
    >
      {error !== null && <ErrorPanel error={error} onRetry={ask} />}
      {data !== undefined && (
        <PanelBody>
          <div className="space-y-8">
            {shown !== steps && <p className="text-ink2">The steps have changed since this preview.</p>}
            <TrackerLine
              meta={data.meta}
              days={null}
              {...(data.meta.measurement_state === 'measured'
                ? { name: FUNNEL_STATE_WORDS[data.funnel.evidence_state] }
                : {})}
            />
            {data.funnel.evidence_state === 'suppressed' && (
              <p className="text-ink2">Withheld: fewer sessions entered than the privacy floor of the site.</p>
            )}
            <FunnelChart title="Preview" funnel={data.funnel} />
          </div>
        </PanelBody>
      )}
    </Panel>
  )
}
