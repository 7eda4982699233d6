/** Every page of the dashboard, as its router knows them: a new page is covered by itself. */
import { createMemoryHistory } from '@tanstack/react-router'
import { createQueries } from '../../../../dashboard/read/queries.ts'
import { createDashboard } from '../../../../dashboard/router.tsx'
import type { OpenedDashboard } from './open.ts'

/** What stands for `$name` in paths. */
export type Subjects = Readonly<Record<string, string>>

/** Forms of a page beside its plain one, and what a page cannot be without. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  '/sites/$site/performance': ['', '?group=identity&day=2026-03-07', '?view=table&window=3d'],
  '/sites/$site/top-pages/one': ['?host=example.com&path=/pricing'],
  '/sites/$site/top-pages': ['?group=content'],
  '/sites/$site/overview': ['', '?group=sessions&view=table'],
  '/sites/$site/issues': ['', '?group=ended'],
  '/brands/$brand/report': ['', '?compare=previous&interval=day&from=2026-03-01&to=2026-03-10'],
}

/** The first of each kind that the demo's history holds. */
export async function findSubjects({ ask }: Pick<OpenedDashboard, 'ask'>): Promise<Subjects> {
  const read = (operation: string, query: Record<string, string> = {}) =>
    ask<Record<string, { id: string }[]>>(operation, query)
  const idOf = (rows: readonly object[] | undefined, what: string, member = 'id') => {
    const id = (rows?.[0] as Record<string, string> | undefined)?.[member]
    if (id === undefined) throw new Error(`the demo's history holds no ${what}`)
    return id
  }
  const { sites, brands } = await read('getSession')
  const [site, brand] = [idOf(sites, 'site'), idOf(brands, 'brand')]
  return {
    site,
    brand,
    crawler: 'gptbot',
    host: 'example.com',
    issue: idOf((await read('listIssues', { site })).issues, 'issue'),
    source: idOf((await read('source.list', { site })).sources, 'source'),
    conversion: idOf((await read('getAnalyticsConversions', { site })).conversions, 'conversion', 'conversion_id'),
    funnel: idOf((await read('getAnalyticsFunnels', { site })).funnels, 'funnel', 'slug'),
    answer: idOf((await read('listAnswers', { brandId: brand })).answers, 'answer'),
  }
}

/**
 * Addresses of every route that shows something; those that only lead elsewhere are left out. Pages of one group, and
 * forms of one page, do not stand beside each other, so that each address is followed from a page with another heading.
 */
export function addressesOf(subjects: Subjects): string[] {
  const { routesByPath } = createDashboard(createQueries(), createMemoryHistory())
  const addresses = Object.entries(
    routesByPath as unknown as Readonly<Record<string, { options: { component?: unknown } }>>,
  )
    .filter(([, { options }]) => options.component !== undefined)
    .flatMap(([path]) => (SEARCHES[path] ?? ['']).map((search) => `${fill(path, subjects)}${search}`))
  const half = Math.ceil(addresses.length / 2)
  return addresses
    .slice(0, half)
    .flatMap((address, index) => [address, ...addresses.slice(half + index, half + index + 1)])
}

export const fill = (path: string, subjects: Subjects): string =>
  path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = subjects[name]
    if (value === undefined) throw new Error(`${path}: add a value of $${name} to findSubjects`)
    return value
  })
