/** The crawler registry as operations. */
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { Implementations } from '#implementation.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import { Refusal } from '#refusal.ts'
import type { CrawlerContext } from '../context.ts'
import { updateRegistry, useRegistry } from './adopt-version.ts'
import { describeRegistry } from './describe-registry.ts'
import { fetchRegistry } from './fetch-document.ts'

interface Services {
  crawlers(): Promise<CrawlerContext>
  /** The context of requests to other servers; null if Spoor may not send any. */
  outgoing: SafeFetchContext | null
}

export const manageRegistry: Implementations<
  ManagementOperationOf<'registry.show' | 'registry.update' | 'registry.fetch' | 'registry.use'>,
  Services
> = {
  async 'registry.show'(ctx) {
    const { control, registries } = await ctx.crawlers()
    return describeRegistry(control, registries)
  },

  async 'registry.update'(ctx, { document }) {
    return updateRegistry(await ctx.crawlers(), document)
  },

  async 'registry.fetch'(ctx, { url }) {
    if (ctx.outgoing === null) {
      throw new Refusal(
        'conflict',
        'Under a simulated clock (--clock) Spoor sends no requests to other servers: give the registry as a file',
      )
    }
    return updateRegistry(await ctx.crawlers(), await fetchRegistry(ctx.outgoing, url))
  },

  async 'registry.use'(ctx, { version }) {
    return useRegistry(await ctx.crawlers(), version)
  },
}
