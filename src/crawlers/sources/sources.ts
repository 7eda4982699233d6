import { utcDay } from '#clock.ts'
import type { Sources } from '#contract/site-api/index.ts'
import type { SiteContext } from '../context.ts'
import { readSiteCoverage } from '../coverage/site-coverage.ts'
import { describeSource } from './describe-source.ts'

/** Every source of the site, by id (spec 2.5 Sources). */
export async function readSources(ctx: SiteContext): Promise<Sources> {
  const asOf = ctx.clock.now()
  const today = utcDay(asOf)
  const known = await readSiteCoverage(ctx.control, ctx.site.id, { from: today, to: today })
  return { sources: known.sources.map((source) => describeSource(source, known.intervals, asOf)) }
}
