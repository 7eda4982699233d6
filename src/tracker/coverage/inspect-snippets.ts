/** Looks for the snippet on each site's home page once a day. A found snippet covers a day without events (rules 6). */
import { HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { findSnippetInspections, recordSnippetInspection } from '#inspections/snippet-inspections.ts'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { FROM_SERVERS } from '../collection/collection-counts.ts'
import { hasSnippet } from './find-snippet.ts'

export interface InspectionContext extends ControlContext {
  outgoing: SafeFetchContext
  /** URLs of a site's home page, tried in order until one answers; https, then http by default. */
  homes?: (root_domain: string) => readonly string[]
  /** Is called with the outcome of each inspection (`inspectHome`). */
  onInspected?: (outcome: string) => void
}

interface Inspected {
  site_id: string
  root_domain: string
  /** Public keys in force. */
  keys: string[]
}

/** A page without a snippet, or one that could not be fetched, is inspected again after this time. */
const RETRY_MS = 6 * HOUR_MS
const MAX_CONCURRENT = 8
const LIMITS = { max_bytes: 2 * 1024 ** 2, timeout_ms: 10_000 }

/**
 * Inspects enabled sites without a found snippet and without a browser event today. A failed inspection is an outcome
 * and does not stop the others. Returns the number of inspected sites.
 */
export async function inspectSnippets(ctx: InspectionContext, signal: AbortSignal): Promise<{ inspected: number }> {
  const due = await findDue(ctx)
  for (let at = 0; at < due.length; at += MAX_CONCURRENT) {
    signal.throwIfAborted()
    await Promise.all(due.slice(at, at + MAX_CONCURRENT).map((site) => inspect(ctx, site, signal)))
  }
  return { inspected: due.length }
}

async function findDue({ control, clock }: InspectionContext): Promise<Inspected[]> {
  const now = clock.now()
  const today = utcDay(now)
  return control.snapshot(async (tx) => {
    const sites = await tx
      .selectFrom('trackers')
      .innerJoin('sites', 'sites.id', 'trackers.site_id')
      .select(['sites.id', 'sites.root_domain'])
      .where('trackers.disabled_at', 'is', null)
      .orderBy('sites.id')
      .execute()
    const inspections = await findSnippetInspections(tx)
    const proofs = await tx
      .selectFrom('snippet_proofs')
      .select('site_id')
      .where((is) => is.and({ day: today, proof: 'inspection' }))
      .execute()
    const with_events = await tx
      .selectFrom('collection_counts')
      .select('site_id')
      .where((is) => is.and({ day: today, outcome: 'accepted' }))
      .where('reason', '!=', FROM_SERVERS)
      .where('events', '>', 0)
      .execute()
    const keys = await tx
      .selectFrom('tracker_keys')
      .select(['site_id', 'prefix'])
      .where('kind', '=', 'public')
      .where('revoked_at', 'is', null)
      .execute()
    const proved = new Set([...proofs, ...with_events].map((row) => row.site_id))
    const isDue = (inspected_at: number | undefined) =>
      inspected_at === undefined || inspected_at <= now - RETRY_MS || utcDay(inspected_at) !== today
    const lastOf = ({ id }: { id: string }) => inspections.get(id)?.inspected_at ?? Number.NEGATIVE_INFINITY
    return sites
      .filter(({ id }) => !proved.has(id) && isDue(inspections.get(id)?.inspected_at))
      .sort((a, b) => (lastOf(a) < lastOf(b) ? -1 : 1))
      .map(({ id, root_domain }) => ({
        site_id: id,
        root_domain,
        keys: keys.filter((key) => key.site_id === id).map((key) => key.prefix),
      }))
  })
}

async function inspect(ctx: InspectionContext, site: Inspected, signal: AbortSignal): Promise<void> {
  const inspected_at = ctx.clock.now()
  const outcome = await inspectHome(ctx, site, signal)
  ctx.onInspected?.(outcome)
  const { site_id } = site
  await ctx.control.transaction(async (tx) => {
    const kept = await tx.selectFrom('trackers').select('site_id').where('site_id', '=', site_id).executeTakeFirst()
    // The site may have been removed while its page was fetched.
    if (kept === undefined) return
    await recordSnippetInspection(tx, { site_id, host: site.root_domain, inspected_at, outcome })
    if (outcome !== 'found') return
    await tx
      .insertInto('snippet_proofs')
      .values({ site_id, day: utcDay(inspected_at), proof: 'inspection', proved_at: inspected_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** The outcome: `found`, `not_found`, `no_key`, `http_` with the status, or the code of an `OutgoingRefusal`. */
async function inspectHome(
  ctx: InspectionContext,
  { root_domain, keys }: Inspected,
  signal: AbortSignal,
): Promise<string> {
  if (keys.length === 0) return 'no_key'
  const homes = ctx.homes?.(root_domain) ?? [`https://${root_domain}/`, `http://${root_domain}/`]
  let outcome = 'not_found'
  for (const home of homes) {
    outcome = await inspectPage(ctx, home, keys, signal)
    if (outcome === 'found' || outcome === 'not_found') break
  }
  return outcome
}

async function inspectPage(ctx: InspectionContext, url: string, keys: readonly string[], signal: AbortSignal) {
  try {
    const { status, body } = await safeFetch(ctx.outgoing, url, { ...LIMITS, signal, headers: { accept: 'text/html' } })
    if (status < 200 || status > 299) return `http_${status}`
    return hasSnippet(body.toString('utf8'), keys) ? 'found' : 'not_found'
  } catch (error) {
    if (error instanceof OutgoingRefusal) return error.code
    throw error
  }
}
