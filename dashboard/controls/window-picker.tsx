import { WINDOWS, type Window } from '../../src/contract/vocabulary.ts'
import { filterOf } from '../read/search.ts'
import { useFilterSearch, useReportSearch } from '../read/use-report.ts'
import { Segments } from './segments.tsx'

/** Windows of UTC days that end today; each option is a link. */
export function WindowPicker({ allowed = WINDOWS }: { allowed?: readonly Window[] }) {
  const { window } = filterOf(useReportSearch())
  const searchFor = useFilterSearch()
  const items = allowed.map((one) => ({ key: one, label: one, search: searchFor({ window: one }) }))
  return <Segments label="Window, UTC days" items={items} current={window} is_wide has_keys />
}
