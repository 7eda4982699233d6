import Type from 'typebox'
import { updateRegistry, useRegistry } from '#crawlers/registry/adopt.ts'
import { describeRegistry } from '#crawlers/registry/describe.ts'
import { fetchRegistry } from '#crawlers/registry/fetch.ts'
import { Refusal } from '#refusal.ts'
import { command } from './command.ts'

export const registryCommands = {
  'registry.show': command({
    input: Type.Object({}),
    async run(ctx) {
      const { control, registries } = await ctx.crawlers()
      return describeRegistry(control, registries)
    },
  }),

  'registry.update': command({
    /** The document itself: the server opens no path that it is given. */
    input: Type.Object({ document: Type.String() }),
    async run(ctx, { document }) {
      return updateRegistry(await ctx.crawlers(), document)
    },
  }),

  'registry.fetch': command({
    input: Type.Object({ url: Type.String() }),
    async run(ctx, { url }) {
      if (ctx.outgoing === null) {
        throw new Refusal(
          'conflict',
          'nothing goes outside under a simulated clock (--clock): give the registry as a file',
        )
      }
      return updateRegistry(await ctx.crawlers(), await fetchRegistry(ctx.outgoing, url))
    },
  }),

  'registry.use': command({
    input: Type.Object({ version: Type.String() }),
    async run(ctx, { version }) {
      return useRegistry(await ctx.crawlers(), version)
    },
  }),
}
