/** Loads a registry version and puts it in force, which relabels all history at once (decisions 3.3). */
import { createHash } from 'node:crypto'
import { instantText } from '#clock.ts'
import { readSetting } from '#control/settings.ts'
import { Refusal } from '#refusal.ts'
import type { CrawlerContext } from '../context.ts'
import { compareHistories, type RegistryChange } from './compare-histories.ts'
import { labelAllAgents } from './label-agents.ts'
import { readRegistry } from './read-document.ts'
import { REGISTRY_VERSION, useRegistryVersion } from './registry-store.ts'
import { compareVersions } from './version.ts'

export interface Adoption {
  before: string | null
  after: string
  /** Crawlers whose requests, purpose or identities differ, over all sites and all history; by crawler id. */
  changes: RegistryChange[]
}

/**
 * Loads a registry document and puts it in force. @throws Refusal invalid_input: the document is malformed, or its
 * version is not newer than every loaded one; conflict: the same version is loaded with other content.
 */
export async function updateRegistry(ctx: CrawlerContext, text: string): Promise<Adoption> {
  const document = readRegistry(parse(text))
  const stored = JSON.stringify(document)
  const sha256 = createHash('sha256').update(stored).digest('hex')
  await ctx.control.transaction(async (tx) => {
    const loaded = await tx.selectFrom('registry_versions').select(['version', 'sha256']).execute()
    const same = loaded.find((row) => row.version === document.version)
    if (same !== undefined && same.sha256 !== sha256) {
      throw new Refusal(
        'conflict',
        `registry version ${document.version} is already loaded with other content: give the changed registry a new version`,
      )
    }
    if (same !== undefined) return
    const newest = loaded
      .map((row) => row.version)
      .sort(compareVersions)
      .at(-1)
    if (newest !== undefined && compareVersions(document.version, newest) < 0) {
      throw new Refusal(
        'invalid_input',
        `registry version ${document.version} is older than the loaded version ${newest}: to go back, use {next} with a loaded version`,
        { next: { step: 'registry.use' } },
      )
    }
    const row = { version: document.version, document: stored, sha256, loaded_at: ctx.clock.now() }
    await tx.insertInto('registry_versions').values(row).execute()
  })
  return useRegistry(ctx, document.version)
}

/** Puts a loaded version in force, newer or older. @throws Refusal not_found: the version is not loaded. */
export async function useRegistry(ctx: CrawlerContext, version: string): Promise<Adoption> {
  const after = await ctx.registries.open(version)
  const current = await readSetting(ctx.control.db, REGISTRY_VERSION)
  const before = current === null ? null : await ctx.registries.open(current)
  await labelAllAgents(ctx.evidence, after)
  const adoption: Adoption = { before: current, after: version, changes: await compareHistories(ctx, before, after) }
  await useRegistryVersion(ctx.control, version, { ...adoption, adopted_at: instantText(ctx.clock.now()) })
  // TRICKY: an import may have added agents since the labels were written. The import reads the version in force after
  // it wrote its labels, so one of the two notices the other ("an agent imported during the switch").
  await labelAllAgents(ctx.evidence, after)
  return adoption
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Refusal('invalid_input', `the registry is not JSON (${cause}); nothing was loaded`)
  }
}
