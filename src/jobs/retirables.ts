import type { CrawlerContext } from '#crawlers/context.ts'
import { crawlerRollUps } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import type { Retirable } from '#derived/derivation.ts'
import { zoneReadings } from '#intake/cloudflare/retired-readings.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { definitionCounts } from '#tracker/definitions/derive-definitions.ts'
import { visitorSessions } from '#tracker/sessions/derive.ts'
import { visitorFacts } from '#tracker/sessions/visitor-facts.ts'

/** Everything that is deleted some minutes after it stopped counting. */
export const retirables = (ctx: CrawlerContext & Pick<TrackerContext, 'collection'>): Retirable[] => [
  crawlerRollUps(ctx, 'left'),
  visitorSessions(ctx),
  definitionCounts(ctx),
  zoneReadings(ctx),
  visitorFacts(ctx),
]
