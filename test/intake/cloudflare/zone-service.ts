/** A real service with a connected zone whose provider is the stand-in. */
import Type from 'typebox'
import { readConfig } from '#config.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { count, rows } from '#evidence/sql.ts'
import type { EvidenceStore, InsertTable } from '#evidence/store.ts'
import { connectZone, type ZoneConnection } from '#intake/cloudflare/connect.ts'
import type { ZoneContext } from '#intake/cloudflare/context.ts'
import { type PollRound, pollZones } from '#intake/cloudflare/poll-zones.ts'
import { zoneReadings } from '#intake/cloudflare/retired-readings.ts'
import { resolveBy } from '#outgoing/resolve.ts'
import type { Site } from '#sites/site.ts'
import {
  type CloudflareStandIn,
  type MadeUpRequest,
  startCloudflareStandIn,
} from '../../support/cloudflare-stand-in.ts'
import { openTestService, type TestService } from '../../support/service.ts'

export const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
export const CLAUDEBOT = 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)'
export const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

export interface ZoneService extends TestService {
  site: Site
  cloudflare: CloudflareStandIn
  ctx: ZoneContext
  connect(more?: { named?: string; token?: string }): Promise<ZoneConnection>
  /** `timeout_ms`: how long the provider has for each answer. */
  poll(timeout_ms?: number): Promise<PollRound>
  /** Polls until no zone is due at this instant. */
  pollAll(): Promise<PollRound>
  /** Adds requests of one kind, a second apart. */
  made(at: string, number: number, of?: Partial<MadeUpRequest>): void
  source(): Promise<Record<string, unknown>>
  zone(): Promise<Record<string, unknown>>
  /** The body of a GET on the site. */
  read(path: string): Promise<Record<string, unknown>>
  clear(): Promise<number>
  /** Rows of facts, counting or not. */
  storedFacts(): Promise<number>
}

export const EVERY_PURPOSE = 'purpose=search,assistant,training,unknown'

/** The same evidence store, with work done before rows are inserted into a table. */
export function beforeInsert(
  evidence: EvidenceStore,
  work: (table: InsertTable) => Promise<void> | void,
): EvidenceStore {
  return overrideStore(evidence, {
    async insert(table, rows, count) {
      await work(table)
      await evidence.insert(table, rows, count)
    },
  })
}

const Stored = Type.Object({ n: count() })

/** On a service of its own, unless one is given: that one stays open when this is closed. */
export async function openZoneService(given: string | TestService, folder?: string): Promise<ZoneService> {
  const service = typeof given === 'string' ? await openTestService(given, folder) : given
  const cloudflare = await startCloudflareStandIn(() => service.clock.now())
  const { allow_networks } = readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8' })
  const outgoing = {
    resolve: resolveBy([]),
    allow_networks,
    allow_ports: new Set([Number(new URL(cloudflare.url).port)]),
    own_endpoints: () => [],
  }
  const ctx: ZoneContext = {
    ...service.crawlers,
    // Each test has all of the provider's budget.
    cloudflare: {
      ...service.installation.cloudflare,
      base_url: cloudflare.url,
      outgoing,
      timeout_ms: 5_000,
    },
  }
  const [known] = await service.installation.control.db.selectFrom('sites').selectAll().execute()
  const site = known === undefined ? await service.addSite('example.com') : { ...known, role: 'owner' as const }
  await service.createKey()
  const { db } = service.installation.control
  const poll = (timeout_ms = ctx.cloudflare.timeout_ms) =>
    pollZones({ ...ctx, cloudflare: { ...ctx.cloudflare, timeout_ms } }, new AbortController().signal)
  return {
    ...service,
    site,
    cloudflare,
    ctx,
    poll,
    connect: (more = {}) => connectZone(ctx, { site, token: cloudflare.token, ...more }),
    async pollAll() {
      const all: PollRound = { zones: 0, hours: 0 }
      for (;;) {
        const { zones, hours } = await poll()
        if (zones === 0) return all
        all.zones += zones
        all.hours += hours
      }
    },
    made(at, number, of = {}) {
      for (let index = 0; index < number; index++) {
        const moment = new Date(Date.parse(at) + index * 1_000).toISOString()
        cloudflare.requests.push({ user_agent: GPTBOT, ...of, at: moment })
      }
    },
    async source() {
      const answer = await service.ask('/v1/sites/example.com/sources')
      return (answer.json.sources as Record<string, unknown>[])[0] as Record<string, unknown>
    },
    zone: () => db.selectFrom('zones').selectAll().executeTakeFirstOrThrow() as Promise<Record<string, unknown>>,
    async read(path) {
      const answer = await service.ask(`/v1/sites/example.com/${path}`)
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.json
    },
    clear: () => deleteRetired(ctx, [zoneReadings(ctx)]),
    async storedFacts() {
      const [row] = await service.crawlers.evidence.all(rows(Stored)`SELECT count() AS n FROM spoor.requests`)
      return row?.n as number
    },
    async close() {
      await cloudflare.close()
      if (typeof given === 'string') await service.close()
    },
  }
}
