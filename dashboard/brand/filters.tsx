/** Filters of the pages of a brand. Their values are in the address; no filter has its own state. */
import { useQuery } from '@tanstack/react-query'
import { ENGINES } from '../../src/contract/vocabulary.ts'
import { CheckMenu } from '../controls/check-menu.tsx'
import { DateRange } from '../controls/date-range.tsx'
import { CloseIcon } from '../controls/icons.tsx'
import { PageLink } from '../controls/page-link.tsx'
import { SelectField } from '../forms/select.tsx'
import { type BrandSearch, lastDays, rangeOf, useBrandId, useBrandSearch } from '../read/brand-search.ts'
import { readQuery, sessionQuery } from '../read/queries.ts'
import { useSetSearch } from '../read/use-report.ts'
import { countryName, ENGINE_WORDS } from '../words/brand.ts'
import { shortText } from '../words/foreign-text.ts'

/** Changes the address, adds a step to the history, and shows the first page of a list. */
export function useBrandFilter() {
  const setSearch = useSetSearch()
  return (change: Partial<Record<keyof BrandSearch, string | undefined>>) =>
    setSearch({ offset: undefined, ...change } as never)
}

/** The current UTC day of the service, because its clock may be simulated. */
export function useToday(): string {
  const { data, dataUpdatedAt } = useQuery(sessionQuery())
  return todayOf(data?.as_of, dataUpdatedAt, Date.now())
}

/** The service's day, which goes on after its clock was read: a page may stay open over midnight. */
export function todayOf(as_of: string | undefined, read_at_ms: number, now_ms: number): string {
  const at = as_of === undefined ? now_ms : Date.parse(as_of) + Math.max(0, now_ms - read_at_ms)
  return new Date(at).toISOString().slice(0, 10)
}

export function BrandDates({ max_days = 366 }: { max_days?: number }) {
  const today = useToday()
  const search = useBrandSearch()
  const filter = useBrandFilter()
  return (
    <DateRange
      {...rangeOf(search, today)}
      key={`${search.from} ${search.to}`}
      {...{ today, max_days }}
      presets={[7, 30, 90, 365].filter((days) => days <= max_days)}
      onPreset={(days) => filter({ from: undefined, to: undefined, ...lastDays(days, today) })}
      onRange={(range) => filter({ ...range })}
    />
  )
}

export function EngineFilter() {
  const { engines } = useBrandSearch()
  const filter = useBrandFilter()
  const { data, isPending } = useQuery(readQuery('getPlan', {}))
  // Most accounts have several engines, so that the page does not move when they are read.
  if (isPending) return <span aria-hidden="true" className="control skeleton w-60 max-tablet:w-auto" />
  const named: readonly string[] = engines?.split(',') ?? []
  const plan: readonly string[] = data?.engines.map(({ engine }) => engine) ?? []
  // An engine that the plan lacks is an option as long as the address names it.
  const all = ENGINES.filter((engine) => plan.includes(engine) || named.includes(engine))
  if (all.length < 2 && engines === undefined) return null
  const chosen = engines === undefined ? all : named
  const some = chosen.length === 1 ? engineWords(chosen[0]) : `${chosen.length} of ${all.length} engines`
  return (
    <CheckMenu
      label="Engines"
      text={engines === undefined ? `${all.length} engines` : some}
      options={all.map((engine) => ({ key: engine, label: ENGINE_WORDS[engine] }))}
      chosen={chosen}
      onChoose={(keys) =>
        filter({
          engines: keys.length === all.length ? undefined : all.filter((engine) => keys.includes(engine)).join(','),
        })
      }
    />
  )
}

const engineWords = (engine = ''): string => ENGINE_WORDS[engine as keyof typeof ENGINE_WORDS] ?? engine

const ANY = 'any'

/** Countries of the brand's questions. */
export function CountryFilter() {
  const { country } = useBrandSearch()
  const filter = useBrandFilter()
  const questions = useQuery(readQuery('listQuestions', { brandId: useBrandId(), status: 'all', limit: 200 })).data
  const found = new Set(questions?.questions.map((question) => question.country ?? 'none'))
  if (country !== undefined) found.add(country)
  if (found.size < 2 && country === undefined) return null
  const options = [...found].sort().map((key) => ({ key, label: countryName(key) }))
  return (
    <Choice
      label="Country"
      value={country}
      options={[{ key: ANY, label: 'Any country' }, ...options]}
      onChoose={(key) => filter({ country: key })}
    />
  )
}

interface ChoiceProps {
  label: string
  value: string | undefined
  options: readonly { key: string; label: string }[]
  onChoose: (key: string | undefined) => void
}

/** A parameter with a few values; the first option removes the filter. */
export const Choice = ({ label, value, options, onChoose }: ChoiceProps) => (
  <SelectField
    label={label}
    is_label_hidden
    selected={value ?? options[0]?.key ?? null}
    options={options}
    onSelect={(key) => onChoose(key === options[0]?.key ? undefined : key)}
  />
)

export function BrandedFilter() {
  const { branded } = useBrandSearch()
  const filter = useBrandFilter()
  return (
    <Choice
      label="Kind of questions"
      value={branded}
      options={[
        { key: ANY, label: 'All questions' },
        { key: 'false', label: 'Unbranded questions' },
        { key: 'true', label: 'Branded questions' },
      ]}
      onChoose={(key) => filter({ branded: key })}
    />
  )
}

/** The question that a link selected, with a button that shows all questions again. */
export function QuestionFilter() {
  const search = useBrandSearch()
  const questions = useQuery({
    ...readQuery('listQuestions', { brandId: useBrandId(), status: 'all', limit: 200 }),
    enabled: search.question_id !== undefined,
  }).data
  if (search.question_id === undefined) return null
  const { question_id, offset: _offset, ...others } = search
  const found = questions?.questions.find(({ id }) => id === question_id)
  return (
    <PageLink to="." search={others} className="control max-w-260">
      <span className="truncate">{found === undefined ? 'One question' : shortText(found.text, 80)}</span>
      <CloseIcon className="h-6 w-6" />
      <span className="sr-only">. Show all questions</span>
    </PageLink>
  )
}
