import type { CrawlerContext } from '#crawlers/context.ts'
import { crawlerMonths } from '#crawlers/roll-ups/month-roll-ups.ts'
import { crawlerRollUps } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import type { Retirable } from '#derived/derivation.ts'
import { zoneReadings } from '#intake/cloudflare/retired-readings.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { definitionCounts } from '#tracker/definitions/derive-definitions.ts'
import { visitorSessions } from '#tracker/sessions/derive-sessions.ts'
import { visitorFacts } from '#tracker/sessions/visitor-facts.ts'

/** All kinds of rows that are deleted some minutes after they are retired. */
export const retirables = (ctx: CrawlerContext & Pick<TrackerContext, 'collection'>): Retirable[] => [
  crawlerRollUps(ctx, 'left'),
  crawlerMonths(ctx),
  visitorSessions(ctx),
  definitionCounts(ctx),
  zoneReadings(ctx),
  visitorFacts(ctx),
]
