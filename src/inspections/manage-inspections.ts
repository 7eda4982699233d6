/** Operations for access checks and inspections. */
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { quoted } from '#foreign-text.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { type AccessCheckServices, checkAccess } from './access-check.ts'
import { listInspections } from './list-inspections.ts'
import { isOnSite } from './visit.ts'

interface Services extends AccessCheckServices {
  control: ControlStore
  crawlers(): Promise<CrawlerContext>
}

export const manageInspections: Implementations<ManagementOperationOf<'check' | 'inspection.list'>, Services> = {
  async check({ outgoing, public_url, crawlers, site, caller }, { url }) {
    const isUrl = /^https?:\/\//i.test(url) && URL.canParse(url)
    if (!isUrl) {
      throw new Refusal(
        'invalid_input',
        `${quoted(url)} is not an http or https URL: give one on ${site.root_domain} or a name below it`,
      )
    }
    if (!isOnSite(new URL(url).hostname, site.root_domain)) {
      throw new Refusal(
        'invalid_input',
        `${quoted(url)} is not on ${site.root_domain}: give a URL on it or a name below it`,
      )
    }
    return checkAccess({ ...(await crawlers()), site, caller, access: { outgoing, public_url } }, { url })
  },

  'inspection.list': listInspections,
}
