import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FirstRecord } from '../../connect/first-record.tsx'
import { Badge } from '../../controls/badge.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { PageTitle } from '../../shell/title.tsx'
import { useSite } from '../../shell/use-site.ts'
import { Async, SkeletonBox } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { Column, Columns } from '../../states/report-page.tsx'
import { visibleText } from '../../words/foreign-text.ts'
import { CONNECTION_TONES, CONNECTION_WORDS, SOURCE_TYPE_WORDS } from '../../words/sources.ts'
import { SendersPanel } from './senders-panel.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceFacts } from './source-facts.tsx'
import { TokensPanel } from './tokens-panel.tsx'

/** What does this source deliver, and what is wrong with it? */
export function SourcePage() {
  const id = useSiteId()
  const keptFor = useKeptSearch()
  const site = useSite()
  const { source: source_id } = useParams({ strict: false }) as { source: string }
  const list = useQuery(readQuery('source.list', { site: id }))
  const sources = useQuery(readQuery('getSources', { site: id }))
  const named = list.data?.sources.find((source) => source.id === source_id)
  const title = named === undefined ? 'Source' : visibleText(named.name || SOURCE_TYPE_WORDS[named.source_type])
  return (
    <div className="space-y-8">
      <PageTitle
        title={title}
        site={site?.root_domain}
        above={
          <PageLink
            to="/sites/$site/sources"
            params={{ site: id }}
            search={keptFor('/sites/$site/sources')}
            className="hover:underline"
          >
            Evidence sources
          </PageLink>
        }
        controls={
          named !== undefined && (
            <Badge tone={CONNECTION_TONES[named.connection_status]}>{CONNECTION_WORDS[named.connection_status]}</Badge>
          )
        }
      >
        {title}
      </PageTitle>
      <Async query={list} skeleton={<SkeletonBox height={240} />}>
        {() =>
          named === undefined ? (
            <Panel title="There is no such source">
              <PanelBody>It does not belong to this site, or its site was removed.</PanelBody>
            </Panel>
          ) : (
            <>
              {named.connection_status === 'pending' && <FirstRecord site={id} source={source_id} />}
              <Columns>
                <Column>
                  <Panel title="Evidence">
                    <Async query={sources} skeleton={<SkeletonBox height={160} />}>
                      {({ sources: all }) => (
                        <SourceFacts source={all.find((one) => one.id === source_id)} named={named} />
                      )}
                    </Async>
                  </Panel>
                  {named.source_type === 'https_intake' && <SendersPanel source={source_id} />}
                  {named.source_type === 'https_intake' && <TokensPanel source={source_id} />}
                </Column>
                <SourceActions source={named} sources={list.data?.sources ?? []} />
              </Columns>
            </>
          )
        }
      </Async>
    </div>
  )
}
