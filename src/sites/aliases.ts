/** Another name for a site, and the former ones that still find it (rules 1). */
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { rootDomain } from './root-domain.ts'
import type { Site } from './site.ts'

/**
 * Renames a site: id and evidence stay, and its present name finds nothing any more, unless it is kept as an alias.
 * @throws Refusal invalid_input (no domain), conflict (another site of the account has the name).
 */
export async function renameSite(
  { control, clock }: ControlContext,
  { site, domain, keep_alias }: { site: Site; domain: string; keep_alias: boolean },
): Promise<{ id: string; root_domain: string; aliases: string[] }> {
  const { id, account_id } = site
  const root_domain = rootDomain(domain)
  return control.transaction(async (trx) => {
    await refuseTakenName(trx, { account_id, root_domain, except: id })
    const { root_domain: former } = await trx
      .selectFrom('sites')
      .select('root_domain')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (former !== root_domain) {
      await trx.updateTable('sites').set({ root_domain }).where('id', '=', id).execute()
      if (keep_alias) {
        const alias = { site_id: id, root_domain: former, created_at: clock.now() }
        await trx.insertInto('site_aliases').values(alias).execute()
      }
      await trx.deleteFrom('site_aliases').where('site_id', '=', id).where('root_domain', '=', root_domain).execute()
    }
    return { id, root_domain, aliases: await readAliases(trx, id) }
  })
}

/** Former names that still find a site, by name. */
export async function readAliases(db: ControlDb, site_id: string): Promise<string[]> {
  const rows = await db.selectFrom('site_aliases').select('root_domain').where('site_id', '=', site_id).execute()
  return rows.map((row) => row.root_domain).sort()
}

/** @throws Refusal invalid_input (no domain), not_found. */
export async function forgetAlias(
  { control }: ControlContext,
  { site, alias }: { site: Site; alias: string },
): Promise<void> {
  const { numDeletedRows } = await control.db
    .deleteFrom('site_aliases')
    .where('site_id', '=', site.id)
    .where('root_domain', '=', rootDomain(alias))
    .executeTakeFirst()
  if (numDeletedRows === 1n) return
  throw new Refusal('not_found', `${quoted(alias)} is not an alias of ${site.root_domain}; nothing was changed.`)
}

/** @throws Refusal conflict: a site of the account has this name or keeps it as an alias. */
export async function refuseTakenName(
  db: ControlDb,
  { account_id, root_domain, except }: { account_id: string; root_domain: string; except?: string },
): Promise<void> {
  const aliased = db.selectFrom('site_aliases').select('site_id').where('root_domain', '=', root_domain)
  const holder = await db
    .selectFrom('sites')
    .select(['id', 'root_domain'])
    .where('account_id', '=', account_id)
    .where('id', '!=', except ?? '')
    .where((is) => is.or([is('root_domain', '=', root_domain), is('id', 'in', aliased)]))
    .executeTakeFirst()
  if (holder === undefined) return
  if (holder.root_domain === root_domain) {
    const detail = `The account already has the site ${root_domain}, with the id ${holder.id}. Use that one.`
    throw new Refusal('conflict', detail)
  }
  const detail = `${root_domain} is an alias of the site ${holder.root_domain} (id ${holder.id}). Use that one, or end the alias: {next}`
  throw new Refusal('conflict', detail, {
    next: { step: 'site.aliases', root_domain: holder.root_domain, alias: root_domain },
  })
}
