/** Whether the outcomes of a crawler at a page meet the rule of a harm (rules 8.1). */

import type { PageOutcome } from '../evidence/page-outcomes.sql.ts'
import { meetsRule, type StatusHarm, totalRequests } from '../harms.ts'
import type { HarmedPath } from './group-units.ts'

/** Counts, days and identity of the harm of one crawler at one page, from one vantage. */
export type HarmedUnit = Omit<HarmedPath, 'host' | 'path' | 'page_id' | 'crawler_id' | 'vantage'>

/** Null if this harm does not meet the rule. @param own all outcomes of one page, crawler and vantage. */
export function harmedUnit(own: readonly PageOutcome[], harm: StatusHarm): HarmedUnit | null {
  const bad = own.filter((one) => one.harm === harm)
  const counts = { harmful: totalRequests(bad), observed: totalRequests(own) }
  if (!meetsRule(counts)) return null
  const without_login = totalRequests(bad.filter(({ status }) => status !== 401))
  const days = bad.map(({ day }) => day).sort()
  return {
    harm,
    ...counts,
    is_login_asked: meetsRule({ ...counts, harmful: without_login }) ? 0 : 1,
    rank: Math.min(...bad.map(({ rank }) => rank)),
    first_ms: Math.min(...bad.map(({ first_ms }) => first_ms)),
    last_ms: Math.max(...bad.map(({ last_ms }) => last_ms)),
    first_day: days[0] as string,
    last_day: days.at(-1) as string,
  }
}
