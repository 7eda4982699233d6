/** Bounds made-up agents, so that they cannot fill the store: beyond the limit, new ones share a name (rules 4). */
import type { RegistryEntry } from '#crawlers/registry/document.ts'

/** The most new agents of a site and day, or of a zone's reading. */
export const MAX_NEW_AGENTS = 10_000
/** The most agents of a file, or that are remembered of all batches. */
export const MAX_ALL_AGENTS = 100_000

/** What further agents are stored as; a crawler's token stays in the name, so that its requests remain its own. */
export const sharedAgentName = (crawler: Pick<RegistryEntry, 'user_agent_tokens'> | null | undefined): string =>
  crawler == null ? ':other' : `:other ${crawler.user_agent_tokens[0]}`
