/** Bounds invented agents: beyond the limit, new agents share a name (rules 4). */
import type { RegistryEntry } from '#crawlers/registry/document.ts'

/** The most new agents of a site and day, or of a zone's reading. */
export const MAX_NEW_AGENTS = 10_000
/** The most agents of a file, or cached of all batches. */
export const MAX_ALL_AGENTS = 100_000

/** The name of further agents. It keeps a crawler's token, so that its requests still count for it. */
export const sharedAgentName = (crawler: Pick<RegistryEntry, 'user_agent_tokens'> | null | undefined): string =>
  crawler == null ? ':other' : `:other ${crawler.user_agent_tokens[0]}`
