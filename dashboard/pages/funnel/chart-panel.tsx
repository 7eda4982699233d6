import type { SingleFunnel } from '../../../src/contract/site-api/index.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { FunnelChart } from '../../charts/funnel/funnel-chart.tsx'
import { barsOf } from '../../charts/funnel/funnel-steps.ts'
import { trackerSentences } from '../../evidence/tracker-sentences.ts'
import { csvOfTracker } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { FUNNEL_STATE_WORDS } from '../../words/tracker.ts'
import { STEP_COLUMNS } from './steps-panel.tsx'

const TITLE = 'Sessions that reached each step'

export function ChartPanelOfFunnel({ funnel, meta }: SingleFunnel) {
  const rows = barsOf(funnel)
  const words = trackerSentences(meta, null)
  const evidence = [FUNNEL_STATE_WORDS[funnel.evidence_state], words.missing?.linked, words.as_of]
  return (
    <ChartPanel
      title={TITLE}
      file_name={`funnel-${funnel.slug}`}
      evidence={evidence.filter((part) => part !== undefined).join(' · ')}
      csv={() => csvOfTracker(meta, STEP_COLUMNS, rows)}
      chart={<FunnelChart title={TITLE} funnel={funnel} />}
      table={
        <DataTable
          caption={TITLE}
          columns={STEP_COLUMNS}
          rows={rows}
          rowKey={({ position }) => String(position)}
          total={rows.length}
        />
      }
    />
  )
}
