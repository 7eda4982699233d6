import type { Caller, Viewer } from '#accounts/caller.ts'
import type { SiteList } from '#contract/site-api/index.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import { visibleSites } from './find-site.ts'
import type { Site } from './site.ts'

/** The sites a caller sees, by root_domain, then id (spec 2.1, rules 2). */
export async function readSites({ control }: { control: ControlStore }, viewer: Viewer): Promise<SiteList> {
  if (viewer.site_ids?.length === 0) return { sites: [] }
  const found = await visibleSites(control.db, viewer).execute()
  const sites = found.map(({ id, root_domain, role }) => ({ id, root_domain, role }))
  return { sites: sites.sort(byDomain) }
}

/** Former domains that still find one of the sites a viewer sees, by name. */
export async function readVisibleAliases(db: ControlDb, viewer: Viewer) {
  if (viewer.site_ids?.length === 0) return []
  const visible = visibleSites(db, viewer).clearSelect().select('sites.id')
  const aliases = await db
    .selectFrom('site_aliases')
    .select(['site_id', 'root_domain'])
    .where('site_id', 'in', visible)
    .execute()
  return aliases.sort((a, b) => (a.root_domain < b.root_domain ? -1 : 1))
}

/** What `readSites` reads, for any caller; an operator sees every site as its owner does (rules 7). */
export async function listVisibleSites(ctx: { control: ControlStore; caller: Caller }): Promise<SiteList> {
  if (ctx.caller.kind !== 'operator') return readSites(ctx, ctx.caller)
  const sites = await ctx.control.db.selectFrom('sites').select(['id', 'root_domain']).execute()
  return { sites: sites.map((site) => ({ ...site, role: 'owner' as const })).sort(byDomain) }
}

/** Compared by code unit: a database's own text order depends on its collation. */
export function byDomain(a: Pick<Site, 'id' | 'root_domain'>, b: Pick<Site, 'id' | 'root_domain'>): number {
  if (a.root_domain !== b.root_domain) return a.root_domain < b.root_domain ? -1 : 1
  return a.id < b.id ? -1 : 1
}
