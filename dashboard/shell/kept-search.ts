import { SHORT_WINDOWS } from '../../src/contract/vocabulary.ts'
import { given, withinAnswerDays } from '../read/brand-search.ts'
import type { Search } from '../read/search.ts'
import { useReportSearch } from '../read/use-report.ts'
import { SHORT_WINDOW_PAGES } from './navigation-items.ts'

/** What pages about a site share, and what those about a brand share beside it. */
const OF_SITE = ['window', 'purpose'] as const
const OF_BRAND = ['from', 'to', 'engines', 'country', 'branded'] as const

/**
 * The parameters that a link to the page `to` keeps. Windows that the page does not have are dropped, and days that it
 * does not have are cut.
 */
export function keptSearch(to: string, search: Search): Search {
  const values: Readonly<Record<string, string | undefined>> = { ...search }
  const names = to.startsWith('/brands/') ? [...OF_SITE, ...OF_BRAND] : OF_SITE
  const kept = Object.fromEntries(names.map((name) => [name, values[name]]))
  const is_short = SHORT_WINDOW_PAGES.some((page) => to === page || to.startsWith(`${page}/`))
  const is_refused = is_short && !(SHORT_WINDOWS as readonly string[]).includes(search.window ?? '')
  const dated = to.startsWith('/brands/$brand/answers') ? withinAnswerDays(kept) : kept
  return given({ ...dated, ...(is_refused ? { window: undefined } : {}) })
}

/** The same for links of the page that is shown. */
export function useKeptSearch(): (to: string) => Search {
  const search = useReportSearch()
  return (to) => keptSearch(to, search)
}

/** Another site's page of the same path and filters; a page about one thing, such as an issue, has no counterpart. */
export function onOtherSite(path: string, { window, purpose, ...others }: Search): { to: string; search: Search } {
  const is_same = /^\/sites\/\$site(\/[\w-]+)+\/?$/.test(path) && path !== '/sites/$site/top-pages/one'
  if (!is_same) return { to: '/sites/$site/performance', search: given({ window, purpose }) }
  const { view, day, sort, q, group, limit } = others
  return { to: path, search: given({ window, purpose, view, day, sort, q, group, limit }) }
}
