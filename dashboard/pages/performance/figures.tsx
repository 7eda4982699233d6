import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Crawlers, Performance, TopPages } from '../../../src/contract/site-api/index.ts'
import { readQuery } from '../../read/queries.ts'
import { hasFailed } from '../../states/async.tsx'
import { ErrorPanel } from '../../states/error-panel.tsx'
import { Figure, Figures } from '../../states/figures.tsx'
import { fullCount, percent } from '../../words/numbers.ts'
import { knownCrawlers, ofKnown } from './purposes.ts'

interface FiguresProps {
  performance: UseQueryResult<Performance>
  crawlers: UseQueryResult<Crawlers>
  pages: UseQueryResult<TopPages>
}

/** Six numbers; each is undefined while it is read and null while it is unknown. */
export function CrawlerOverviewFigures({ performance, crawlers, pages }: FiguresProps) {
  const registry = useQuery(readQuery('getRegistryFacts', {}))
  if (performance.error !== null && performance.data === undefined) {
    return (
      <div className="panel">
        <ErrorPanel error={performance.error} onRetry={() => void performance.refetch()} />
      </div>
    )
  }
  const total = performance.data?.observed_request_count
  const ofTotal = (part: number | null | undefined) =>
    part === null || part === undefined || total === null || total === undefined || total === 0
      ? undefined
      : `${percent(part / total)} of requests`
  const unobserved = countOf(
    performance.data,
    (answer) => answer.http_outcomes.find(({ outcome }) => outcome === 'response_unobserved')?.observed_request_count,
  )
  const infrastructure = countOf(
    performance.data,
    (answer) =>
      answer.observed_by_path_class.find(({ path_class }) => path_class === 'infrastructure')?.observed_request_count,
  )
  const rows = knownOf(crawlers, knownCrawlers)
  const impostors = ofKnown(rows, (all) => all.reduce((sum, { impostor_request_count: count }) => sum + count, 0))
  return (
    <Figures label="Figures">
      <Figure label="Observed requests" value={total} note="in the time that was watched" />
      <Figure
        label="Crawlers"
        value={ofKnown(rows, ({ length }) => length)}
        note={
          registry.data === undefined
            ? 'observed in the window'
            : `of ${fullCount(registry.data.crawlers)} in the registry`
        }
        unknown_note={unreadNote(crawlers)}
      />
      <Figure
        label="Pages"
        value={knownOf(pages, ({ total_count }) => total_count)}
        note="distinct host and path"
        unknown_note={unreadNote(pages)}
      />
      <Figure label="Response unobserved" value={unobserved} note={ofTotal(unobserved)} />
      <Figure label="Infrastructure" value={infrastructure} note={ofTotal(infrastructure)} />
      <Figure label="Impostors" value={impostors} note={ofTotal(impostors)} unknown_note={unreadNote(crawlers)} />
    </Figures>
  )
}

/** Something of an answer; undefined while it is read, null if it could not be read. */
function knownOf<Answer, Known>(
  query: UseQueryResult<Answer>,
  of: (answer: Answer) => Known,
): Known | null | undefined {
  if (query.data !== undefined) return of(query.data)
  return hasFailed(query) ? null : undefined
}

const unreadNote = (query: UseQueryResult) => (hasFailed(query) ? 'could not be read' : undefined)

/** A missing row means zero, unless the whole list is unknown. */
function countOf(answer: Performance | undefined, find: (answer: Performance) => number | undefined) {
  if (answer === undefined) return undefined
  if (answer.observed_request_count === null) return null
  const found = find(answer)
  return found === undefined ? 0 : found
}
