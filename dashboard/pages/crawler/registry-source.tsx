import { useQuery } from '@tanstack/react-query'
import type { RegistryFacts } from '../../../src/contract/dashboard-api/index.ts'
import { OutsideLink } from '../../controls/outside-link.tsx'
import { readQuery } from '../../read/queries.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { dayText } from '../../words/days.ts'

type Crawler = NonNullable<RegistryFacts['crawler']>
type Evidence = NonNullable<Crawler['purpose_source']>['evidence']

const EVIDENCE_WORDS: Record<Evidence, string> = {
  vendor_page: 'read on the vendor’s page',
  vendor_page_via_dated_copy: 'read in a dated copy of the vendor’s page',
  vendor_page_paraphrased_by_reviewer: 'summarised by a reviewer from the vendor’s page',
}

/** The sources of the registry's entry, by which a reader can check the purpose. */
export function RegistrySource({ crawler_id }: { crawler_id: string }) {
  const query = useQuery(readQuery('getRegistryFacts', { crawler_id }))
  return (
    <Panel title="Sources of the registry">
      <Async query={query} skeleton={<SkeletonRows rows={2} />}>
        {({ crawler, version }) => (
          <PanelBody>
            {crawler === null ? (
              <p className="text-ink2">Registry {version} has no entry of this crawler.</p>
            ) : (
              <Sources crawler={crawler} />
            )}
          </PanelBody>
        )}
      </Async>
    </Panel>
  )
}

function Sources({ crawler: { purpose_source, source_url } }: { crawler: Crawler }) {
  if (purpose_source === null) {
    return (
      <>
        <p className="mb-3 text-ink2">
          No reviewed page of the vendor declares a purpose. The crawler is described on:
        </p>
        <Address url={source_url} />
      </>
    )
  }
  const { url, evidence, checked_on } = purpose_source
  const on = checked_on === null ? '' : ` on ${dayText(checked_on)} ${checked_on.slice(0, 4)}`
  return (
    <>
      <Address url={url} />
      <p className="mt-3 text-small text-ink2">
        The declared purpose, {EVIDENCE_WORDS[evidence]}
        {on}.
      </p>
      {source_url !== url && (
        <>
          <p className="mt-6 mb-3 text-ink2">How the vendor says to recognise it:</p>
          <Address url={source_url} />
        </>
      )}
    </>
  )
}

const Address = ({ url }: { url: string }) => (
  <p className="text-dense wrap-anywhere">
    <OutsideLink href={url}>{url.replace(/^https?:\/\//, '')}</OutsideLink>
  </p>
)
