/** The one way of live sources to facts: agents with labels, then page names, then facts (rules 3, 4). */
import type { CrawlerContext } from '#crawlers/context.ts'
import { inWritingTurn, pageDeletions } from '#crawlers/retention/writing-turn.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { type Fact, type FactAgent, type FactOrigin, factHead, factTail, monthOf, pageRow } from './fact.ts'
import { storeAgents } from './store-agents.ts'

/** Rows on their way to the store, of any number of sites and sources. */
export interface FactBundle {
  site_id: string
  agents: readonly FactAgent[]
  /** Rows of `pages` by host and path. */
  pages: ReadonlyMap<string, string>
  /** Rows of `requests` by month. */
  months: ReadonlyMap<number, FactRows>
}

export interface FactRows {
  bytes: Buffer[]
  count: number
}

/**
 * Stores agents with labels, page names and facts; idempotent by event. Durable once it resolves, all or nothing within a month.
 * Days must be dirty already; coverage comes after (rules 3).
 */
export function storeFacts(
  ctx: CrawlerContext,
  of: FactOrigin,
  facts: readonly Fact[],
  agents: readonly FactAgent[],
): Promise<void> {
  const pages = new Map<string, string>()
  const lines = new Map<number, string[]>()
  for (const fact of facts) {
    const key = pageKey(fact.host, fact.path)
    if (!pages.has(key)) pages.set(key, pageRow(of.site_id, fact))
    const month = monthOf(fact.at)
    const line = factHead(of.site_id, fact.at) + fact.event + factTail(of, fact)
    const known = lines.get(month)
    if (known === undefined) lines.set(month, [line])
    else known.push(line)
  }
  const months = new Map([...lines].map(([month, rows]) => [month, factRows(rows)]))
  return storeBundles(ctx, [{ site_id: of.site_id, agents, pages, months }])
}

/** As storeFacts, for several deliveries at once: few large inserts cost far less than many small ones. */
export function storeBundles(ctx: CrawlerContext, bundles: readonly FactBundle[]): Promise<void> {
  return inWritingTurn(ctx.evidence, async () => {
    await storeAgents(
      ctx,
      bundles.flatMap((bundle) => bundle.agents),
    )
    await storePages(ctx.evidence, bundles)
    const months = new Set(bundles.flatMap((bundle) => [...bundle.months.keys()]))
    for (const month of [...months].sort((a, b) => a - b)) {
      const rows = bundles.flatMap((bundle) => bundle.months.get(month) ?? [])
      await insertMonth(ctx.evidence, rows)
    }
  })
}

export function pageKey(host: string, path: string): string {
  return `${host} ${path}`
}

export function factRows(lines: readonly string[]): FactRows {
  const bytes: Buffer[] = []
  for (let at = 0; at < lines.length; at += ROWS_A_PIECE) {
    bytes.push(Buffer.from(lines.slice(at, at + ROWS_A_PIECE).join('')))
  }
  return { bytes, count: lines.length }
}

const ROWS_A_PIECE = 10_000
/** The store writes up to a million rows of a month whole; half of that keeps its memory small. */
const MOST_ROWS = 500_000

async function insertMonth(evidence: EvidenceStore, all: readonly FactRows[]): Promise<void> {
  let waiting: FactRows[] = []
  let count = 0
  const insert = async () => {
    if (count === 0) return
    const bytes = waiting.flatMap((rows) => rows.bytes)
    await evidence.insert('requests', bytes.length === 1 ? (bytes[0] as Buffer) : Buffer.concat(bytes), count)
    waiting = []
    count = 0
  }
  for (const rows of all) {
    if (count + rows.count > MOST_ROWS) await insert()
    waiting.push(rows)
    count += rows.count
  }
  await insert()
}

interface StoredPages {
  deletions: number
  by_site: Map<string, Set<string>>
  size: number
}

const stored_pages = new WeakMap<EvidenceStore, StoredPages>()
const MOST_REMEMBERED = 200_000

async function storePages(evidence: EvidenceStore, bundles: readonly FactBundle[]): Promise<void> {
  const stored = pagesStoredIn(evidence)
  const fresh = new Map<string, { site_id: string; key: string; row: string }>()
  for (const { site_id, pages } of bundles) {
    const known = stored.by_site.get(site_id)
    for (const [key, row] of pages) {
      if (known?.has(key) !== true) fresh.set(`${site_id} ${key}`, { site_id, key, row })
    }
  }
  if (fresh.size === 0) return
  await evidence.insert('pages', Buffer.from([...fresh.values()].map(({ row }) => row).join('')), fresh.size)
  if (stored.size + fresh.size > MOST_REMEMBERED) {
    stored.by_site.clear()
    stored.size = 0
  }
  for (const { site_id, key } of fresh.values()) {
    const known = stored.by_site.get(site_id)
    if (known === undefined) stored.by_site.set(site_id, new Set([key]))
    else known.add(key)
    stored.size++
  }
}

/** Page names that this process has stored, forgotten whenever retention may have deleted some. */
function pagesStoredIn(evidence: EvidenceStore): StoredPages {
  const deletions = pageDeletions(evidence)
  const known = stored_pages.get(evidence)
  if (known !== undefined && known.deletions === deletions) return known
  const fresh: StoredPages = { deletions, by_site: new Map(), size: 0 }
  stored_pages.set(evidence, fresh)
  return fresh
}
