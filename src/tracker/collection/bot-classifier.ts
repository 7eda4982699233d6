/** Step 6: classifies the sender as a browser or an automated client, by the registry in force (rules 4). */
import type { Registry } from '#crawlers/registry/classify.ts'
import type { CollectorContext } from './context.ts'

export interface BotClassifier {
  /** Null if the registry must be read again: await `refresh`. An empty user agent is automated. */
  isAutomated(user_agent: string): boolean | null
  refresh(): Promise<void>
}

const REGISTRY_CACHE_MS = 5_000
const MAX_AGENTS = 10_000
const MAX_REMEMBERED_LENGTH = 512

export function openBotClassifier(ctx: Pick<CollectorContext, 'clock' | 'registries'>): BotClassifier {
  const judged = new Map<string, boolean>()
  let registry: Registry | null = null
  let until = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null
  const read = async () => {
    const asked_at = ctx.clock.elapsed()
    const current = await ctx.registries.current()
    if (current !== registry) judged.clear()
    registry = current
    until = asked_at + REGISTRY_CACHE_MS
  }
  return {
    isAutomated(user_agent) {
      if (registry === null || until <= ctx.clock.elapsed()) return null
      if (user_agent === '' || user_agent === '-') return true
      const known = judged.get(user_agent)
      if (known !== undefined) return known
      const verdict = registry.isAutomated(user_agent)
      if (judged.size >= MAX_AGENTS) judged.clear()
      if (user_agent.length <= MAX_REMEMBERED_LENGTH) judged.set(user_agent, verdict)
      return verdict
    },
    refresh() {
      running ??= read().finally(() => {
        running = null
      })
      return running
    },
  }
}
