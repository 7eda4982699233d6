/** Records loads of the script, which prove that the site's pages had the snippet on a day (rules 6). */
import { utcDay } from '#days/utc-day.ts'
import type { BotClassifier } from './bot-classifier.ts'
import { CollectRefusal } from './collect-refusal.ts'
import type { CollectorContext } from './context.ts'
import { isHostOfSite, originOf, urlHost } from './page-origin.ts'
import { KEY_CACHE_MS, type SiteKeys } from './tracker-key-lookup.ts'

/** A request for the script. */
export interface ScriptLoad {
  /** The public key in its URL; null without one. */
  key: string | null
  referer: string | undefined
  user_agent: string
  /** The address or network that the client's rate limit applies to; never stored. */
  network: string
}

export interface SnippetProofs {
  /** Records a proof, at most once per site and day. */
  note(load: ScriptLoad): Promise<void>
}

interface Tracked {
  site_id: string
  root_domain: string
  development_origins: ReadonlySet<string>
}

export function openSnippetProofs(ctx: CollectorContext, keys: SiteKeys, agents: BotClassifier): SnippetProofs {
  let proved = new Set<string>()
  let proved_day = ''
  let tracked: { sites: Tracked[]; until: number } | null = null
  const trackers = async () => {
    if (tracked !== null && tracked.until > ctx.clock.elapsed()) return tracked.sites
    tracked = { sites: await readTrackers(ctx), until: ctx.clock.elapsed() + KEY_CACHE_MS }
    return tracked.sites
  }
  /** Bots without a referrer, such as a monitor of the script's URL, prove nothing about pages. */
  const isBot = async (user_agent: string): Promise<boolean> => {
    for (;;) {
      const verdict = agents.isAutomated(user_agent)
      if (verdict !== null) return verdict
      await agents.refresh()
    }
  }
  const siteOf = async ({ key, referer, user_agent, network }: ScriptLoad): Promise<Tracked | null> => {
    const host = referer === undefined ? null : urlHost(referer)
    if (key !== null) {
      const site = keys.peek('public', key) ?? (await keys.load('public', key, network))
      if (site === null || site.is_disabled || site.revocation !== null) return null
      if (host === null && (await isBot(user_agent))) return null
      return host === null || isHostOfSite(host, site.root_domain) ? site : null
    }
    if (host === null) return null
    const [only, ...more] = (await trackers()).filter(({ root_domain }) => isHostOfSite(host, root_domain))
    return only === undefined || more.length > 0 ? null : only
  }
  /** A load from a development origin, which may be a subdomain of the site, is not a visit (rules 6.14). */
  const isDevelopment = ({ development_origins }: Tracked, referer: string | undefined): boolean => {
    const origin = originOf({ origin: undefined, referer })
    return origin !== null && development_origins.has(origin)
  }
  return {
    async note(load) {
      const now = ctx.clock.now()
      const day = utcDay(now)
      if (day !== proved_day) proved = new Set()
      proved_day = day
      const site = await siteOf(load).catch((error: unknown) => {
        // A client that tries many keys proves nothing.
        if (error instanceof CollectRefusal) return null
        throw error
      })
      if (site === null || isDevelopment(site, load.referer) || proved.has(site.site_id)) return
      proved.add(site.site_id)
      await ctx.control.db
        .insertInto('snippet_proofs')
        .values({ site_id: site.site_id, day, proof: 'script_load', proved_at: now })
        .onConflict((conflict) => conflict.columns(['site_id', 'day', 'proof']).doNothing())
        .execute()
        .catch((error: unknown) => {
          proved.delete(site.site_id)
          throw error
        })
    },
  }
}

async function readTrackers({ control }: CollectorContext): Promise<Tracked[]> {
  const sites = await control.db
    .selectFrom('trackers')
    .innerJoin('sites', 'sites.id', 'trackers.site_id')
    .select(['trackers.site_id', 'sites.root_domain'])
    .where('trackers.disabled_at', 'is', null)
    .execute()
  const origins = await control.db.selectFrom('development_origins').select(['site_id', 'origin']).execute()
  const by_site = Map.groupBy(origins, ({ site_id }) => site_id)
  return sites.map((site) => ({
    ...site,
    development_origins: new Set(by_site.get(site.site_id)?.map(({ origin }) => origin)),
  }))
}
