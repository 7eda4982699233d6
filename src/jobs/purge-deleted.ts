/** Rewrites files with deleted rows, because deleted rows are only masked until their file is rewritten. */
import Type from 'typebox'
import { DAY_MS } from '#clock.ts'
import { readSetting, replaceSetting, writeSetting } from '#control/settings.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { type Fragment, rows, sql } from '#evidence/sql.ts'

/** Tables of brands, which belong to no site. */
export const BRAND_TABLES: ReadonlyMap<string, Fragment> = new Map([
  ['answers', sql`spoor.answers`],
  ['answer_citations', sql`spoor.answer_citations`],
  ['answer_mentions', sql`spoor.answer_mentions`],
  ['counted_answers', sql`spoor.counted_answers`],
  ['search_rows', sql`spoor.search_rows`],
  ['search_ai_rows', sql`spoor.search_ai_rows`],
])

/** Every table of sites from which evidence is deleted, by name. */
export const EVIDENCE_TABLES: ReadonlyMap<string, Fragment> = new Map([
  ['requests', sql`spoor.requests`],
  ['crawler_daily', sql`spoor.crawler_daily`],
  ['page_outcomes_daily', sql`spoor.page_outcomes_daily`],
  ['page_monthly', sql`spoor.page_monthly`],
  ['events', sql`spoor.events`],
  ['sessions', sql`spoor.sessions`],
  ['tracker_daily', sql`spoor.tracker_daily`],
  ['source_daily', sql`spoor.source_daily`],
  ['tracker_page_daily', sql`spoor.tracker_page_daily`],
  ['journey_daily', sql`spoor.journey_daily`],
  ['definition_daily', sql`spoor.definition_daily`],
  ['pages', sql`spoor.pages`],
])

/** A week, because retention deletes one day each day, and each purge rewrites the remaining rows of a month. */
const PURGE_EVERY_MS = 7 * DAY_MS
const PURGED_AT = 'evidence_purged_at'
const NEVER = 'never'
/** Files are being rewritten. */
const UNDER_WAY = 'under way'

const maskedTables = rows(Type.Object({ name: Type.String() }))`
  SELECT DISTINCT table AS name
  FROM system.parts
  WHERE database = 'spoor' AND active AND has_lightweight_delete
  ORDER BY table`

/**
 * Requests a purge in the next round, also while a round is running. Call it after a deletion and before that is
 * recorded, so that a crash in between repeats both.
 */
export function purgeSoon({ control }: Pick<CrawlerContext, 'control'>): Promise<void> {
  return writeSetting(control.db, PURGED_AT, NEVER)
}

/**
 * Rewrites every file with deleted rows, once a week and after a request. The engine removes the old files some ten
 * minutes later. Returns the tables that had such files.
 */
export async function purgeDeleted({ control, clock, evidence }: CrawlerContext): Promise<string[]> {
  const purged_at = await readSetting(control.db, PURGED_AT)
  const now = clock.now()
  const is_requested = purged_at === null || purged_at === NEVER || purged_at === UNDER_WAY
  const age_ms = is_requested ? PURGE_EVERY_MS : now - Number(purged_at)
  // An instant of a clock that was ahead, such as a simulated one, must not delay the purge.
  if (age_ms >= 0 && age_ms < PURGE_EVERY_MS) return []
  await writeSetting(control.db, PURGED_AT, UNDER_WAY)
  const masked = (await evidence.all(maskedTables)).map(({ name }) => name)
  for (const [name, table] of [...EVIDENCE_TABLES, ...BRAND_TABLES]) {
    if (masked.includes(name)) await evidence.run(sql`ALTER TABLE ${table} APPLY DELETED MASK`)
  }
  await replaceSetting(control.db, PURGED_AT, { from: UNDER_WAY, to: String(now) })
  return masked
}
