import type { RegistryDocument, RegistryEntry } from '#crawlers/registry/document.ts'

/** A valid entry of a made-up crawler, with what a test wants different. */
export function makeEntry(crawlerId: string, changes: Partial<RegistryEntry> = {}): RegistryEntry {
  return {
    crawler_id: crawlerId,
    display_name: crawlerId,
    platform: 'Example',
    scope: 'ai',
    status: 'documented',
    user_agent_tokens: [crawlerId],
    user_agent_excludes: [],
    match: 'token',
    robots_only: false,
    robots_token: crawlerId,
    purpose: 'unknown',
    purpose_source: null,
    also_declared: [],
    verification: {
      ip_ranges_url: null,
      rdns_suffixes: [],
      web_bot_auth: null,
      signature_agent: null,
      source_url: 'https://crawler.example.com/about',
    },
    example_user_agents: [],
    first_seen: null,
    ...changes,
  }
}

/** A valid registry of these entries, with no sign of automation unless given. */
export function makeDocument(entries: RegistryEntry[], changes: Partial<RegistryDocument> = {}): RegistryDocument {
  return {
    version: '2026-01-02.1',
    automation_signs: { words: [], links: [], programs: [], whole_agents: [], people: [] },
    entries,
    ...changes,
  }
}
