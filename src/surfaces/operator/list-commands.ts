import Type from 'typebox'
import { describeLists, findList } from '#crawlers/identity/lists/describe.ts'
import { keepList, removeList } from '#crawlers/identity/lists/keep.ts'
import { loadLists } from '#crawlers/identity/lists/load.ts'
import { readList } from '#crawlers/identity/lists/read-list.ts'
import { Refusal } from '#refusal.ts'
import { command } from './command.ts'

export const listCommands = {
  'registry.lists.list': command({
    input: Type.Object({}),
    async run(ctx) {
      return { lists: await describeLists(await ctx.crawlers()) }
    },
  }),

  'registry.lists.import': command({
    /** The document itself in base64, because a web page may be in any encoding: the server opens no path that it is given. */
    input: Type.Object({ list: Type.String(), document: Type.String(), is_whole_as: Type.Boolean() }),
    async run(ctx, { list, document, is_whole_as }) {
      const crawlers = await ctx.crawlers()
      const listId = findList(await crawlers.registries.current(), list)
      const read = readList(Buffer.from(document, 'base64'))
      const known = { ...read, is_whole_as: read.is_whole_as || is_whole_as }
      const kept = await keepList(crawlers, listId, known, { refuse_older: true })
      await crawlers.prover.refresh()
      return kept
    },
  }),

  'registry.lists.remove': command({
    input: Type.Object({ list: Type.String() }),
    async run(ctx, { list }) {
      const crawlers = await ctx.crawlers()
      const list_id = findList(await crawlers.registries.current(), list)
      const versions = await removeList(ctx.control, list_id)
      if (versions === 0) throw new Refusal('not_found', `nothing is held of the list ${list_id}`)
      await crawlers.prover.refresh()
      return { list_id, versions }
    },
  }),

  'registry.lists.update': command({
    input: Type.Object({}),
    async run(ctx) {
      if (ctx.fetchList === null) {
        throw new Refusal(
          'conflict',
          'nothing goes outside under a simulated clock (--clock): import the lists from files with spoor registry lists import',
        )
      }
      const crawlers = await ctx.crawlers()
      const lists = await loadLists(crawlers, ctx.fetchList)
      await crawlers.prover.refresh()
      return { lists }
    },
  }),
}
