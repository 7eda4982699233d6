/** The keys that open one site, as its owners manage them (decisions 2). */

import type { SessionCaller } from '#accounts/caller.ts'
import { createSiteKey, listSiteKeys, revokeSiteKey, type SiteKeySummary } from '#accounts/site-keys.ts'
import { instantOrNull, instantText } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { Refusal } from '#refusal.ts'
import { listMembers } from './members.ts'
import type { Site } from './site.ts'

interface Context extends ControlContext {
  site: Site
}

/** Keys made for the site, and keys of its members that open all of their sites; the newest first. */
export async function readKeysOfSite(ctx: Context) {
  return { keys: (await findKeys(ctx)).map(describe).reverse() }
}

/** A key of the person that opens this site alone. */
export function createKeyOfSite(ctx: Context, { user_id }: SessionCaller, { name }: { name: string }) {
  return createSiteKey(ctx, { user_id, name, sites: [ctx.site.id] })
}

/** Ends a key that opens this site alone, or that is the person's own. @throws Refusal not_found, forbidden. */
export async function revokeKeyOfSite(ctx: Context, caller: SessionCaller, { key }: { key: string }) {
  const found = (await findKeys(ctx)).find(({ id }) => id === key.toLowerCase())
  if (found === undefined) throw new Refusal('not_found', 'No key with this id opens this site.')
  if (opensMore(found) && found.user_id !== caller.user_id) {
    throw new Refusal(
      'forbidden',
      'This key opens other sites of its member too: only they, or an operator, may end it.',
    )
  }
  return describe({ ...found, ...(await revokeSiteKey(ctx, { account_id: ctx.site.account_id, key: found.id })) })
}

type KeyOfSite = SiteKeySummary & { email: string | null }

async function findKeys({ control, site }: Context): Promise<KeyOfSite[]> {
  const [keys, members] = [
    await listSiteKeys({ control }, { account_id: site.account_id }),
    await listMembers({ control }, site.id),
  ]
  const emails = new Map(members.map(({ user_id, email }) => [user_id, email]))
  return keys.flatMap((key) => {
    const email = emails.get(key.user_id)
    const opens = key.sites === null || key.sites.includes(site.id)
    return opens && email !== undefined ? [{ ...key, email }] : []
  })
}

const opensMore = ({ sites }: SiteKeySummary): boolean => sites === null || sites.length > 1

const describe = (key: KeyOfSite) => ({
  id: key.id,
  email: key.email,
  name: key.name,
  prefix: key.prefix,
  opens_more: opensMore(key),
  created_at: instantText(key.created_at),
  last_used_at: instantOrNull(key.last_used_at),
  revoked_at: instantOrNull(key.revoked_at),
})
