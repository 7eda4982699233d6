import type { Sources } from '#contract/site-api/index.ts'
import { judgeAssigned } from '#crawlers/authority/judge-assigned.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { readSiteCoverage } from '#crawlers/coverage/site-coverage.ts'
import { windowDays } from '#days/windows.ts'
import { describeSources } from './describe-source.ts'

/** The days of `authority` in an answer that has no window (rules 5). */
const AUTHORITY_WINDOW = '30d'

/** Every source of the site, by id (spec 2.5 Sources). */
export async function readSources(ctx: SiteContext): Promise<Sources> {
  const asOf = ctx.clock.now()
  const range = windowDays(AUTHORITY_WINDOW, asOf)
  const known = await readSiteCoverage(ctx.control, ctx.site.id, range)
  const sources = describeSources(known, asOf)
  if (known.authority === null) return { sources }
  const { authority } = await judgeAssigned(ctx, { ...known, authority: known.authority }, range, asOf)
  return { sources, authority }
}
