import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../controls/button.tsx'
import { change } from '../../read/client.ts'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useCrawlerNames } from '../../read/use-crawler-names.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { ErrorPanel, errorWords } from '../../states/error-panel.tsx'
import { Panel } from '../../states/panel.tsx'
import { PathText } from '../../tables/path-text.tsx'
import { dayText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { HARM_WORDS } from '../../words/issues.ts'
import { OWNERS_ONLY } from '../../words/refusals.ts'

type Mark = ReadOutput<'issue.intended_list'>['marks'][number]

/** Harm that the owner marked as intended. It is listed, because no issue is opened for it. */
export function IntendedMarks() {
  const site = useSiteId()
  const query = useQuery(readQuery('issue.intended_list', { site }))
  const marks = query.data?.marks.filter(({ revoked_at }) => revoked_at === null)
  if (query.error !== null && marks === undefined) {
    return (
      <Panel title="Marked as intended">
        <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
      </Panel>
    )
  }
  if (marks === undefined || marks.length === 0) return null
  return (
    <Panel title="Marked as intended" note="no issue is opened for these">
      <ul>
        {marks.map((mark) => (
          <MarkRow key={mark.id} mark={mark} />
        ))}
      </ul>
    </Panel>
  )
}

function MarkRow({ mark }: { mark: Mark }) {
  const nameOf = useCrawlerNames()
  const site = useSite()
  const queries = useQueryClient()
  const revoke = async () => {
    if (site === undefined) return
    try {
      await change('issue.intended_revoke', { site: site.id, mark: mark.id })
      announce('Revoked. Evidence from now on opens a new issue.')
      await queries.invalidateQueries()
    } catch (error) {
      announce(errorWords(error instanceof Error ? error : new Error(String(error))))
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-x-8 gap-y-3 border-t border-line px-8 py-5 max-tablet:px-6">
      <span className="min-w-0 grow">
        <PathText host={mark.host} path={mark.path_key} />
        <span className="block text-small text-ink2">
          {HARM_WORDS[mark.harm]} of {mark.crawler_id === null ? 'every crawler' : shortText(nameOf(mark.crawler_id))},
          since {dayText(mark.created_at.slice(0, 10))}
        </span>
      </span>
      <Button onClick={revoke} forbidden={site?.role === 'owner' ? undefined : OWNERS_ONLY}>
        Revoke
      </Button>
    </li>
  )
}
