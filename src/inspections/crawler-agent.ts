import type { RegistryEntry } from '#crawlers/registry/document.ts'

/** The user agent that a crawler's vendor documents, else its token; null for tokens that no request has. */
export function crawlerAgent({ example_user_agents, user_agent_tokens, robots_only }: RegistryEntry): string | null {
  if (robots_only) return null
  return example_user_agents[0] ?? user_agent_tokens[0] ?? null
}

/** Whether false claims to be the crawler can be recognized, so that a site may rightly refuse them. */
export function hasPublishedProof({ verification }: RegistryEntry): boolean {
  const { ip_ranges_url, rdns_suffixes, web_bot_auth, signature_agent } = verification
  return ip_ranges_url !== null || rdns_suffixes.length > 0 || web_bot_auth === true || signature_agent !== null
}
