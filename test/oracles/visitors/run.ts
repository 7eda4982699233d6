/**
 * Plays a history on a real service: what browsers, servers and owners do, at its instants, and what the service
 * answers.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { readConfig } from '#config.ts'
import { snippetJobs } from '#jobs/snippet-jobs.ts'
import { setGate } from '#sites/gates.ts'
import type { Site } from '#sites/site.ts'
import { removeSite } from '#sites/sites.ts'
import { addConversion, archiveConversion, editConversion } from '#tracker/definitions/conversions.ts'
import {
  readConversionEdit,
  readConversionInput,
  readFunnelEdit,
  readFunnelInput,
} from '#tracker/definitions/definition-input.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { addFunnel, archiveFunnel, editFunnel } from '#tracker/definitions/funnels.ts'
import { declareProperty, editProperty, endProperty } from '#tracker/definitions/properties.ts'
import { createTrackerKey, revokeTrackerKey } from '#tracker/keys/keys.ts'
import { disableTracker, enableTracker } from '#tracker/keys/trackers.ts'
import { setHonoursOptOut, setPrivacyFloor } from '#tracker/privacy-settings.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { BROWSER } from '../../support/collect.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import {
  type Ask,
  type BrowserRequest,
  DAY,
  type FunnelStep,
  type History,
  type Instant,
  type Matcher,
  type SentEvent,
  type Step,
} from './history.ts'

const MANY = { per_second: 1e6, burst: 1e6 }

/** Its collector stores and marks when the history says so, and not by the time of this machine. */
export async function openPlayed(now: Instant): Promise<TestService> {
  const collects = { limits: { address: MANY, site: MANY }, max_silence_ms: 1_000 * DAY }
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    return await openTestService(new Date(now).toISOString(), undefined, { collects })
  } finally {
    vi.useRealTimers()
  }
}

export interface Answered {
  at: Instant
  ask: Ask
  status: number
  json: unknown
}

/** The site is removed in the end, so that histories follow each other on one service. */
export async function play(service: TestService, history: History): Promise<Answered[]> {
  const player = new Player(service, history)
  for (const step of history.steps) await player.take(step)
  await player.end()
  return player.answers
}

class Player {
  readonly answers: Answered[] = []
  readonly #service: TestService
  readonly #history: History
  #site: Site | null = null
  #api_key = ''
  #server_key = ''
  /** Public keys in order of creation. */
  readonly #keys: string[] = []
  readonly #slugs = new Map<string, string>()
  readonly #conversion_ids = new Map<string, string>()
  #down: { at: Instant; until: Instant } | null = null

  constructor(service: TestService, history: History) {
    this.#service = service
    this.#history = history
  }

  async take(step: Step): Promise<void> {
    const site = await this.#openSite(step.at)
    await this.#moveTo(step.at)
    switch (step.do) {
      case 'browser':
        return this.#sendAsBrowser(step)
      case 'server':
        return this.#sendAsServer(step.events)
      case 'ask':
        await this.#collector.settle()
        await this.#collector.mark()
        for (const ask of step.asks) await this.#ask(site, step.at, ask)
        return
      default:
        // What was sent before is stored before anything changes.
        await this.#collector.settle()
        return this.#change(site, step)
    }
  }

  async end(): Promise<void> {
    if (this.#site !== null)
      await removeSite(this.#service.installation.operator, {
        ...this.#service.installation.operator,
        site_id: this.#site.id,
      })
  }

  async #change(site: Site, step: Exclude<Step, { do: 'browser' | 'server' | 'ask' }>): Promise<void> {
    const { installation, crawlers } = this.#service
    const { control, clock } = installation
    const ctx = { control, clock }
    const site_id = site.id
    switch (step.do) {
      case 'enable':
        return this.#enable(site_id)
      case 'disable':
        await disableTracker(installation, { site_id })
        return
      case 'new_key':
        this.#keys.push((await createTrackerKey(installation, { site_id, kind: 'public' })).secret)
        return
      case 'revoke':
        await revokeTrackerKey(installation, { site_id, key: this.#keys[step.key] as string })
        return
      case 'down':
        await this.#collector.mark()
        this.#down = step
        return
      case 'load':
        return this.#load()
      case 'inspect':
        return this.#inspect(step.found)
      case 'derive':
        await deriveDays({ ...crawlers, collection: this.#collector } as never)
        await deriveDefinitions(crawlers)
        return
      case 'overview_v2':
        return control.transaction((tx) =>
          setGate(tx, crawlers, { site_id, name: 'analytics_overview_v2', is_open: step.on }),
        )
      case 'heed_opt_out':
        await setHonoursOptOut(installation, { site_id, honours_opt_out: step.on })
        return
      case 'reader': {
        const name = step.reader.replace('analytics-', '')
        const gate = { site_id, name: `analytics_${name}_reader`, is_open: step.on } as Parameters<typeof setGate>[2]
        return control.transaction((tx) => setGate(tx, crawlers, gate))
      }
      case 'privacy_floor':
        await setPrivacyFloor(installation, { site_id, privacy_floor: step.sessions })
        return
      case 'declare': {
        const named = { site_id, event_name: step.event_name, property_key: step.key }
        const values = step.kind === 'enum' ? { enum_values: step.values } : {}
        await declareProperty(ctx, { ...named, scalar_kind: step.kind, ...values } as never)
        return
      }
      case 'edit_property':
        await editProperty(ctx, {
          site_id,
          event_name: step.event_name,
          property_key: step.key,
          scalar_kind: 'enum',
          enum_values: step.values,
        })
        return
      case 'end_property':
        await endProperty(ctx, { site_id, event_name: step.event_name, property_key: step.key })
        return
      case 'add_conversion': {
        const definition = readConversionInput({ name: step.name, matcher: matcherOf(step.matcher) })
        const { conversion_id } = (await addConversion(ctx, { site, definition })) as { conversion_id: string }
        this.#conversion_ids.set(step.name, conversion_id)
        return
      }
      case 'edit_conversion':
        await editConversion(ctx, {
          site,
          conversion: step.name,
          edit: readConversionEdit({ matcher: matcherOf(step.matcher) }),
        })
        return
      case 'archive_conversion':
        await archiveConversion(ctx, { site, conversion: step.name })
        return
      case 'add_funnel': {
        const definition = readFunnelInput({ name: step.name, steps: this.#stepsOf(step.steps) })
        this.#slugs.set(step.name, (await addFunnel(ctx, { site, definition })).slug)
        return
      }
      case 'edit_funnel': {
        const edit = readFunnelEdit({ steps: this.#stepsOf(step.steps) })
        await editFunnel(ctx, { site, funnel: this.#slugs.get(step.name) as string, edit })
        return
      }
      case 'archive_funnel':
        await archiveFunnel(ctx, { site, funnel: this.#slugs.get(step.name) as string })
    }
  }

  get #collector() {
    const { collector } = this.#service
    if (collector === null) throw new Error('a history is played on a service that collects')
    return collector
  }

  /** The site is there before its tracker is. */
  async #openSite(at: Instant): Promise<Site> {
    if (this.#site !== null) return this.#site
    this.#service.clock.leap(at - 1)
    const site = await this.#service.addSite(this.#history.domain)
    this.#api_key = (await this.#service.createKey([site])).secret
    this.#site = site
    return site
  }

  /**
   * The last seconds pass for everything, so that keys and declarations that were believed for a while are read anew.
   */
  async #moveTo(at: Instant): Promise<void> {
    const { clock } = this.#service
    if (this.#down !== null && at > this.#down.until) {
      clock.leap(this.#down.until)
      await this.#restart(this.#down)
      this.#down = null
    }
    const passes = Math.min(3_000, at - clock.now())
    clock.leap(at - passes)
    clock.advance(passes)
  }

  /**
   * A collector that starts again begins a run of its own; this one goes on, so the time in which it was down is cut
   * out of its run.
   */
  async #restart({ at, until }: { at: Instant; until: Instant }): Promise<void> {
    await this.#collector.mark()
    const { db } = this.#service.installation.control
    const run = await db
      .selectFrom('collector_runs')
      .selectAll()
      .orderBy('through_at', 'desc')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('collector_runs')
      .values({ ...run, id: crypto.randomUUID(), through_at: at })
      .execute()
    await db.updateTable('collector_runs').set({ from_at: until }).where('id', '=', run.id).execute()
  }

  async #enable(site_id: string): Promise<void> {
    const { installation } = this.#service
    const { public_id } = await enableTracker(installation, { site_id })
    if (this.#keys.length > 0) return
    this.#keys.push(String(public_id))
    this.#server_key = (await createTrackerKey(installation, { site_id, kind: 'server' })).secret
  }

  async #sendAsBrowser({ events, key, visitor, is_bot, is_foreign, opts_out }: BrowserRequest): Promise<void> {
    // What was accepted before ends the time in which a revoked key loses evidence, once it is stored: within half a
    // second.
    if (key < this.#keys.length - 1) await this.#collector.settle()
    const own = new URL(events[0]?.url ?? `https://${this.#history.domain}`).origin
    const body = events.map((event) => ({ v: 1, site: this.#keys[key], ...sent(event) }))
    const { status, text } = await this.#service.ask('/collect', {
      method: 'POST',
      key: null,
      body: JSON.stringify(body),
      headers: {
        'content-type': 'text/plain;charset=UTF-8',
        'user-agent': is_bot ? 'GPTBot/1.2' : BROWSER,
        origin: is_foreign ? 'https://elsewhere.example' : own,
        'x-forwarded-for': `198.51.100.${visitor}`,
        ...(opts_out === undefined ? {} : { [opts_out]: '1' }),
      },
    })
    if (![202, 401, 403, 422].includes(status)) throw new Error(`/collect answered ${status}: ${text}`)
  }

  async #sendAsServer(events: readonly SentEvent[]): Promise<void> {
    const { status, text } = await this.#service.ask('/collect/server', {
      method: 'POST',
      key: this.#server_key,
      body: JSON.stringify(events.map((event) => ({ v: 1, ...sent(event) }))),
      headers: { 'content-type': 'application/json' },
    })
    if (![202, 403].includes(status)) throw new Error(`/collect/server answered ${status}: ${text}`)
  }

  async #load(): Promise<void> {
    const headers = { 'user-agent': BROWSER, referer: `https://${this.#history.domain}/` }
    const { status } = await this.#service.ask(`/spoor.js?site=${this.#keys.at(-1)}`, { key: null, headers })
    if (status !== 200) throw new Error(`/spoor.js answered ${status}`)
  }

  /** The real inspection, of a home page with or without the snippet. */
  async #inspect(found: boolean): Promise<void> {
    const page = found ? `<script defer src="/spoor.js" data-site="${this.#keys.at(-1)}"></script>` : '<p>Hello</p>'
    const server = createServer((_, response) => response.end(`<html>${page}</html>`))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const config = readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8', SPOOR_ALLOW_PORTS: String(port) })
    const { control, clock } = this.#service.installation
    const [job] = snippetJobs({
      control,
      clock,
      outgoing: { ...config, resolve: async () => ['127.0.0.1'], own_endpoints: () => [] },
      homes: (domain: string) => [`http://${domain}:${port}/`],
    } as never)
    await job?.run(new AbortController().signal, { check: async () => {} } as never)
    server.close()
  }

  async #ask(site: Site, at: Instant, ask: Ask): Promise<void> {
    const { reader, window, limit, funnel, revision } = ask
    const path = reader === 'funnel' ? `funnels/${this.#slugs.get(funnel ?? '') ?? NO_FUNNEL}` : reader
    const query = new URLSearchParams({
      window,
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(revision === undefined ? {} : { revision: String(revision) }),
    })
    const { status, json } = await this.#service.ask(`/v1/sites/${site.id}/${path}?${query}`, { key: this.#api_key })
    this.answers.push({ at, ask, status, json })
  }

  #stepsOf(steps: readonly FunnelStep[]) {
    return steps.map((step) =>
      step.kind === 'page' ? step : { kind: 'conversion', conversion_id: this.#conversion_ids.get(step.name) },
    )
  }
}

const NO_FUNNEL = `nothing-${'0'.repeat(32)}`

const matcherOf = (matcher: Matcher): unknown => matcher

/** Fields that are left out are not sent as null. */
function sent({ url, id, ...event }: SentEvent): Record<string, unknown> {
  return { ...event, ...(url === null ? {} : { url }), ...(id === null ? {} : { id }) }
}
