/** Requests from a site's development origins: the same rules apply, and they are counted separately (rules 6.14). */
import { CollectRefusal } from './collect-refusal.ts'
import { isHostOfSite, originOf, type PageHeaders, urlHost } from './page-origin.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'

/** The site of a request. For a request from a development origin, `root_domain` is the host of that origin. */
export function siteSeenFrom(site: TrackerSite, page: PageHeaders): TrackerSite {
  if (site.development_origins.size === 0) return site
  const origin = originOf(page)
  if (origin === null || !site.development_origins.has(origin)) return site
  return { ...site, root_domain: urlHost(origin), is_development: true }
}

/** Origins on the sender's own machine. */
const LOOPBACK = /^https?:\/\/(?:localhost|[\w.-]+\.localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/

/**
 * Refuses a page on the sender's own machine that is not a development origin of the site. The refusal says what to do,
 * and is not counted for the site. @throws CollectRefusal development_origin.
 */
export function refuseUnlistedDevelopment({ root_domain, is_development }: TrackerSite, page: PageHeaders): void {
  const origin = originOf(page)
  if (is_development || origin === null || !LOOPBACK.test(origin)) return
  if (isHostOfSite(urlHost(origin), root_domain)) return
  throw new CollectRefusal(
    'development_origin',
    'not_a_development_origin',
    `${origin} is not a development origin of ${root_domain}. Its owner adds it: {next}`,
    { next: { step: 'tracker.origin_add', root_domain, origin } },
  )
}
