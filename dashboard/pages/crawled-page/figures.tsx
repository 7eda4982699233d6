import type { PageDetail } from '../../../src/contract/dashboard-api/index.ts'
import type { OutcomeClass } from '../../../src/contract/vocabulary.ts'
import { Figure, Figures } from '../../states/figures.tsx'
import { percent } from '../../words/numbers.ts'

/** What happened to the requests for one page. */
export function CrawledPageFigures({ answer }: { answer: PageDetail | undefined }) {
  const total = answer?.observed_request_count
  const failed = partOf(answer, ['4xx', '5xx'])
  const unobserved = partOf(answer, ['response_unobserved'])
  const ofTotal = (part: number | null | undefined) =>
    typeof part !== 'number' || typeof total !== 'number' || total === 0
      ? undefined
      : `${percent(part / total)} of requests`
  return (
    <Figures label="Figures">
      <Figure label="Observed requests" value={total} note="in the time that was watched" />
      <Figure
        label="Crawlers"
        value={total === undefined || total === null ? total : answer?.crawlers.length}
        note="observed on this page"
      />
      <Figure label="Answered 4xx or 5xx" value={failed} note={ofTotal(failed)} />
      <Figure label="Response unobserved" value={unobserved} note={ofTotal(unobserved)} />
    </Figures>
  )
}

/** The sum of outcomes; one without a row was not observed. Null if the total is unknown. */
function partOf(answer: PageDetail | undefined, outcomes: readonly OutcomeClass[]): number | null | undefined {
  if (answer === undefined) return undefined
  if (answer.observed_request_count === null) return null
  return answer.http_outcomes
    .filter(({ outcome }) => outcomes.includes(outcome))
    .reduce((sum, { observed_request_count }) => sum + observed_request_count, 0)
}
