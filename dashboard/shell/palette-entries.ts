import { mayOnBrand } from '../brand/use-may-edit.ts'
import type { Session } from '../read/operations.ts'
import type { Search } from '../read/search.ts'
import {
  ACCOUNT_PARTS,
  BRAND_ITEMS,
  footItems,
  INSTALLATION_PARTS,
  type NavigationItem,
  SITE_GROUPS,
  SITE_PARTS,
} from './navigation-items.ts'
import { THEMES, type Theme } from './theme.ts'
import { mayOf } from './use-may.ts'

export interface PaletteEntry {
  key: string
  label: string
  /** Where it leads, or what it is about. */
  group: string
  /** The API's word for it, which is searched as well. */
  word: string
  target: { to: string; params: Record<string, string>; search?: Search } | { theme: Theme } | { dialog: 'keys' }
  /** Why the person cannot do it; it stays listed. */
  forbidden?: string
}

interface Where {
  session: Session
  site: string | undefined
  brand: string | undefined
  /** Whether a page of that path exists. */
  exists: (to: string) => boolean
}

const THEME_LABELS: Record<Theme, string> = {
  light: 'Switch to light',
  dark: 'Switch to dark',
  system: 'Use the system theme',
}

/** Pages of the site and brand that are shown, then other sites and brands, then actions. */
export function paletteEntries({ session, site, brand, exists }: Where): PaletteEntry[] {
  const shown_site = session.sites.find(({ id }) => id === site) ?? session.sites[0]
  const shown_brand = session.brands.find(({ id }) => id === brand) ?? session.brands[0]
  const page = (group: string, params: Record<string, string>) => (item: NavigationItem) =>
    exists(item.to) ? [pageEntry(item.label, group, item.to, params)] : []
  const of_site =
    shown_site === undefined
      ? []
      : SITE_GROUPS.flatMap(({ label, items }) => items.flatMap(page(label, { site: shown_site.id })))
  const of_brand =
    shown_brand === undefined ? [] : BRAND_ITEMS.flatMap(page(shown_brand.name, { brand: shown_brand.id }))
  const parts = [
    ...(shown_site === undefined
      ? []
      : SITE_PARTS.flatMap(page(`Settings of ${shown_site.root_domain}`, { site: shown_site.id }))),
    ...ACCOUNT_PARTS.flatMap(page('Account', {})),
    ...(session.installation_role === null ? [] : INSTALLATION_PARTS.flatMap(page('Installation', {}))),
  ]
  const foot = footItems(session)
    .filter(({ to }) => shown_site !== undefined || !to.includes('$site'))
    .flatMap(page('Settings', shown_site === undefined ? {} : { site: shown_site.id }))
  const sites = session.sites.map(({ id, root_domain }) =>
    pageEntry(root_domain, 'Site', '/sites/$site/performance', { site: id }),
  )
  const brands = exists('/brands/$brand/report')
    ? session.brands.map(({ id, name }) => pageEntry(name, 'Brand', '/brands/$brand/report', { brand: id }))
    : []
  const all_sites = exists('/sites') ? [pageEntry('All sites', 'Sites', '/sites', {})] : []
  return [
    ...[...of_site, ...of_brand, ...all_sites, ...foot, ...parts],
    ...[...sites, ...brands, ...actions(session, shown_site, shown_brand, exists)],
  ]
}

/** Actions with their own page, for editors. */
const DONE_ON_PAGES = [
  { label: 'Upload a log', to: '/sites/$site/sources/new', word: 'uploadLog import' },
  { label: 'Create a conversion', to: '/sites/$site/conversions/new', word: 'conversion' },
  { label: 'Build a funnel', to: '/sites/$site/funnels/new', word: 'funnel' },
] as const

function actions(
  session: Session,
  site: Session['sites'][number] | undefined,
  brand: Session['brands'][number] | undefined,
  exists: Where['exists'],
): PaletteEntry[] {
  const of_site = DONE_ON_PAGES.flatMap(({ label, to, word }): PaletteEntry[] =>
    site === undefined || !exists(to)
      ? []
      : [
          {
            ...pageEntry(label, 'Action', to, { site: site.id }),
            word,
            ...forbiddenBy(mayOf(site.role, session).edit),
          },
        ],
  )
  const of_brand =
    brand !== undefined && exists('/brands/$brand/questions')
      ? [
          {
            ...pageEntry('Add questions', 'Action', '/brands/$brand/questions', { brand: brand.id }),
            ...forbiddenBy(mayOnBrand(session, brand.site_id).edit),
          },
        ]
      : []
  const themes = THEMES.map(
    (theme): PaletteEntry => ({
      key: `theme ${theme}`,
      label: THEME_LABELS[theme],
      group: 'Action',
      word: `theme ${theme}`,
      target: { theme },
    }),
  )
  return [...of_site, ...of_brand, ...themes, KEYS]
}

const forbiddenBy = (reason: string | undefined) => (reason === undefined ? {} : { forbidden: reason })

const KEYS: PaletteEntry = {
  key: 'keys',
  label: 'Keys: list them, switch them on or off',
  group: 'Action',
  word: 'keys shortcuts',
  target: { dialog: 'keys' },
}

const pageEntry = (label: string, group: string, to: string, params: Record<string, string>): PaletteEntry => ({
  key: `${to} ${Object.values(params).join(' ')} ${label}`,
  label,
  group,
  word: to.split('/').at(-1) ?? '',
  target: { to, params },
})

/** Those whose label, group or API word holds the letters in order, the closest first; without text, all in order. */
export function foundEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...entries]
  return entries
    .map((entry) => ({
      entry,
      score: Math.min(
        distance(entry.label, wanted),
        distance(`${entry.group} ${entry.label}`, wanted) + 1,
        distance(entry.word, wanted) + 2,
      ),
    }))
    .filter(({ score }) => score < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.score - b.score)
    .map(({ entry }) => entry)
}

/** The number of letters between the wanted ones; less at the start of a word, infinite without a match. */
function distance(text: string, wanted: string): number {
  const lower = text.toLowerCase()
  const at = lower.indexOf(wanted)
  if (at >= 0) return at === 0 || lower[at - 1] === ' ' ? 0 : 3
  let from = 0
  let skipped = 0
  for (const letter of wanted) {
    const found = lower.indexOf(letter, from)
    if (found < 0) return Number.POSITIVE_INFINITY
    skipped += found - from
    from = found + 1
  }
  return 10 + skipped
}
