import type { Logger } from 'pino'
import { markReplacedDays } from '#backup/replaced-days.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { labelAllAgents } from '#crawlers/registry/label-agents.ts'
import { storeBuiltInRegistry, takeOver } from '#crawlers/registry/registry-store.ts'
import { recoverDeliveries } from '#intake/import/recover-broken-deliveries.ts'
import { claimEvidence } from './claim-evidence.ts'

/**
 * Call it before any read or import. It checks that both stores belong together and are of the same time, repairs what
 * a crash left, and labels every agent.
 */
export async function prepareEvidence(ctx: CrawlerContext, log: Logger): Promise<void> {
  // First of all, because every later step must work on the bound evidence store only.
  await claimEvidence(ctx)
  const replaced = await markReplacedDays(ctx)
  if (replaced > 0)
    log.warn(
      { days: replaced },
      'the control store is older than the evidence: days that were derived since are derived again',
    )
  const broken = await recoverDeliveries(ctx)
  if (broken > 0) log.warn({ broken }, 'imports were interrupted: repeat them to complete their days')
  const shipped = await storeBuiltInRegistry(ctx.control, ctx.clock)
  if (shipped !== null) {
    await labelAllAgents(ctx.evidence, await ctx.registries.open(shipped))
    await takeOver(ctx.control, shipped)
    log.info({ registry_version: shipped }, 'the crawler registry of this release is in force now')
  }
}
