/** What the person at the machine may do: one table that the command line and the socket of a running server both read (rules 7). */
import Type, { type Static } from 'typebox'
import { findOperator } from '#accounts/ensure-installation.ts'
import { createSiteKey, listSiteKeys, revokeSiteKey, type SiteKeySummary } from '#accounts/site-keys.ts'
import { findUser } from '#accounts/users.ts'
import { instantText } from '#clock.ts'
import { Refusal } from '#refusal.ts'
import { readRetention, setRetention } from '#sites/retention.ts'
import { addSite, listAllSites, removeSite } from '#sites/sites.ts'
import { findAnySite } from '#sites/visible-sites.ts'
import { accountCommands } from './account-commands.ts'
import { authorityCommands } from './authority-commands.ts'
import { command, type OperatorContext } from './command.ts'
import { definitionCommands } from './definition-commands.ts'
import { listCommands } from './list-commands.ts'
import { memberCommands } from './member-commands.ts'
import { registryCommands } from './registry-commands.ts'
import { sourceCommands } from './source-commands.ts'
import { trackerCommands } from './tracker-commands.ts'
import { userCommands } from './user-commands.ts'

export type { OperatorContext } from './command.ts'

export const operatorCommands = {
  ...registryCommands,
  ...listCommands,
  ...userCommands,
  ...memberCommands,
  ...accountCommands,
  ...authorityCommands,
  ...sourceCommands,
  ...trackerCommands,
  ...definitionCommands,

  'site.add': command({
    input: Type.Object({ domain: Type.String() }),
    async run(ctx, { domain }) {
      const site = await addSite(ctx, { ...(await findOperator(ctx.control.db)), domain })
      return { id: site.id, root_domain: site.root_domain }
    },
  }),

  'site.list': command({
    input: Type.Object({}),
    async run(ctx) {
      const sites = await listAllSites(ctx)
      return {
        sites: sites.map((site) => ({
          id: site.id,
          root_domain: site.root_domain,
          created_at: instantText(site.created_at),
        })),
      }
    },
  }),

  'site.remove': command({
    input: Type.Object({ site: Type.String() }),
    async run(ctx, { site: text }) {
      const site = await operatorSite(ctx, text)
      const removed = await removeSite(ctx, { account_id: site.account_id, site_id: site.id })
      ctx.eraseSoon()
      return {
        id: removed.id,
        root_domain: removed.root_domain,
        removed_at: instantText(removed.removed_at),
        revoked_key_ids: removed.revoked_key_ids,
      }
    },
  }),

  'site.retention': command({
    input: Type.Object({ site: Type.String(), days: Type.Optional(Type.Number()) }),
    async run(ctx, { site: text, days }) {
      const site = await operatorSite(ctx, text)
      if (days !== undefined) await setRetention(ctx, { site_id: site.id, days })
      const retention_days = await readRetention(ctx, site.id)
      return { id: site.id, root_domain: site.root_domain, retention_days }
    },
  }),

  'key.create': command({
    // Without a user the key is the operator's own.
    input: Type.Object({
      name: Type.String(),
      sites: Type.Array(Type.String()),
      user: Type.Optional(Type.String()),
    }),
    async run(ctx, { name, sites, user }) {
      const named = await Promise.all(sites.map((text) => operatorSite(ctx, text)))
      const { db } = ctx.control
      const user_id = user === undefined ? (await findOperator(db)).user_id : (await findUser(db, user)).id
      return createSiteKey(ctx, {
        user_id,
        name,
        ...(named.length === 0 ? {} : { sites: named.map((site) => site.id) }),
      })
    },
  }),

  'key.list': command({
    input: Type.Object({}),
    async run(ctx) {
      return { keys: await keyAnswers(ctx, await listSiteKeys(ctx, { account_id: ctx.account_id })) }
    },
  }),

  'key.revoke': command({
    input: Type.Object({ key: Type.String() }),
    async run(ctx, { key }) {
      const revoked = await revokeSiteKey(ctx, { account_id: ctx.account_id, key })
      const [answer] = await keyAnswers(ctx, [revoked])
      return answer as KeyAnswer
    },
  }),

  doctor: command({
    input: Type.Object({}),
    async run(ctx) {
      return { findings: await ctx.examine() }
    },
  }),
}

export type OperatorCommandName = keyof typeof operatorCommands
export type CommandInput<N extends OperatorCommandName> = Static<(typeof operatorCommands)[N]['input']>
export type CommandOutput<N extends OperatorCommandName> = Awaited<ReturnType<(typeof operatorCommands)[N]['run']>>

/** A site of the installation by id or domain; Refusal(site_not_found) otherwise. */
export async function operatorSite(ctx: OperatorContext, text: string) {
  try {
    return await findAnySite(ctx, text)
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'site_not_found') throw error
    const advice = `${error.message} spoor site add DOMAIN adds one.`
    throw new Refusal('site_not_found', advice)
  }
}

type KeyAnswer = ReturnType<typeof keyAnswer>

async function keyAnswers(ctx: OperatorContext, keys: readonly SiteKeySummary[]): Promise<KeyAnswer[]> {
  const domains = new Map((await listAllSites(ctx)).map((site) => [site.id, site.root_domain]))
  return keys.map((key) => keyAnswer(key, domains))
}

/** A site that is removed meanwhile takes its place in the key along. */
function keyAnswer(key: SiteKeySummary, domains: ReadonlyMap<string, string>) {
  const named = (id: string) => {
    const root_domain = domains.get(id)
    return root_domain === undefined ? [] : [{ id, root_domain }]
  }
  return {
    id: key.id,
    user_id: key.user_id,
    name: key.name,
    prefix: key.prefix,
    sites: key.sites?.flatMap(named) ?? null,
    created_at: instantText(key.created_at),
    last_used_at: key.last_used_at === null ? null : instantText(key.last_used_at),
    revoked_at: key.revoked_at === null ? null : instantText(key.revoked_at),
  }
}
