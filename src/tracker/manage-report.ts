/** Answers about visitors as the operator reads them; the evidence store opens when the first of them is asked for. */
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { Implementations } from '#implementation.ts'
import type { CollectionState, TrackerContext } from './context.ts'
import { readEvents } from './events.ts'

interface Services {
  crawlers(): Promise<Omit<TrackerContext, 'site' | 'collection'>>
  collection(): CollectionState
}

export const manageVisitorReport: Implementations<ManagementOperationOf<'report.events'>, Services> = {
  'report.events': async (ctx, input) =>
    readEvents({ ...(await ctx.crawlers()), collection: ctx.collection(), site: ctx.site }, input),
}
