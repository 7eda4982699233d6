/**
 * What an answer counts on closed days is kept for the next one: the builds of days never change, so it counts again as
 * long as the same builds, sources, labels and filters do. Days that are read from facts are read each time.
 */
import { createHash } from 'node:crypto'
import type { Statement } from '#evidence/sql.ts'
import { labelsNow } from './closed-days.sql.ts'
import type { SiteContext } from './context.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** A read of counts that add up: over closed days, and over the others. */
export interface SplitRead<T> {
  /** Names the read and whatever else than the scope its result depends on. */
  name: string
  read(scope: CrawlerScope): Promise<T>
  /** About how much memory a result takes. */
  bytesOf(result: T): number
}

/**
 * Reads the closed days of a scope, or recalls them, and then its other days: no result for a part without days. Those
 * who ask for the same closed days meanwhile wait for one read of them.
 */
export async function readSplit<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  { name, read, bytesOf }: SplitRead<T>,
): Promise<T[]> {
  const { closed, open } = splitDays(scope)
  const readOpen = open === null ? [] : [read(open)]
  if (closed === null) return Promise.all(readOpen)
  const readClosed = async () => {
    const labels = await digestOfLabels(ctx, closed)
    const isStillSo = async () => (await digestOfLabels(ctx, closed)) === labels
    return ctx.derived.answers.recall(keyOf(closed, [name, labels]), { read: () => read(closed), bytesOf, isStillSo })
  }
  return Promise.all([readClosed(), ...readOpen])
}

/** Days whose roll-ups have all that answers read, and those that are read from facts; null for none. */
function splitDays(scope: CrawlerScope): { closed: CrawlerScope | null; open: CrawlerScope | null } {
  const outdated = new Set(scope.outdated_days)
  const builds = scope.builds.filter(({ day }) => !outdated.has(day))
  const others = scope.builds.filter(({ day }) => outdated.has(day))
  const { fact_days } = scope
  return {
    closed: builds.length === 0 ? null : { ...scope, builds, fact_days: [], outdated_days: [], readings: [] },
    open: fact_days.length + others.length === 0 ? null : { ...scope, builds: others, months: [] },
  }
}

/** Only facts depend on the instant and on readings, and only which months are summed is left to how they are read. */
function keyOf({ site_id, registry_version, purposes, slices, builds }: CrawlerScope, more: readonly string[]): string {
  const days = builds.map(({ day, build }) => `${day} ${build}`)
  const text = JSON.stringify([...more, site_id, registry_version, purposes, slices, days])
  return createHash('sha256').update(text).digest('base64')
}

async function digestOfLabels({ evidence }: SiteContext, { registry_version }: CrawlerScope): Promise<string> {
  const [found] = await evidence.all(labelsNow(registry_version as string))
  return found?.digest ?? ''
}

const BYTES_A_ROW = 200

/** The same for rows of a statement: of closed days, and then of the others. */
export async function readRows<T>(
  ctx: SiteContext,
  scope: CrawlerScope,
  name: string,
  statement: (scope: CrawlerScope) => Statement<T>,
): Promise<T[]> {
  const read = (of: CrawlerScope) => ctx.evidence.all(statement(of))
  const parts = await readSplit<T[]>(ctx, scope, { name, read, bytesOf: (rows) => (rows.length + 1) * BYTES_A_ROW })
  return parts.flat()
}

/** Rows that differ in nothing but these columns become one, with their sums. */
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

/** Orders rows by these columns, texts by their characters. */
export function orderedBy<T>(rows: readonly T[], columns: readonly (keyof T)[]): T[] {
  return rows.toSorted((a, b) => {
    const column = columns.find((name) => a[name] !== b[name])
    if (column === undefined) return 0
    return a[column] < b[column] ? -1 : 1
  })
}
