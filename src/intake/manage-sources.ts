/** Operations on sources that need the intake: connecting a zone, and ending an unnamed upload. */
import { instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { describeChanged } from '#sources/manage-sources.ts'
import { retireUpload } from '#sources/retire-upload.ts'
import { connectZone } from './cloudflare/connect.ts'
import type { CloudflareAccess } from './cloudflare/context.ts'

interface Services extends ControlContext {
  crawlers(): Promise<CrawlerContext>
  /** The access to Cloudflare; null if Spoor may not send requests to other servers. */
  cloudflare: CloudflareAccess | null
  /** Called after a zone was connected, so that it is polled. */
  pollSoon(): void
}

export const manageIntake: Implementations<ManagementOperationOf<'source.connect' | 'source.retire'>, Services> = {
  async 'source.connect'({ control, clock, cloudflare, site, pollSoon }, { zone, token }) {
    if (cloudflare === null) {
      throw new Refusal(
        'conflict',
        'Under a simulated clock Spoor sends no requests to other servers: start the service without --clock to connect the zone',
      )
    }
    const named = zone === undefined ? {} : { named: zone }
    const connected = await connectZone({ control, clock, cloudflare }, { site, token, ...named })
    pollSoon()
    return { ...connected, root_domain: site.root_domain, read_from: instantText(connected.read_from) }
  },

  async 'source.retire'(ctx, input) {
    const crawlers = await ctx.crawlers()
    return describeChanged(ctx, await crawlers.intake.duringImport(() => retireUpload(ctx, input)))
  },
}
