import type { CrawlerAnswer } from '../../../src/contract/site-api/index.ts'
import { IdentityLegend } from '../../charts/identity-bar.tsx'
import { PartsPanel } from '../../charts/parts-panel.tsx'
import { ShareBar } from '../../charts/share-bar.tsx'
import { trackSummary } from '../../evidence/day-track.tsx'
import { Value } from '../../evidence/value.tsx'
import { useCoverage } from '../../states/report-page.tsx'
import { csvOf } from '../../tables/csv.ts'
import { ADDRESS_LIST_WORDS } from '../../words/identities.ts'
import { percent } from '../../words/numbers.ts'
import { identityShares } from './identity-shares.ts'

/** The requests by identity: how certain it is that the crawler itself sent them. */
export function IdentityPanel({ answer }: { answer: CrawlerAnswer }) {
  const { days } = useCoverage()
  const parts = identityShares(answer)
  const total = answer.observed_request_count
  return (
    <PartsPanel
      title="Who it was"
      file_name="requests-by-identity"
      part={{ head: 'Identity', name: 'identity' }}
      count={{ head: 'Requests', name: 'observed_request_count' }}
      {...{ parts, total }}
      evidence={days === null ? '' : trackSummary(days)}
      csv={(columns, rows) => csvOf(answer.meta, columns, rows)}
      chart={
        <>
          <ShareBar parts={parts} label="Requests by identity" height={14} className="mb-6 w-full" />
          <ul>
            {parts.map(({ key, label, count }) => (
              <li key={key} className="flex gap-6 py-3">
                <span className="mr-auto first-letter:uppercase">{label}</span>
                <Value value={count} />
                <span className="w-29 text-right text-ink2">
                  {total !== null && total > 0 && <Value value={count / total} format={percent} />}
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-3 mb-6 text-small text-ink2">{ADDRESS_LIST_WORDS[answer.address_list]}</p>
          <IdentityLegend keys={parts.map(({ key }) => key)} />
        </>
      }
    />
  )
}
