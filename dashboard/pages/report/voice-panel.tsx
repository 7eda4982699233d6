import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { IntervalBar } from '../../charts/interval-bar.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { runWords } from '../../evidence/brand-line.tsx'
import { Value } from '../../evidence/value.tsx'
import { useBrandId } from '../../read/brand-search.ts'
import { Panel } from '../../states/panel.tsx'
import { written } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { fullCount, interval, percent } from '../../words/numbers.ts'
import { evidenceOf } from './csv-evidence.ts'
import type { Ratio } from './report-figures.tsx'
import { type Voice, voiceColumns } from './voice-columns.tsx'

const TITLE = 'Share of voice'

/** The brand beside its competitors, all with the same scale. */
export function VoicePanel({ report, name }: { report: BrandReport; name: string }) {
  const brand = useBrandId()
  const { metrics, competitors, meta } = report
  if (metrics.share_of_voice === null) {
    return (
      <Panel title={TITLE}>
        <p className="px-8 pb-8 text-ink2 max-tablet:px-6">
          {competitors.length === 0
            ? 'There is no competitor to compare with. '
            : 'Share of voice counts unbranded questions, and none of them is in this filter. '}
          {competitors.length === 0 && (
            <PageLink to="/brands/$brand/settings" params={{ brand }}>
              Add competitors
            </PageLink>
          )}
        </p>
      </Panel>
    )
  }
  const rows: Voice[] = [
    { id: null, name, ratio: metrics.share_of_voice },
    ...competitors.map((one) => ({ id: one.id, name: one.name, ratio: one.share_of_voice })),
  ]
  const largest = Math.max(0.05, ...rows.map(({ ratio }) => ratio.high ?? ratio.value ?? 0))
  const columns = voiceColumns(runWords(meta.runs).share)
  return (
    <ChartPanel
      title={TITLE}
      file_name="share-of-voice"
      evidence={`${runWords(meta.runs).share} · as of ${instantText(meta.as_of)} UTC`}
      csv={() => written(evidenceOf(meta), columns, rows)}
      chart={
        <>
          <ul className="space-y-6">
            {rows.map((row) => (
              <VoiceRow key={row.id} {...row} largest={largest} />
            ))}
          </ul>
          <p className="pt-8 text-small text-ink2">
            Mentions are counted once per answer, in answers to unbranded questions. Bars show 95 % intervals.
          </p>
        </>
      }
      table={
        <DataTable
          caption="Share of voice of the brand and its competitors, with intervals"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id ?? ''}
          total={rows.length}
        />
      }
    />
  )
}

function VoiceRow({ id, name, ratio, largest }: Voice & { largest: number }) {
  const is_own = id === null
  return (
    <li>
      <span className="flex items-baseline justify-between gap-6">
        <span className={`truncate ${is_own ? 'font-strong' : ''}`}>{visibleText(name)}</span>
        <span className="whitespace-nowrap">
          <Value value={ratio.value} format={percent} />{' '}
          {ratio.value !== null && <span className="text-small text-ink3">{fullCount(ratio.numerator)}</span>}
        </span>
      </span>
      <IntervalBar {...ratio} largest={largest} is_pale={!is_own} label={barLabel(name, ratio)} />
    </li>
  )
}

/** "Share of voice of Example, 95 % interval 25.9–27.9": the interval is written nowhere else in the chart. */
const barLabel = (name: string, { low, high }: Ratio): string =>
  `Share of voice of ${visibleText(name)}${low === null || high === null ? '' : `, 95 % interval ${interval(low, high)}`}`
