/**
 * Three nodes behind nginx, on one PostgreSQL and one double of a ClickHouse server, under senders that retry with the
 * same ids, while one node after the other is killed with -9 or stands still (decisions 8.2).
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import Type from 'typebox'
import { createSiteKey } from '#accounts/site-keys.ts'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { count, rows } from '#evidence/sql.ts'
import type { Installation } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { addSite } from '#sites/sites.ts'
import { startChild, type TestChild } from './child.ts'
import { startClickHouseDouble } from './clickhouse.ts'
import { BROWSER } from './collect.ts'
import { freePort } from './free-port.ts'
import { startNginx } from './nginx.ts'
import type { NodeConfig } from './node.child.ts'
import { createDatabase, startPostgres } from './postgres.ts'
import { enableTracker } from './tracker.ts'

const CHILD = new URL('node.child.ts', import.meta.url)
const NODES = ['a', 'b', 'c'] as const
const RETRY_MS = 50
/** A node is given up waiting for after 15 s. */
const LONG_SILENCE_MS = 18_000

export interface NodeRoundsInput {
  folder: string
  mode: 'direct' | 'shared'
  /** Kills; after them one node stands still for so long that the others give up waiting for it, and goes on. */
  kills: number
  /** From one kill to the next, milliseconds. */
  every_ms: number
  senders: number
  onRound?: (said: string) => void
}

export interface NodeReport {
  acknowledged: number
  /** Those that were never answered with 202 may be among them. */
  stored: number
  /** Answers that never came, or said 503, so that the event was sent again. */
  retried: number
  /** Events that were sent again although they had been acknowledged. */
  repeated: number
  /** What the nodes answer of the site, each: must be alike. */
  answers: unknown[]
  /** Of the tracker, as the control store counted. */
  counted: { accepted: number; repeated: number }
  /** How long an acknowledged request took, milliseconds. */
  p50_ms: number
  p99_ms: number
  /** The node that stood still ended by itself. */
  was_fenced: boolean
}

const storedPages = rows(Type.Object({ path: Type.String(), events: count() }))`
  SELECT path, count() AS events FROM spoor.events FINAL WHERE stream = 'browser' GROUP BY path`

/** @throws Error with what was lost or doubled. */
export async function nodeRounds(input: NodeRoundsInput): Promise<NodeReport> {
  const { folder, mode, onRound = () => {} } = input
  for (const name of ['evidence', 'spools', 'setup', 'nginx']) mkdirSync(join(folder, name), { recursive: true })
  const postgres = await startPostgres()
  const database = await createDatabase({ server: postgres })
  const double = await startClickHouseDouble(join(folder, 'evidence'))
  const ports = await Promise.all(NODES.map(freePort))
  const collect = { mode, folder: mode === 'shared' ? join(folder, 'spools') : null }
  const common = {
    database_url: database.url,
    secret_key: 'b'.repeat(64),
    collect,
    clickhouse: { urls: [double.url], cluster: null },
  }
  const children: TestChild[] = []
  const start = async (place: number): Promise<void> => {
    const node_name = NODES[place] as string
    const config: NodeConfig = { ...common, data: join(folder, node_name), node_name, port: ports[place] as number }
    const child = startChild(CHILD, JSON.stringify(config))
    children[place] = child
    await child.line()
  }
  const setup = await openSetup({ ...common, data: join(folder, 'setup') })
  let nginx: Awaited<ReturnType<typeof startNginx>> | null = null
  const load = new Load()
  try {
    await Promise.all(NODES.map((_, place) => start(place)))
    nginx = await startNginx(join(folder, 'nginx'), ports)
    const sending = load.begin(nginx.url, setup.public_key, input.senders)
    for (let kill = 0; kill < input.kills; kill++) {
      await Promise.race([load.grows(50), sending])
      await Promise.race([pause(input.every_ms), sending])
      const place = kill % NODES.length
      await (children[place] as TestChild).kill()
      await Promise.race([load.grows(50), sending])
      await start(place)
      onRound(`${kill + 1} kills: ${load.acknowledged.size} events acknowledged, ${load.retried} retries`)
    }
    const was_fenced = await standStill(children[0] as TestChild, () => Promise.race([load.grows(50), sending]))
    onRound(`a node stood still for ${LONG_SILENCE_MS / 1_000} s: ${load.acknowledged.size} events acknowledged`)
    // It does not come back: in the mode shared others store what its spool holds.
    load.stop()
    await sending
    const sent_until = Date.now()
    const { installation } = setup
    await allReadable(installation)
    const stored = await (await installation.crawlers()).evidence.all(storedPages)
    compare(load.acknowledged, stored)
    const answers = await Promise.all(
      [ports[1], ports[2]].map((port) => readOverview(`http://127.0.0.1:${port}`, setup.key, sent_until)),
    )
    return {
      stored: stored.length,
      acknowledged: load.acknowledged.size,
      retried: load.retried,
      repeated: load.repeated,
      answers,
      was_fenced,
      counted: await readCounts(installation),
      p50_ms: load.percentile(0.5),
      p99_ms: load.percentile(0.99),
    }
  } finally {
    load.stop()
    for (const child of children) await child.kill()
    await nginx?.close()
    await setup.installation.close()
    await double.close()
    await postgres.close()
  }
}

/** SIGSTOP for long, then SIGCONT: it must end by itself, and others must have gone on meanwhile. */
async function standStill(child: TestChild, goOn: () => Promise<void>): Promise<boolean> {
  child.process.kill('SIGSTOP')
  await pause(LONG_SILENCE_MS)
  await goOn()
  const ended = new Promise<boolean>((resolve) => child.process.once('exit', () => resolve(true)))
  child.process.kill('SIGCONT')
  return Promise.race([ended, pause(20_000, false, { ref: false })])
}

/** Until no node has anything left to store. */
async function allReadable({ control }: Installation): Promise<void> {
  for (;;) {
    const nodes = await control.db.selectFrom('nodes').selectAll().execute()
    const waiting = nodes.filter(
      ({ state, waiting_bytes }) => state === 'draining' || (state === 'up' && waiting_bytes > 0),
    )
    if (waiting.length === 0 && nodes.filter(({ state }) => state === 'up').length === NODES.length - 1) return
    await pause(200)
  }
}

function compare(acknowledged: ReadonlySet<string>, stored: readonly { path: string; events: number }[]): void {
  const there = new Map(stored.map(({ path, events }) => [path, events]))
  const lost = [...acknowledged].filter((path) => !there.has(path))
  if (lost.length > 0) throw new Error(`of ${acknowledged.size} acknowledged events ${lost.length} are lost`)
  const doubled = stored.filter(({ events }) => events !== 1)
  if (doubled.length > 0) throw new Error(`${doubled.length} events are stored more than once`)
}

/** The overview without its instants, once all that was received by `sent_until` (epoch milliseconds) can be read. */
async function readOverview(url: string, key: string, sent_until: number): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}` }
  for (;;) {
    const answer = await fetch(`${url}/v1/sites/example.com/overview?window=7d`, { headers })
    const json = (await answer.json()) as { meta: { window: { cutoff: string } } }
    if (answer.status !== 200) throw new Error(`the overview was answered ${answer.status}: ${JSON.stringify(json)}`)
    if (Date.parse(json.meta.window.cutoff) > sent_until) {
      return JSON.parse(JSON.stringify(json, (name, value) => (INSTANTS.has(name) ? undefined : value)))
    }
    await pause(200)
  }
}

/** When an answer was made differs from node to node. */
const INSTANTS = new Set(['as_of', 'cutoff', 'data_through', 'checked_at'])

async function readCounts({ control }: Installation): Promise<NodeReport['counted']> {
  const found = await control.db.selectFrom('collection_counts').select(['outcome', 'events']).execute()
  const sum = (outcome: string) =>
    found.filter((row) => row.outcome === outcome).reduce((total, { events }) => total + events, 0)
  return { accepted: sum('accepted'), repeated: sum('repeated') }
}

/** Senders that send each event until it is acknowledged, and every tenth once more. */
class Load {
  readonly acknowledged = new Set<string>()
  retried = 0
  repeated = 0
  #is_over = false
  #made = 0
  #took: number[] = []

  async begin(url: string, site: string, senders: number): Promise<void> {
    await Promise.all(Array.from({ length: senders }, () => this.#sender(url, site)))
  }

  stop(): void {
    this.#is_over = true
  }

  /** Resolves once so many more events are acknowledged. */
  async grows(events: number): Promise<void> {
    const enough = this.acknowledged.size + events
    while (this.acknowledged.size < enough && !this.#is_over) await pause(20)
  }

  percentile(part: number): number {
    const sorted = this.#took.toSorted((a, b) => a - b)
    return Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN)
  }

  async #sender(url: string, site: string): Promise<void> {
    while (!this.#is_over) {
      const place = ++this.#made
      const path = `/e/${place}`
      const event = { v: 1, site, type: 'pageview', url: `https://example.com${path}`, id: crypto.randomUUID() }
      while (!(await this.#send(url, event, place))) {
        this.retried++
        if (this.#is_over) return
        await pause(RETRY_MS)
      }
      this.acknowledged.add(path)
      if (place % 10 === 0 && (await this.#send(url, event, place))) this.repeated++
    }
  }

  async #send(url: string, event: Record<string, unknown>, place: number): Promise<boolean> {
    const headers = { origin: 'https://example.com', 'user-agent': BROWSER, 'content-type': 'text/plain' }
    const forwarded = { 'x-forwarded-for': `198.51.100.${place % 250}` }
    const began = performance.now()
    const answer = await fetch(`${url}/collect`, {
      method: 'POST',
      headers: { ...headers, ...forwarded },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (answer === null || text === null || answer.status >= 500) return false
    if (answer.status !== 202) throw new Error(`answered ${answer.status}: ${text}`)
    this.#took.push(performance.now() - began)
    return true
  }
}

interface Setup {
  installation: Installation
  public_key: string
  key: string
}

/** One tracked site and a key to read it, made from a folder that serves nothing. */
async function openSetup(given: Omit<NodeConfig, 'node_name' | 'port'>): Promise<Setup> {
  const config = { ...readConfig({}), ...given }
  const log = pino({ level: 'silent' })
  const installation = await openInstallation({ config, clock: systemClock(), log, wait_ms: 0 })
  await installation.crawlers()
  const site = await addSite(installation.operator, { ...installation.operator, domain: 'example.com' })
  const now = new Date(systemClock().now()).toISOString()
  const { public_key } = await enableTracker({ installation }, site, { from: now, through: now })
  const { user_id } = installation.operator
  const key = await createSiteKey(installation.operator, { user_id, name: 'nodes' })
  return { installation, public_key, key: key.secret }
}
