/** Stores the facts of live sources: agents with labels, then page names, then facts (rules 3, 4). */
import type { CrawlerContext } from '#crawlers/context.ts'
import { type PageName, storePages } from '#evidence/page-names.ts'
import type { JoinedBytes } from '#evidence/rows/joined-bytes.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import {
  agentPart,
  type Fact,
  type FactAgent,
  type FactOrigin,
  factRow,
  jsonString,
  monthOf,
  pagePart,
  rowFrame,
} from './fact.ts'
import { storeAgents } from './store-agents.ts'

/** Rows to store, of any number of sites and sources. */
export interface FactBundle {
  site_id: string
  agents: Iterable<FactAgent>
  pages: Iterable<PageName>
  /** Rows of `requests` by month. */
  months: ReadonlyMap<number, FactRows>
}

export interface FactRows {
  bytes: readonly Uint8Array[]
  count: number
}

/**
 * Stores agents with labels, page names and facts; idempotent by event. Durable once it resolves, all or nothing within
 * a month. Days must be dirty already; coverage comes after (rules 3).
 */
export function storeFacts(
  ctx: CrawlerContext,
  of: FactOrigin,
  facts: readonly Fact[],
  agents: readonly FactAgent[],
): Promise<void> {
  const frame = rowFrame(of)
  const memory = ctx.intake.pages
  const pages = new Set<PageName>()
  const lines = new Map<number, string[]>()
  for (const fact of facts) {
    const page = memory.of(of.site_id, pagePart(fact))
    pages.add(page)
    const parts = { page: page.part, agent: agentPart(fact) }
    const row = factRow(frame, fact.event, fact, jsonString(fact.method), parts)
    const month = monthOf(fact.at)
    const rows = lines.get(month)
    if (rows === undefined) lines.set(month, [row])
    else rows.push(row)
  }
  const months = new Map([...lines].map(([month, rows]) => [month, factRows(rows)]))
  return storeBundles(ctx, [{ site_id: of.site_id, agents, pages, months }])
}

/** Like `storeFacts` for several deliveries: few large inserts cost far less than many small ones. */
export function storeBundles(ctx: CrawlerContext, bundles: readonly FactBundle[]): Promise<void> {
  return ctx.evidence.writeLock.run(async () => {
    await storeAgents(
      ctx,
      bundles.flatMap((bundle) => [...bundle.agents]),
    )
    await storePages(ctx.evidence, allPages(bundles))
    const months = new Set(bundles.flatMap((bundle) => [...bundle.months.keys()]))
    const joined = ctx.intake.joined
    for (const month of [...months].sort((a, b) => a - b)) {
      const rows = bundles.flatMap((bundle) => bundle.months.get(month) ?? [])
      await insertMonth(ctx.evidence, rows, joined)
    }
    for (const { site_id, months } of bundles) {
      for (const { count } of months.values()) ctx.derived.storedFacts.add(site_id, count)
    }
  })
}

function* allPages(bundles: readonly FactBundle[]): Generator<PageName> {
  for (const { pages } of bundles) yield* pages
}

const ROWS_PER_PIECE = 10_000

function factRows(lines: readonly string[]): FactRows {
  const bytes: Buffer[] = []
  for (let at = 0; at < lines.length; at += ROWS_PER_PIECE) {
    bytes.push(Buffer.from(lines.slice(at, at + ROWS_PER_PIECE).join('')))
  }
  return { bytes, count: lines.length }
}

/** Half of what the store inserts atomically, to save memory. */
const MAX_ROWS = 500_000

async function insertMonth(evidence: EvidenceStore, all: readonly FactRows[], joined: JoinedBytes): Promise<void> {
  let waiting: FactRows[] = []
  let count = 0
  const insert = async () => {
    if (count === 0) return
    const bytes = waiting.flatMap((rows) => rows.bytes)
    await evidence.insert('requests', joined.join(bytes), count)
    waiting = []
    count = 0
  }
  for (const rows of all) {
    if (count + rows.count > MAX_ROWS) await insert()
    waiting.push(rows)
    count += rows.count
  }
  await insert()
}
