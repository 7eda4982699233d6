/** Names of pages, written before the facts that need them, and only once (rules 3). */
import Type from 'typebox'
import { type Fragment, list, rows, sql, uint, uuid } from './sql.ts'
import type { EvidenceStore } from './store.ts'

/** A page of a site, cached so that it is not written repeatedly. */
export interface PageName {
  site_id: string
  /** Host, path, fidelity and class, as in the rows of facts. */
  part: string
  /** The number of page deletions when the page was stored; null before. Later deletions may have deleted it. */
  stored_at: number | null
}

/** Stores the pages that are not known to be stored. */
export async function storePages(evidence: EvidenceStore, pages: Iterable<PageName>): Promise<void> {
  const deletions = evidence.writeLock.page_deletions
  const fresh = new Set<PageName>()
  for (const page of pages) if (page.stored_at !== deletions) fresh.add(page)
  if (fresh.size === 0) return
  const rows = [...fresh].map(({ site_id, part }) => `["${site_id}",${part}]\n`)
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const piece = rows.slice(at, at + ROWS_AT_ONCE)
    await evidence.insert('pages', Buffer.from(piece.join('')), piece.length)
  }
  for (const page of fresh) page.stored_at = deletions
}

const ROWS_AT_ONCE = 10_000
const MAX_REMEMBERED = 100_000
/** The most characters of all cached pages, because clients can invent paths of a thousand characters. */
const MAX_CHARACTERS = 16 << 20

/** Pages by their key, cached in bounded memory. */
export class PageMemory {
  readonly #pages = new Map<string, PageName>()
  #characters = 0

  of(site_id: string, part: string): PageName {
    const name = site_id + part
    const known = this.#pages.get(name)
    if (known !== undefined) return known
    if (this.#pages.size >= MAX_REMEMBERED || this.#characters >= MAX_CHARACTERS) this.#clear()
    const page: PageName = { site_id, part, stored_at: null }
    this.#pages.set(name, page)
    this.#characters += name.length
    return page
  }

  #clear(): void {
    this.#pages.clear()
    this.#characters = 0
  }
}

/**
 * Deletes the pages of a site without crawler and visitor evidence. Call it within the write lock and the import
 * lock: pages are stored before their facts, and must not count as unused in between.
 */
export async function deletePagesWithoutFacts(evidence: EvidenceStore, site_id: string): Promise<void> {
  await evidence.writeLock.notePageDeletion()
  for (;;) {
    const unused = (await evidence.all(pagesWithoutFacts(site_id))).map(({ page_id }) => page_id)
    if (unused.length > 0) await evidence.run(deletePages(site_id, unused))
    if (unused.length < ROWS_AT_ONCE) return
  }
}

/** The most pages of one deletion. */
export const pagesWithoutFacts = (site_id: string) => rows(Type.Object({ page_id: Type.String() }))`
  SELECT DISTINCT toString(page_id) AS page_id
  FROM spoor.pages
  WHERE site_id = ${uuid(site_id)}
    AND pages.page_id NOT IN (SELECT page_id FROM spoor.requests WHERE site_id = ${uuid(site_id)})
    AND pages.page_id NOT IN (SELECT page_id FROM spoor.events WHERE site_id = ${uuid(site_id)})
  LIMIT ${uint(ROWS_AT_ONCE)}`

/** Deletes the named pages, so that every replica of a cluster deletes the same ones (decisions 8.1). */
export const deletePages = (site_id: string, page_ids: readonly string[]): Fragment => sql`
  DELETE FROM spoor.pages
  WHERE site_id = ${uuid(site_id)} AND page_id IN ${list('UInt64', page_ids)}`
