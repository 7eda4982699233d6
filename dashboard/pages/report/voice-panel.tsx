import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { IntervalBar } from '../../charts/interval-bar.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import { useBrandId } from '../../read/brand-search.ts'
import { Panel } from '../../states/panel.tsx'
import { visibleText } from '../../words/foreign-text.ts'
import { fullCount, percent } from '../../words/numbers.ts'
import type { Ratio } from './report-figures.tsx'

/** The brand beside its competitors, all with the same scale. */
export function VoicePanel({ report: { metrics, competitors }, name }: { report: BrandReport; name: string }) {
  const brand = useBrandId()
  if (metrics.share_of_voice === null) {
    return (
      <Panel title="Share of voice">
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
  const rows = [
    { id: 'own', name, ratio: metrics.share_of_voice, is_own: true },
    ...competitors.map((one) => ({ id: one.id, name: one.name, ratio: one.share_of_voice, is_own: false })),
  ]
  const largest = Math.max(0.05, ...rows.map(({ ratio }) => ratio.high ?? ratio.value ?? 0))
  return (
    <Panel title="Share of voice">
      <ul className="space-y-6 px-8 max-tablet:px-6">
        {rows.map((row) => (
          <VoiceRow key={row.id} {...row} largest={largest} />
        ))}
      </ul>
      <p className="px-8 py-8 text-small text-ink2 max-tablet:px-6">
        Mentions are counted once per answer, in answers to unbranded questions. Bars show 95 % intervals.
      </p>
    </Panel>
  )
}

interface VoiceRowProps {
  name: string
  ratio: Ratio
  is_own: boolean
  largest: number
}

const VoiceRow = ({ name, ratio, is_own, largest }: VoiceRowProps) => (
  <li>
    <span className="flex items-baseline justify-between gap-6">
      <span className={`truncate ${is_own ? 'font-strong' : ''}`}>{visibleText(name)}</span>
      <span className="whitespace-nowrap">
        <Value value={ratio.value} format={percent} />{' '}
        {ratio.value !== null && <span className="text-small text-ink3">{fullCount(ratio.numerator)}</span>}
      </span>
    </span>
    <IntervalBar {...ratio} largest={largest} is_pale={!is_own} label={`Share of voice of ${visibleText(name)}`} />
  </li>
)
