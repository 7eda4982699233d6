/** The stored parts of a request's target, and its page, cached because pages repeat. */
import { pathClass } from '#paths/path-class.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { pagePart } from '../facts/fact.ts'

const MAX_PAGES = 50_000
const MAX_REMEMBERED_LENGTH = 512

/** A page; one object as long as it is cached. */
export interface BatchPage {
  /** Host, path, fidelity and class, as in the rows of facts. */
  part: string
}

/** The pages of one site, by host and target. */
export class SitePages {
  readonly #hosts = new Map<string, Map<string, BatchPage>>()
  #count = 0

  of(host: string, target: string): BatchPage {
    let pages = this.#hosts.get(host)
    const known = pages?.get(target)
    if (known !== undefined) return known
    const { path, fidelity } = pathV1(target)
    const part = pagePart({ host, path, path_fidelity: fidelity, path_class: pathClass(path) })
    const page: BatchPage = { part }
    if (target.length > MAX_REMEMBERED_LENGTH) return page
    if (this.#count >= MAX_PAGES) {
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
