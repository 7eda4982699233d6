import type { Purpose } from '../../src/contract/vocabulary.ts'
import { PurposeMark } from '../charts/mark.tsx'
import { filterOf } from '../read/search.ts'
import { useFilterSearch, useReportSearch, useSetSearch } from '../read/use-report.ts'
import { fullCount } from '../words/numbers.ts'
import { PURPOSE_CHIPS, PURPOSE_WORDS } from '../words/purposes.ts'
import { usePressed } from './use-pressed.ts'

interface PurposeFilterProps {
  /** Requests by purpose that the filter shows, null being unknown; null while they are read. */
  shown: ReadonlyMap<Purpose, number | null> | null
  /** Requests by purpose that it leaves out. */
  hidden: ReadonlyMap<Purpose, number | null> | null
}

/** A count of the answer: undefined if the answer has no row, null if it is unknown. */
function countWords(count: number | null | undefined): string {
  if (count === undefined) return 'none'
  return count === null ? 'unknown' : fullCount(count)
}

/**
 * Which purposes are counted. A hidden purpose shows how many requests it hides, so that the rest is not taken for all.
 */
export function PurposeFilter({ shown, hidden }: PurposeFilterProps) {
  const { purposes: counted } = filterOf(useReportSearch())
  const [purposes, press] = usePressed(counted)
  const searchFor = useFilterSearch()
  const setSearch = useSetSearch()
  const toggle = (purpose: Purpose) => {
    const others = purposes.filter((one) => one !== purpose)
    const next = others.length === purposes.length ? [...purposes, purpose] : others
    // The last purpose cannot be removed, because the service refuses an empty filter.
    if (next.length === 0) return
    press(next, () => void setSearch({ purpose: undefined, ...searchFor({ purposes: next }) } as never))
  }
  const any_hidden = PURPOSE_CHIPS.some((purpose) => !purposes.includes(purpose))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid everywhere
    <div
      role="group"
      aria-label="Purposes"
      className="flex flex-wrap items-center gap-4 max-tablet:grid max-tablet:grid-cols-2"
    >
      {PURPOSE_CHIPS.map((purpose) => {
        const is_shown = purposes.includes(purpose)
        // A chip that was just pressed has no count until its answer is requested.
        const is_requested = is_shown === counted.includes(purpose)
        const count = (is_shown ? shown : hidden)?.get(purpose)
        const known = is_requested && (is_shown ? shown : hidden) !== null
        return (
          <button
            key={purpose}
            type="button"
            aria-pressed={is_shown}
            onClick={() => toggle(purpose)}
            className={`control justify-start gap-x-4 gap-y-0 px-5 max-tablet:min-h-23 max-tablet:flex-wrap max-tablet:py-2 ${is_shown ? '' : 'border-dashed border-control bg-transparent'}`}
          >
            <PurposeMark purpose={purpose} />
            <span className={is_shown ? 'font-strong' : ''}>{PURPOSE_WORDS[purpose]}</span>
            <span className="font-normal text-ink2">{known && `${countWords(count)}${is_shown ? '' : ' hidden'}`}</span>
          </button>
        )
      })}
      <span className="ml-2 text-small text-ink3 max-tablet:col-span-2 max-tablet:ml-0">
        Purposes as vendors declare them.{any_hidden && ' Hidden requests are not counted below.'}
      </span>
    </div>
  )
}
