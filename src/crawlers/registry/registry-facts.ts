import type { RegistryFacts } from '#contract/dashboard-api/index.ts'
import type { RegistryStore } from './registry-store.ts'

/** The facts of the registry in force and of one crawler, with the pages on which people can check them. */
export async function readRegistryFacts(
  { registries }: { registries: RegistryStore },
  { crawler_id }: { crawler_id?: string },
): Promise<RegistryFacts> {
  const registry = await registries.current()
  const entry = crawler_id === undefined ? undefined : registry.entry(crawler_id)
  return {
    version: registry.version,
    crawlers: registry.entries.length,
    crawler:
      entry === undefined
        ? null
        : {
            crawler_id: entry.crawler_id,
            purpose_source: entry.purpose_source,
            source_url: entry.verification.source_url,
          },
  }
}
