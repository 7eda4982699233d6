/** One batch on its way to being facts: every record falls into its class, and the ones to keep become rows (decisions 3.5, rules 4). */
import { hash, randomUUID } from 'node:crypto'
import { DAY_MS, utcDay } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { pathClass } from '#paths/path-class.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { belongsTo } from '#sites/root-domain.ts'
import type { Deliverer } from '#sources/authenticate-token.ts'
import { type FactAgent, type FactOrigin, factHead, factTail, monthOf, pageRow } from '../facts/fact.ts'
import { pageKey } from '../facts/store-facts.ts'
import type { HostNames } from '../import/host-names.ts'
import type { AgentsOfDay, DaysOfAgents, Judge } from './agents.ts'
import { emptyAnswer, type IntakeAnswer, MOST_REJECTIONS_TOLD, REJECTIONS, type RejectionCode } from './answer.ts'
import type { Prove } from './context.ts'
import { readHeartbeat } from './heartbeat.ts'
import { FIRST_INSTANT, type IntakeRecord, type JsonObject, MOST_AHEAD_MS } from './record.ts'
import { Watch } from './watch.ts'

/** A row to store, apart from its event where that is of the whole body. */
export interface PendingRow {
  /** Position of the record in the batch. */
  index: number
  head: string
  /** Of the record's id; null where it has none. */
  event: string | null
  tail: string
}

export interface BatchTools {
  ctx: CrawlerContext
  deliverer: Deliverer
  judge: Judge
  days: DaysOfAgents
  host_names: HostNames
  prove: Prove
}

export class Batch {
  readonly origin: FactOrigin
  readonly answer: IntakeAnswer = emptyAnswer()
  readonly watch = new Watch()
  readonly agents = new Map<string, FactAgent>()
  readonly pages = new Map<string, string>()
  readonly rows = new Map<number, PendingRow[]>()
  /** Days that rows lie on, by their first instant. */
  readonly days = new Map<number, AgentsOfDay>()
  has_ids = false
  /** Records that are JSON objects, readable or not. */
  objects = 0
  is_crowded = false
  readonly #tools: BatchTools

  constructor(tools: BatchTools) {
    this.#tools = tools
    const { site_id, source_id } = tools.deliverer
    this.origin = { site_id, source_id, delivery_id: randomUUID(), received_at: tools.ctx.clock.now() }
  }

  reject(code: RejectionCode): void {
    const { answer } = this
    const index = answer.records++
    answer.rejected_count++
    if (answer.rejected.length < MOST_REJECTIONS_TOLD) answer.rejected.push({ index, code, message: REJECTIONS[code] })
  }

  ignore(): void {
    this.answer.records++
    this.answer.ignored_not_a_visit++
  }

  takeHeartbeat(json: JsonObject): void {
    const read = readHeartbeat(json, this.#tools.deliverer.root_domain, this.origin.received_at)
    if (typeof read === 'string') {
      this.reject(read)
      return
    }
    this.answer.records++
    this.answer.heartbeats++
    const host = read.host === '*' ? '*' : this.#tools.host_names.stored(read.host)
    this.watch.heartbeats.push({ ...read, host })
  }

  /** Takes a readable record; a promise where a day has to be opened first. */
  take(record: IntakeRecord): Promise<void> | undefined {
    if (record.at > this.origin.received_at + MOST_AHEAD_MS) return void this.reject('timestamp_ahead')
    if (record.at < FIRST_INSTANT) return void this.reject('timestamp_too_old')
    const { judge, deliverer } = this.#tools
    const host = record.host ?? deliverer.root_domain
    if (!belongsTo(host, deliverer.root_domain)) {
      this.answer.records++
      this.answer.ignored_other_site++
      return
    }
    // A sender's clock may be ahead, but what has arrived has happened.
    this.watch.add(Math.min(record.at, this.origin.received_at - 1))
    if (record.status !== 0) this.watch.has_statuses = true
    // A verdict of the provider, or a signature, shows a machine where the agent's name does not (rules 4).
    const is_vouched = record.verified_bot !== null || record.signature_verified
    if (!is_vouched && !judge.isAutomated(record.user_agent)) {
      this.answer.records++
      this.answer.ignored_human++
      return
    }
    const day = Math.floor(record.at / DAY_MS)
    const agents = this.days.get(day)
    if (agents !== undefined) return this.#keep(record, host, agents)
    const kept = { ...record }
    return this.#openDay(day).then((opened) => this.#keep(kept, host, opened))
  }

  async #openDay(day: number): Promise<AgentsOfDay> {
    const opened = await this.#tools.days.open(this.origin.site_id, day * DAY_MS)
    this.days.set(day, opened)
    return opened
  }

  #keep(record: IntakeRecord, asked_host: string, agents: AgentsOfDay): undefined {
    const { prove, host_names } = this.#tools
    const { origin } = this
    const index = this.answer.records++
    const proof = prove({
      at: record.at,
      received_at: origin.received_at,
      user_agent: record.user_agent,
      address: record.address,
      attested: record.address !== null,
      verified_bot: record.verified_bot,
      signature_verified: record.signature_verified,
    })
    const agent = this.#agentFor(record.user_agent, proof, agents)
    const host = host_names.stored(asked_host)
    const page = pageOf(record.target)
    const fact = {
      ...({ at: record.at, precision: 'exact', reading: 0, requests: 1, provider_estimate: null, host } as const),
      ...{ path: page.path, path_fidelity: page.path_fidelity, path_class: page.path_class },
      ...{ status: record.status, status_raw: record.status_raw, method: record.method },
      ...{ user_agent: agent.user_agent, agent_key: agent.agent_key },
    }
    const key = pageKey(host, page.path)
    if (!this.pages.has(key)) this.pages.set(key, pageRow(origin.site_id, fact))
    if (record.id !== null) this.has_ids = true
    const row: PendingRow = {
      index,
      head: factHead(origin.site_id, record.at),
      event: record.id === null ? null : eventOfId(origin.source_id, record.id),
      tail: factTail(origin, fact),
    }
    const month = monthOf(record.at)
    const rows = this.rows.get(month)
    if (rows === undefined) this.rows.set(month, [row])
    else rows.push(row)
    return undefined
  }

  #agentFor(userAgent: string, proof: string, agents: AgentsOfDay): FactAgent {
    const { judge } = this.#tools
    const own = judge.agent(userAgent, proof)
    const is_admitted = agents.admit(own)
    if (!is_admitted) this.is_crowded = true
    const agent = is_admitted ? own : judge.shared(userAgent)
    if (!this.agents.has(agent.agent_key)) this.agents.set(agent.agent_key, agent)
    return agent
  }
}

/** The identity of a request that its sender names: the same in every batch (rules 4). 128 bits, decimal. */
function eventOfId(source_id: string, id: string): string {
  return BigInt(`0x${hash('sha256', `${source_id}\n${id}`, 'hex').slice(0, 32)}`).toString()
}

interface Page {
  path: string
  path_fidelity: 'exact' | 'redacted'
  path_class: 'content' | 'infrastructure'
}

const pages = new Map<string, Page>()
const MOST_PAGES = 50_000
const LONGEST_REMEMBERED = 512

/** What of a target is kept, remembered because pages are asked for again and again. */
function pageOf(target: string): Page {
  const known = pages.get(target)
  if (known !== undefined) return known
  const { path, fidelity } = pathV1(target)
  const page: Page = { path, path_fidelity: fidelity, path_class: pathClass(path) }
  if (target.length > LONGEST_REMEMBERED) return page
  if (pages.size >= MOST_PAGES) pages.clear()
  pages.set(target, page)
  return page
}

/** The days that a batch's rows lie on, `YYYY-MM-DD`. */
export function daysOf(batch: Batch): string[] {
  return [...batch.days.keys()].map((day) => utcDay(day * DAY_MS))
}
