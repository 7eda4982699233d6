/** Refusals of impostors only, which are listed separately and are never an issue (rules 8.1). */
import type { ControlDb } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { impostorRefusals, namesOfPages } from '../evidence/page-outcomes.sql.ts'
import { ruleFrom } from '../harms.ts'

const MAX_REFUSALS = 100

/** Replaces the stored refusals of a site by those of the days of the rule. */
export async function storeImpostorRefusals(ctx: CrawlerContext, detection: DetectionScope): Promise<void> {
  const { site_id } = detection.scope
  const found =
    detection.scope.builds.length === 0
      ? []
      : await ctx.evidence.all(impostorRefusals(detection, ruleFrom(detection.as_of), MAX_REFUSALS))
  const ids = [...new Set(found.map(({ page_id }) => page_id))]
  const names = new Map(
    (ids.length === 0 ? [] : await ctx.evidence.all(namesOfPages(site_id, ids))).map((name) => [name.page_id, name]),
  )
  const rows = found.flatMap(({ page_id, ...counts }) => {
    const name = names.get(page_id)
    return name === undefined ? [] : [{ site_id, host: name.host, path: name.path, ...counts }]
  })
  await ctx.control.transaction(async (tx) => {
    await tx.deleteFrom('impostor_refusals').where('site_id', '=', site_id).execute()
    if (rows.length > 0) await tx.insertInto('impostor_refusals').values(rows).execute()
  })
}

/** The stored refusals of a site, most requests first. */
export const readImpostorRefusals = (db: ControlDb, site_id: string) =>
  db
    .selectFrom('impostor_refusals')
    .select(['host', 'path', 'crawler_id', 'requests', 'first_day', 'last_day'])
    .where('site_id', '=', site_id)
    .orderBy('requests', 'desc')
    .orderBy('host')
    .orderBy('path')
    .orderBy('crawler_id')
    .execute()
