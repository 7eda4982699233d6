/** Programs that still call routes of the account API that end (account API 2.6). */
import { readDeprecatedUses } from '#accounts/deprecated-uses.ts'
import { DAY_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { quoted } from '#foreign-text.ts'
import { countOf } from '#quantities.ts'
import { type Finding, finding } from './findings.ts'

/** A program that was changed since is not warned of for longer. */
const RECENT_DAYS = 30

/** One finding for each active token that called one within 30 days. */
export async function checkDeprecatedRoutes({ control, clock }: ControlContext): Promise<Finding[]> {
  const uses = await readDeprecatedUses(control.db)
  const recent = uses.filter(({ last_used_at }) => last_used_at > clock.now() - RECENT_DAYS * DAY_MS)
  return [...Map.groupBy(recent, ({ token_id }) => token_id).values()].map((calls) => {
    const requests = calls.reduce((sum, call) => sum + call.requests, 0)
    const [{ name, prefix }] = calls as [(typeof calls)[number]]
    const operations = calls.map(({ operation }) => operation).sort()
    return finding(
      'deprecated_routes_used',
      `Token ${quoted(name)} (${prefix}) called deprecated routes: ${operations.join(', ')}; ${countOf(requests, 'request')} so far.`,
    )
  })
}
