/** The published lists of addresses as operations. */
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import type { CrawlerContext } from '../../context.ts'
import { describeLists, findList } from './describe-lists.ts'
import { type FetchList, loadLists } from './load-lists.ts'
import { readList } from './read-list.ts'
import { removeList, storeListVersion } from './store-list-version.ts'

interface Services {
  crawlers(): Promise<CrawlerContext>
  /** Loads published lists; null if Spoor may not send requests to other servers. */
  fetchList: FetchList | null
}

export const manageLists: Implementations<ManagementOperationOf<`registry.lists.${string}`>, Services> = {
  async 'registry.lists.list'(ctx) {
    return { lists: await describeLists(await ctx.crawlers()) }
  },

  async 'registry.lists.import'(ctx, { list, document, is_whole_as }) {
    const crawlers = await ctx.crawlers()
    const list_id = findList(await crawlers.registries.current(), list)
    const read = readList(Buffer.from(document, 'base64'))
    const known = { ...read, is_whole_as: read.is_whole_as || is_whole_as }
    const stored = await storeListVersion(crawlers, list_id, known, { refuse_older: true })
    await crawlers.prover.refresh()
    return stored
  },

  async 'registry.lists.remove'(ctx, { list }) {
    const crawlers = await ctx.crawlers()
    const list_id = findList(await crawlers.registries.current(), list)
    const versions = await removeList(crawlers.control, list_id)
    if (versions === 0) throw new Refusal('not_found', `no version of the list ${list_id} is loaded`)
    await crawlers.prover.refresh()
    return { list_id, versions }
  },

  async 'registry.lists.update'(ctx) {
    if (ctx.fetchList === null) {
      throw new Refusal(
        'conflict',
        'Under a simulated clock (--clock) Spoor sends no requests to other servers: import the lists from files with {next}',
        { next: { step: 'registry.lists.import' } },
      )
    }
    const crawlers = await ctx.crawlers()
    const lists = await loadLists(crawlers, ctx.fetchList)
    await crawlers.prover.refresh()
    return { lists }
  },
}
