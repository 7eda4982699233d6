/** Which module of the dashboard draws which of its addresses, as its router has them; a test compares both. */

/** `$` stands for one segment of the path; of several that fit, the first counts. */
export const PAGE_MODULES: readonly (readonly [path: string, module: string])[] = [
  ['/sign-in', 'pages/sign-in/page.tsx'],
  ['/welcome', 'pages/welcome/page.tsx'],
  ['/sites', 'pages/sites/page.tsx'],
  ['/sites/$/performance', 'pages/performance/page.tsx'],
  ['/sites/$/crawlers', 'pages/crawlers/page.tsx'],
  ['/sites/$/crawlers/$', 'pages/crawler/page.tsx'],
  ['/sites/$/top-pages', 'pages/top-pages/page.tsx'],
  ['/sites/$/top-pages/one', 'pages/crawled-page/page.tsx'],
  ['/sites/$/issues', 'pages/issues/page.tsx'],
  ['/sites/$/issues/$', 'pages/issue/page.tsx'],
  ['/sites/$/access-checks', 'pages/access-checks/page.tsx'],
  ['/sites/$/sources', 'pages/sources/page.tsx'],
  ['/sites/$/sources/new', 'pages/source-new/page.tsx'],
  ['/sites/$/sources/$', 'pages/source/page.tsx'],
  ['/sites/$/overview', 'pages/overview/page.tsx'],
  ['/sites/$/analytics-sources', 'pages/analytics-sources/page.tsx'],
  ['/sites/$/pages', 'pages/pages/page.tsx'],
  ['/sites/$/conversions', 'pages/conversions/page.tsx'],
  ['/sites/$/conversions/new', 'pages/conversions/new-page.tsx'],
  ['/sites/$/conversions/properties', 'pages/conversions/properties-page.tsx'],
  ['/sites/$/conversions/$', 'pages/conversions/one-page.tsx'],
  ['/sites/$/funnels', 'pages/funnels/page.tsx'],
  ['/sites/$/funnels/new', 'pages/funnels/new-page.tsx'],
  ['/sites/$/funnels/$', 'pages/funnel/page.tsx'],
  ['/sites/$/funnels/$/edit', 'pages/funnels/edit-page.tsx'],
  ['/sites/$/journeys', 'pages/journeys/page.tsx'],
  ['/sites/$/revenue', 'pages/revenue/page.tsx'],
  ['/sites/$/tracker', 'pages/tracker/page.tsx'],
  ['/sites/$/settings/members', 'pages/settings/members.tsx'],
  ['/sites/$/settings/keys', 'pages/settings/keys.tsx'],
  ['/sites/$/settings/gates', 'pages/settings/gates.tsx'],
  ['/sites/$/settings/retention', 'pages/settings/retention.tsx'],
  ['/sites/$/settings/alerts', 'pages/settings/alerts.tsx'],
  ['/sites/$/settings/data', 'pages/settings/data.tsx'],
  ['/brands/$/report', 'pages/report/page.tsx'],
  ['/brands/$/answers', 'pages/answers/page.tsx'],
  ['/brands/$/answers/$', 'pages/answers/page.tsx'],
  ['/brands/$/questions', 'pages/questions/page.tsx'],
  ['/brands/$/urls', 'pages/urls/page.tsx'],
  ['/brands/$/fixes', 'pages/fixes/page.tsx'],
  ['/brands/$/settings', 'pages/brand-settings/page.tsx'],
  ['/settings/brands', 'pages/brands/page.tsx'],
  ['/settings/engines', 'pages/engines/page.tsx'],
  ['/settings/profile', 'pages/account/profile.tsx'],
  ['/settings/tokens', 'pages/account/tokens.tsx'],
  ['/settings/people', 'pages/account/people.tsx'],
  ['/settings/registry', 'pages/account/registry.tsx'],
]

const PATTERNS = PAGE_MODULES.map(([path, module]) => ({
  pattern: new RegExp(`^${path.replaceAll('$', '[^/]+')}/?$`),
  module,
}))

/** @param path of a request, without its query. @returns null: an address that leads elsewhere, or nowhere. */
export const pageModuleAt = (path: string): string | null =>
  PATTERNS.find(({ pattern }) => pattern.test(path))?.module ?? null
