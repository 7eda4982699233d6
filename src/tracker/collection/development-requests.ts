/** Requests from a site's development origins: the same rules hold, and they are counted apart (rules 6.14). */

import { CollectRefusal } from './collect-refusal.ts'
import { isHostOfSite, originOf, type PageHeaders, urlHost } from './page-origin.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'

/** The site as a request sees it: one from a development origin speaks of pages there and `is_development`. */
export function siteSeenFrom(site: TrackerSite, page: PageHeaders): TrackerSite {
  if (site.development_origins.size === 0) return site
  const origin = originOf(page)
  if (origin === null || !site.development_origins.has(origin)) return site
  return { ...site, root_domain: urlHost(origin), is_development: true }
}

/** Origins on the sender's own machine. */
const LOOPBACK = /^https?:\/\/(?:localhost|[\w.-]+\.localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/

/**
 * A page on the sender's own machine that is not a development origin of the site: the refusal says what to do, and
 * counts nothing of the site. @throws CollectRefusal development_origin.
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
