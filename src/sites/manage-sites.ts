/** Sites as operations: added, listed, removed, and how long their evidence is kept. */
import { findActingUser } from '#accounts/find-acting-user.ts'
import { instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { Implementations } from '#implementation.ts'
import { refuseOtherName } from '#names.ts'
import { forgetAlias, readAliases, renameSite } from './aliases.ts'
import { readRetention, setRetention } from './retention.ts'
import { addSite, listAllSites, removeSite } from './sites.ts'

interface Services extends ControlContext {
  /** Called after a site is gone from the control store, so that its evidence follows. */
  eraseSoon(): void
}

export const manageSites: Implementations<
  ManagementOperationOf<'site.add' | 'site.list' | 'site.rename' | 'site.aliases' | 'site.remove' | 'site.retention'>,
  Services
> = {
  async 'site.add'(ctx, { domain }) {
    const owner = await findActingUser(ctx.control.db, ctx.caller)
    const { id, root_domain } = await addSite(ctx, { ...owner, domain })
    return { id, root_domain }
  },

  async 'site.list'(ctx) {
    const sites = await listAllSites(ctx)
    return {
      sites: sites.map(({ id, root_domain, created_at }) => ({ id, root_domain, created_at: instantText(created_at) })),
    }
  },

  async 'site.rename'(ctx, { domain, keep_alias }) {
    return renameSite(ctx, { site: ctx.site, domain, keep_alias: keep_alias === true })
  },

  async 'site.aliases'(ctx, { forget }) {
    const { id, root_domain } = ctx.site
    if (forget !== undefined) await forgetAlias(ctx, { site: ctx.site, alias: forget })
    return { id, root_domain, aliases: await readAliases(ctx.control.db, id) }
  },

  async 'site.remove'(ctx, { typed_name }) {
    const { site } = ctx
    refuseOtherName(site.root_domain, typed_name)
    const removed = await removeSite(ctx, { account_id: site.account_id, site_id: site.id })
    ctx.eraseSoon()
    return { ...removed, removed_at: instantText(removed.removed_at) }
  },

  async 'site.retention'(ctx, { days }) {
    const { id, root_domain } = ctx.site
    if (days !== undefined) await setRetention(ctx, { site_id: id, days })
    return { id, root_domain, retention_days: await readRetention(ctx, id) }
  },
}
