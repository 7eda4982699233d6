import { instantText } from '#clock.ts'
import type { UnregisteredAgents, UnregisteredAgentsInput } from '#contract/site-api/index.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import type { CrawlerReading } from './coverage/meta.ts'
import { publish } from './coverage/publish-count.ts'
import { isEmpty } from './scope.sql.ts'
import { unregisteredAgents } from './unregistered-agents.sql.ts'

/**
 * Automated agents of the window that the registry in force does not know, most requests first; in no total of another
 * answer (rules 2). Known are those whose requests were recognised as automated when they were received: others were
 * dropped (rules 4).
 */
export async function readUnregisteredAgents(
  ctx: SiteContext,
  { window, limit }: UnregisteredAgentsInput,
): Promise<UnregisteredAgents> {
  return withReading(ctx, { window, purpose: PURPOSES }, (reading) => listAgents(ctx, reading, limit))
}

async function listAgents(
  ctx: SiteContext,
  { meta, verdict, scope }: CrawlerReading,
  limit: number,
): Promise<UnregisteredAgents> {
  const counts = isEmpty(scope) ? [] : await ctx.evidence.all(unregisteredAgents(scope, limit))
  const { registry_version } = scope
  const registry = await (registry_version === null ? ctx.registries.current() : ctx.registries.open(registry_version))
  const [first] = counts
  const total = first === undefined ? 0 : first.total_agents
  return {
    meta,
    limit,
    returned_count: counts.length,
    total_count: publish(verdict, total),
    truncated: total > counts.length,
    observed_request_count: publish(verdict, first === undefined ? 0 : first.total_requests),
    agents: counts.map((row) => ({
      agent: row.agent,
      observed_request_count: row.requests,
      first_seen: instantText(row.first_at),
      last_seen: instantText(row.last_at),
      signs: [
        ...registry.signsOf(row.example),
        ...(row.has_verdict ? [{ sign: 'provider_verdict' as const, text: null }] : []),
      ],
    })),
  }
}
