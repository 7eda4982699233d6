/** Site keys as operations: made, listed and revoked; each names the sites that it sees. */
import { findActingUser } from '#accounts/find-acting-user.ts'
import { createSiteKey, listSiteKeys, revokeSiteKey, type SiteKeySummary } from '#accounts/site-keys.ts'
import { findUser } from '#accounts/users.ts'
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf, ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { Implementations } from '#implementation.ts'
import { findAnySite } from './find-site.ts'
import { listAllSites } from './sites.ts'

export const manageKeys: Implementations<ManagementOperationOf<`key.${string}`>, ControlContext> = {
  async 'key.create'(ctx, { name, sites, user }) {
    const named = await Promise.all(sites.map((text) => findAnySite(ctx, text)))
    const { db } = ctx.control
    const user_id = user === undefined ? (await findActingUser(db, ctx.caller)).user_id : (await findUser(db, user)).id
    return createSiteKey(ctx, {
      user_id,
      name,
      ...(named.length === 0 ? {} : { sites: named.map((site) => site.id) }),
    })
  },

  async 'key.list'(ctx) {
    const describe = await keyDescriber(ctx)
    return { keys: (await listSiteKeys(ctx, ctx.caller)).map(describe) }
  },

  async 'key.revoke'(ctx, { key }) {
    const revoked = await revokeSiteKey(ctx, { account_id: ctx.caller.account_id, key })
    return (await keyDescriber(ctx))(revoked)
  },
}

/** A site that has been removed is left out of the keys that name it. */
async function keyDescriber(ctx: ControlContext): Promise<(key: SiteKeySummary) => ManagementOutput<'key.revoke'>> {
  const domains = new Map((await listAllSites(ctx)).map((site) => [site.id, site.root_domain]))
  const named = (id: string) => {
    const root_domain = domains.get(id)
    return root_domain === undefined ? [] : [{ id, root_domain }]
  }
  return ({ id, user_id, name, prefix, sites, created_at, last_used_at, revoked_at }) => ({
    id,
    user_id,
    name,
    prefix,
    sites: sites?.flatMap(named) ?? null,
    created_at: instantText(created_at),
    last_used_at: instantOrNull(last_used_at),
    revoked_at: instantOrNull(revoked_at),
  })
}
