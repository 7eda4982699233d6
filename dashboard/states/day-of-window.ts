import { RefusedSearch } from '../read/search.ts'

/**
 * The day that the address names; null where it names none, or while the days are read.
 * @throws RefusedSearch for a day outside of the window: no other day is shown in its place.
 */
export function dayOfWindow<Day extends { date: string }>(
  days: readonly Day[] | null,
  selected: string | undefined,
): Day | null {
  const [first, last] = [days?.[0], days?.at(-1)]
  if (selected === undefined || first === undefined || last === undefined) return null
  const found = days?.find(({ date }) => date === selected)
  if (found !== undefined) return found
  throw new RefusedSearch('day', selected, `a day of the window, ${first.date} to ${last.date}`)
}
