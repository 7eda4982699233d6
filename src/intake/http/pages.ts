/** What of a request's target is kept, and the page that it names, remembered because pages are asked for again and again. */

import type { PageName } from '#crawlers/page-names.ts'
import { pathClass } from '#paths/path-class.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { pagePart } from '../facts/fact.ts'

const MOST_PAGES = 50_000
const LONGEST_REMEMBERED = 512

/** The pages of one site, by host and target. */
export class SitePages {
  readonly #site_id: string
  readonly #hosts = new Map<string, Map<string, PageName>>()
  #count = 0

  constructor(site_id: string) {
    this.#site_id = site_id
  }

  of(host: string, target: string): PageName {
    let pages = this.#hosts.get(host)
    const known = pages?.get(target)
    if (known !== undefined) return known
    const { path, fidelity } = pathV1(target)
    const part = pagePart({ host, path, path_fidelity: fidelity, path_class: pathClass(path) })
    const page: PageName = { site_id: this.#site_id, part, stored_at: null }
    if (target.length > LONGEST_REMEMBERED) return page
    if (this.#count >= MOST_PAGES) {
      this.#hosts.clear()
      this.#count = 0
      pages = undefined
    }
    if (pages === undefined) {
      pages = new Map()
      this.#hosts.set(host, pages)
    }
    pages.set(target, page)
    this.#count++
    return page
  }
}
