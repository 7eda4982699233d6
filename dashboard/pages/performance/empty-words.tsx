import type { Performance } from '../../../src/contract/site-api/index.ts'
import { PURPOSES } from '../../../src/contract/vocabulary.ts'
import { PageLink } from '../../controls/page-link.tsx'
import type { DayEvidence } from '../../evidence/day.ts'
import { useFilterSearch } from '../../read/use-report.ts'
import { counted, fullCount } from '../../words/numbers.ts'
import { PURPOSE_WORDS } from '../../words/purposes.ts'

/** No crawler was observed in the time that was watched; the filter may be the reason. */
export function EmptyWords({ answer, days }: { answer: Performance; days: readonly DayEvidence[] }) {
  const searchFor = useFilterSearch()
  const full = days.filter(({ state }) => state === 'complete').length
  const hidden = answer.hidden_by_purpose_filter
  return (
    <div className="mt-8 flex flex-wrap items-center gap-x-8 gap-y-4 text-ink2">
      <p>
        {full === 0
          ? 'No crawler was observed in the time that was watched.'
          : `No crawler was observed in the ${counted(full, 'day that was', 'days that were')} watched in full.`}
        {hidden.length > 0 &&
          ` The purpose filter hides ${hidden
            .map(
              ({ purpose, observed_request_count }) =>
                `${fullCount(observed_request_count)} of ${PURPOSE_WORDS[purpose]}`,
            )
            .join(', ')}.`}
      </p>
      {hidden.length > 0 && (
        <PageLink to="." search={searchFor({ purposes: PURPOSES })} className="control">
          Show all purposes
        </PageLink>
      )}
    </div>
  )
}
