/** Loading a registry version and making it the one in force: all history is re-labelled in one switch while reads go on (decisions 3.3). */
import { createHash } from 'node:crypto'
import Type from 'typebox'
import { readSetting } from '#control/settings.ts'
import { count, rows } from '#evidence/sql.ts'
import { Refusal } from '#refusal.ts'
import type { CrawlerContext } from '../context.ts'
import type { Registry } from './classify.ts'
import { labelAllAgents } from './label-agents.ts'
import { readRegistry } from './read.ts'
import { REGISTRY_VERSION, useRegistryVersion } from './shelf.ts'
import { compareVersions } from './version.ts'

/** What a crawler's history is under one version; null where that version does not know the crawler. */
export interface CrawlerHistory {
  requests: number
  purpose: string
}

export interface RegistryChange {
  crawler_id: string
  before: CrawlerHistory | null
  after: CrawlerHistory | null
}

export interface Adoption {
  before: string | null
  after: string
  /** Crawlers whose requests or purpose differ, over all sites and all history; by crawler id. */
  changes: RegistryChange[]
}

/**
 * Loads a registry document and puts it in force. Refusal(invalid_input) for a wrong shape and for a version that is not newer than
 * every loaded one; Refusal(conflict) when the same version is loaded with another content.
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
        `registry version ${document.version} is loaded already with another content: a changed registry needs a new version`,
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
        `registry version ${document.version} is older than the loaded ${newest}: to go back use spoor registry use VERSION with a loaded version`,
      )
    }
    const row = { version: document.version, document: stored, sha256, loaded_at: ctx.clock.now() }
    await tx.insertInto('registry_versions').values(row).execute()
  })
  return useRegistry(ctx, document.version)
}

/** Puts a loaded version in force, newer or older; Refusal(not_found) when it is not loaded. */
export async function useRegistry(ctx: CrawlerContext, version: string): Promise<Adoption> {
  const after = await ctx.registries.open(version)
  const current = await readSetting(ctx.control.db, REGISTRY_VERSION)
  const before = current === null ? null : await ctx.registries.open(current)
  await labelAllAgents(ctx.evidence, after)
  const changes = await compareHistories(ctx, before, after)
  await useRegistryVersion(ctx.control, version)
  // TRICKY: an import may have added agents since the labels were written; it looks at the version in force after its own
  // labels, so one of the two sees the other ("an agent imported during the switch").
  await labelAllAgents(ctx.evidence, after)
  return { before: current, after: version, changes }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Refusal('invalid_input', `the registry is not JSON (${cause}); nothing was loaded`)
  }
}

const AgentHistory = Type.Object({ user_agent: Type.String(), requests: count() })

/** All requests at rest by user agent, over all sites. */
const agentHistories = rows(AgentHistory)`
  SELECT toString(user_agent) AS user_agent, sum(requests) AS requests
  FROM spoor.requests FINAL
  GROUP BY user_agent
  ORDER BY user_agent`

const COMPARE_LIMITS = { max_seconds: 600, max_memory_mb: 1_000 }

async function compareHistories(
  ctx: CrawlerContext,
  before: Registry | null,
  after: Registry,
): Promise<RegistryChange[]> {
  const agents = await ctx.evidence.all(agentHistories, COMPARE_LIMITS)
  const [old, fresh] = [before, after].map((registry) => historiesOf(registry, agents)) as [Histories, Histories]
  const ids = [...new Set([...old.keys(), ...fresh.keys()])].sort()
  return ids
    .map((crawler_id) => ({ crawler_id, before: old.get(crawler_id) ?? null, after: fresh.get(crawler_id) ?? null }))
    .filter(({ before: was, after: is }) => was?.requests !== is?.requests || was?.purpose !== is?.purpose)
}

type Histories = Map<string, CrawlerHistory>

function historiesOf(
  registry: Registry | null,
  agents: readonly { user_agent: string; requests: number }[],
): Histories {
  const histories: Histories = new Map()
  for (const { user_agent, requests } of agents) {
    const entry = registry?.classify(user_agent)
    if (entry === null || entry === undefined) continue
    const known = histories.get(entry.crawler_id)
    if (known === undefined) histories.set(entry.crawler_id, { requests, purpose: entry.purpose })
    else known.requests += requests
  }
  return histories
}
