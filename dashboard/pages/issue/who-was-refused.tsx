import { useQuery } from '@tanstack/react-query'
import type { PageDetail } from '../../../src/contract/dashboard-api/index.ts'
import { identitiesOf, identityParts } from '../../charts/identity-bar.tsx'
import { ShareBar } from '../../charts/share-bar.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { IDENTITY_ORDER, IDENTITY_WORDS } from '../../words/identities.ts'
import { fullCount } from '../../words/numbers.ts'
import type { ShownIssue } from './page.tsx'
import { pageOf } from './page-of.ts'

/** The identity of the refused requests. Impostors never open an issue. */
export function WhoWasRefused({ shown }: { shown: ShownIssue }) {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const input = pageOf(shown)
  const query = useQuery({
    ...readQuery('getPage', { site, window, host: input?.host ?? '', path: input?.path ?? '', ...input?.of_crawler }),
    enabled: input !== null,
  })
  if (input === null) return null
  return (
    <Panel
      title="Who was refused"
      note={`4xx and 5xx in the window${shown.path_count > 1 ? `, on ${shortText(input.path, 40)}` : ''}`}
    >
      <Async query={query} skeleton={<SkeletonRows rows={2} />}>
        {({ crawlers, observed_request_count }) => (
          <PanelBody>
            {observed_request_count === null ? (
              <p className="text-ink2">Unknown: no source covered this window.</p>
            ) : (
              <Refused rows={refusedByIdentity(crawlers)} />
            )}
          </PanelBody>
        )}
      </Async>
    </Panel>
  )
}

interface RefusedRow {
  identity: (typeof IDENTITY_ORDER)[number]
  observed_request_count: number
  refused: number
}

function Refused({ rows }: { rows: readonly RefusedRow[] }) {
  if (rows.length === 0) return <p className="text-ink2">No request was observed in the watched time.</p>
  const parts = identityParts(
    identitiesOf(rows.map(({ identity, refused }) => ({ identity, observed_request_count: refused }))),
  )
  return (
    <>
      <ShareBar parts={parts} label="Refused requests by identity" height={12} className="mb-6 w-full" />
      <ul>
        {rows.map(({ identity, observed_request_count, refused }) => (
          <li key={identity} className="flex justify-between gap-8 py-2 text-dense">
            <span className="first-letter:uppercase">
              {identity === 'unknown' ? 'Impostors, not in this issue' : IDENTITY_WORDS[identity]}
            </span>
            <span>
              {fullCount(refused)} of {fullCount(observed_request_count)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Added up over the crawlers, strongest identity first; identities without requests are left out. */
export function refusedByIdentity(crawlers: PageDetail['crawlers']): RefusedRow[] {
  const all = crawlers.flatMap(({ identities }) => identities)
  return IDENTITY_ORDER.flatMap((identity) => {
    const rows = all.filter((row) => row.identity === identity)
    if (rows.length === 0) return []
    const outcomes = rows.flatMap(({ http_outcomes }) => http_outcomes)
    return [{ identity, observed_request_count: sum(rows), refused: sum(outcomes.filter(isRefused)) }]
  })
}

const isRefused = ({ outcome }: { outcome: string }) => outcome === '4xx' || outcome === '5xx'
const sum = (rows: readonly { observed_request_count: number }[]) =>
  rows.reduce((total, { observed_request_count }) => total + observed_request_count, 0)
