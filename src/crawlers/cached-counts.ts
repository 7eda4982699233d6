/**
 * Caches the counts of answers for later answers (ADR 46). Those of closed days are valid while builds, sources, labels
 * and filters are the same, because a build never changes; those of days that are read from facts, until facts of these
 * days are written.
 */
import { createHash } from 'node:crypto'
import { dayRanges } from '#days/windows.ts'
import type { Statement } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { lastRequest } from './cached-counts.sql.ts'
import { readPieces } from './cached-pieces.ts'
import type { SiteContext } from './context.ts'
import { type CountedLabels, type LabelState, readLabels } from './label-state.ts'
import { type ReceivedFacts, readReceivedOfLargeDay } from './received-facts.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** A read of counts that can be added up: once for closed days, and once for the others. */
export interface SplitRead<T> {
  /** Identifies the read and everything except the scope that its result depends on. */
  name: string
  read(scope: CrawlerScope, evidence: EvidenceStore): Promise<T>
  /** About how much memory a result takes. */
  bytesOf(result: T): number
}

/**
 * The counts of a scope's closed days, from the cache if it has them, and of its other days, in parts to add up; empty
 * if there is nothing to read. Callers that need the same counts at the same time wait for one read.
 */
export async function readSplit<T>(ctx: SiteContext, scope: CrawlerScope, counts: SplitRead<T>): Promise<T[]> {
  const { closed, open } = splitDays(scope)
  if (closed === null && open === null) return []
  // One day that is read from facts, and no other.
  const isOneDay = open !== null && open.fact_days.length === 1 && open.builds.length === 0
  const [labels, received] = await Promise.all([
    readLabels(ctx, scope),
    isOneDay ? readReceivedOfLargeDay(ctx, open) : null,
  ])
  // Empty results take memory too.
  const bytesOfOne = (result: T) => BYTES_A_ROW + counts.bytesOf(result)
  const bytesOf = (results: readonly T[]) => results.reduce((sum, result) => sum + bytesOfOne(result), 0)
  const readClosed = (part: CrawlerScope) => {
    const read = async () => [await counts.read(part, ctx.evidence)]
    return readCached(ctx, part, { key: keyOf(part, [counts.name]), version: '', labels, read, bytesOf })
  }
  const readOpen = async (part: CrawlerScope) => {
    const key_of_pieces = `pieces ${keyOf(part, [counts.name, ...part.readings.map(String)])}`
    const pieces = { read: counts.read, bytesOf: bytesOfOne, key: key_of_pieces }
    const read = async () =>
      received === null ? [await counts.read(part, ctx.evidence)] : readPieces(ctx, part, pieces, { received, labels })
    const version = await findVersion(ctx, part, received)
    if (version === null) return read()
    return readCached(ctx, part, { key: keyOf(part, [counts.name]), version, labels, read, bytesOf })
  }
  const parts = [closed === null ? [] : readClosed(closed), open === null ? [] : readOpen(open)]
  return (await Promise.all(parts)).flat()
}

interface CachedCounts<T> {
  version: string
  labels: CountedLabels
  counts: T
}

interface CacheableRead<T> {
  key: string
  version: string
  labels: LabelState
  read(): Promise<T>
  bytesOf(counts: T): number
}

/**
 * The cached counts of a key, if version and labels are the same, or else those that are read now. Counts are not
 * cached if labels changed while they were read.
 */
async function readCached<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  { key, version, labels, read, bytesOf }: CacheableRead<T>,
): Promise<T> {
  const { answers } = ctx.derived
  const cached = answers.get<CachedCounts<T>>(key)
  if (cached?.version === version && labels.hasSame(cached.labels)) return cached.counts
  return answers.share(JSON.stringify([key, version, labels.fingerprint]), async () => {
    const counts = await read()
    const now = await readLabels(ctx, scope)
    if (now.fingerprint === labels.fingerprint)
      answers.set(key, { version, labels: now.countedBy(ctx.clock.now()), counts }, bytesOf(counts))
    return counts
  })
}

/** Days whose roll-ups have everything that answers read, and days that are read from facts; null for none. */
function splitDays(scope: CrawlerScope): { closed: CrawlerScope | null; open: CrawlerScope | null } {
  const outdated = new Set(scope.outdated_days)
  const builds = scope.builds.filter(({ day }) => !outdated.has(day))
  const others = scope.builds.filter(({ day }) => outdated.has(day))
  const { fact_days } = scope
  const open_days = [...fact_days, ...others.map(({ day }) => day)].sort()
  return {
    closed: builds.length === 0 ? null : { ...scope, builds, fact_days: [], outdated_days: [], readings: [] },
    open:
      fact_days.length + others.length === 0
        ? null
        : { ...scope, slices: limitTo(scope.slices, open_days), builds: others, months: [] },
  }
}

/** Limits slices to these days, ascending, so that counts for different windows have the same key. */
const limitTo = (slices: CrawlerScope['slices'], days: readonly string[]): CrawlerScope['slices'] =>
  slices.flatMap((slice) => {
    const among = days.filter((day) => slice.days.some(({ from, to }) => from <= day && day <= to))
    return among.length === 0 ? [] : [{ ...slice, days: dayRanges(among) }]
  })

/**
 * The version of counts of days that are read from facts; null if the next answer may count other requests, because
 * facts are being written or some are dated after the instant of the answer.
 */
async function findVersion(
  ctx: SiteContext,
  scope: CrawlerScope,
  received: ReceivedFacts | null,
): Promise<string | null> {
  const { site_id, facts_version: version, as_of } = scope
  if (version === null) return null
  if (received !== null) return received.last_ms <= as_of ? version : null
  const days = [...scope.fact_days, ...scope.builds.map(({ day }) => day)]
  const last = await ctx.derived.answers.getOrRead(JSON.stringify(['last request', site_id, days]), {
    version,
    read: async () => Math.max(...(await ctx.evidence.all(lastRequest(site_id, days))).map(({ last_ms }) => last_ms)),
    bytesOf: () => BYTES_A_ROW,
    isStillValid: async () => true,
  })
  return last <= as_of ? version : null
}

/** The key of counts. It leaves out the instant and the facts, and months, which follow from how the days are read. */
function keyOf(scope: CrawlerScope, more: readonly string[]): string {
  const { site_id, registry_version, purposes, slices, fact_days } = scope
  const days = scope.builds.map(({ day, build }) => `${day} ${build}`)
  const text = JSON.stringify([...more, site_id, registry_version, purposes, slices, days, fact_days])
  return createHash('sha256').update(text).digest('base64')
}

const BYTES_A_ROW = 200

/** Like `readSplit`, for the rows of a statement: those of closed days, and then those of the others. */
export async function readRows<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  name: string,
  statement: (scope: CrawlerScope) => Statement<T>,
): Promise<T[]> {
  const read = (part: CrawlerScope, evidence: EvidenceStore) => evidence.all(statement(part))
  const parts = await readSplit<T[]>(ctx, scope, { name, read, bytesOf: (rows) => (rows.length + 1) * BYTES_A_ROW })
  return parts.flat()
}

/** Adds up these columns over rows that are equal in all other columns. */
export function addUp<T extends Record<string, unknown>>(rows: readonly T[], sums: readonly (keyof T)[]): T[] {
  const found = new Map<string, T>()
  const zeros = Object.fromEntries(sums.map((name) => [name, 0]))
  for (const row of rows) {
    const key = JSON.stringify({ ...row, ...zeros })
    const known = found.get(key)
    if (known === undefined) found.set(key, { ...row })
    else for (const name of sums) known[name] = (Number(known[name]) + Number(row[name])) as T[keyof T]
  }
  return [...found.values()]
}

/** Sorts rows by these columns, texts by their UTF-16 code units. */
export function orderedBy<T>(rows: readonly T[], columns: readonly (keyof T)[]): T[] {
  return rows.toSorted((a, b) => {
    const column = columns.find((name) => a[name] !== b[name])
    if (column === undefined) return 0
    return a[column] < b[column] ? -1 : 1
  })
}
