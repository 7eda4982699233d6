import type { Session } from '../read/operations.ts'

/** Every page of the navigation. The shell leaves out pages without a route. */
export interface NavigationItem {
  to: string
  label: string
  /** Two keys: g, then this one. */
  key?: string
}
export interface NavigationGroup {
  id: 'crawlers' | 'visitors' | 'brand'
  label: string
  items: readonly NavigationItem[]
}

export const SITE_GROUPS: readonly NavigationGroup[] = [
  {
    id: 'crawlers',
    label: 'Crawlers',
    items: [
      { to: '/sites/$site/performance', label: 'Overview', key: 'o' },
      { to: '/sites/$site/crawlers', label: 'Crawlers', key: 'c' },
      { to: '/sites/$site/top-pages', label: 'Top pages', key: 'p' },
      { to: '/sites/$site/issues', label: 'Issues', key: 'i' },
      { to: '/sites/$site/access-checks', label: 'Access check', key: 'a' },
      { to: '/sites/$site/sources', label: 'Sources', key: 's' },
    ],
  },
  {
    id: 'visitors',
    label: 'Visitors',
    items: [
      { to: '/sites/$site/overview', label: 'Visits', key: 'v' },
      { to: '/sites/$site/analytics-sources', label: 'Acquisition' },
      { to: '/sites/$site/pages', label: 'Pages' },
      { to: '/sites/$site/conversions', label: 'Conversions' },
      { to: '/sites/$site/funnels', label: 'Funnels', key: 'f' },
      { to: '/sites/$site/journeys', label: 'Journeys' },
      { to: '/sites/$site/revenue', label: 'Revenue' },
    ],
  },
]

export const BRAND_ITEMS: readonly NavigationItem[] = [
  { to: '/brands/$brand/report', label: 'Report', key: 'r' },
  { to: '/brands/$brand/answers', label: 'Answers' },
  { to: '/brands/$brand/questions', label: 'Questions' },
  { to: '/brands/$brand/urls', label: 'URLs' },
  { to: '/brands/$brand/fixes', label: 'Fixes' },
  { to: '/brands/$brand/settings', label: 'Brand settings' },
]

const FOOT_ITEMS: readonly NavigationItem[] = [
  { to: '/sites/$site/settings', label: 'Site settings' },
  { to: '/settings/registry', label: 'Installation' },
  { to: '/settings/profile', label: 'Account' },
]

/** Only operators may read the pages of the installation. */
export const footItems = ({ installation_role }: Pick<Session, 'installation_role'>): readonly NavigationItem[] =>
  FOOT_ITEMS.filter(({ to }) => installation_role !== null || to !== '/settings/registry')

/** Parts of the settings, in the order of their tabs. */
export const SITE_PARTS: readonly NavigationItem[] = [
  { to: '/sites/$site/settings/members', label: 'Members' },
  { to: '/sites/$site/settings/keys', label: 'Keys' },
  { to: '/sites/$site/settings/gates', label: 'Gates and authority' },
  { to: '/sites/$site/settings/retention', label: 'Retention and privacy' },
  { to: '/sites/$site/settings/alerts', label: 'Alerts' },
  { to: '/sites/$site/settings/data', label: 'Data' },
]
export const ACCOUNT_PARTS: readonly NavigationItem[] = [
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/tokens', label: 'Tokens' },
  { to: '/settings/brands', label: 'Brands' },
  { to: '/settings/engines', label: 'Engines' },
]
export const INSTALLATION_PARTS: readonly NavigationItem[] = [
  { to: '/settings/people', label: 'People' },
  { to: '/settings/registry', label: 'Crawler registry' },
]

/** Windows that the pages of a group have; a link to them drops any other window. */
export const SHORT_WINDOW_PAGES = ['/sites/$site/funnels', '/sites/$site/journeys', '/sites/$site/revenue']
