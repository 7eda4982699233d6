/**
 * A batch while it is read: counts every record in a class, and turns records to store into rows (decisions 3.5, rules
 * 4).
 */
import { hash } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { Prove } from '#crawlers/identity/prove-request.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { belongsTo } from '#sites/root-domain.ts'
import type { Deliverer } from '#sources/authenticate-token.ts'
import { type FactAgent, type FactOrigin, factRow, monthOf, type RowFrame, rowFrame } from '../facts/fact.ts'
import type { HostNames } from '../facts/host-limit.ts'
import { ownInspectionsOfBatch } from '../facts/own-inspections.ts'
import type { AgentClassifier, AgentsOfDay, ClassifiedAgent } from './agent-classifier.ts'
import {
  emptyAnswer,
  type IntakeAnswer,
  MAX_REPORTED_REJECTIONS,
  REJECTIONS,
  type RejectionCode,
} from './batch-answer.ts'
import { BatchCoverage } from './batch-coverage.ts'
import type { BatchPage, SitePages } from './batch-pages.ts'
import { MonthRows, openEvent } from './batch-rows.ts'
import { readHeartbeat } from './heartbeat.ts'
import { FIRST_INSTANT, type IntakeRecord, type JsonRecord, MAX_RECORD_AHEAD_MS } from './record.ts'

export interface BatchTools {
  origin: FactOrigin
  deliverer: Deliverer
  judge: AgentClassifier
  /** The agents of a day of the site (days since the epoch). */
  openDay(day: number): Promise<AgentsOfDay>
  /** Whether an id is that of an inspection of the site. */
  isInspection(id: string): Promise<boolean>
  host_names: HostNames
  pages: SitePages
  prove: Prove
}

export class Batch {
  readonly origin: FactOrigin
  readonly answer: IntakeAnswer = emptyAnswer()
  readonly coverage = new BatchCoverage()
  readonly agents = new Set<FactAgent>()
  readonly pages = new Set<BatchPage>()
  /** Rows by month. */
  readonly rows = new Map<number, MonthRows>()
  /** The days of the rows, by their first instant. */
  readonly days = new Map<number, AgentsOfDay>()
  /** Records that are JSON objects, readable or not. */
  objects = 0
  is_crowded = false
  /** Records that are older than the retention of the site. */
  expired = 0
  /** The first instant within the retention of the site. */
  readonly #kept_from: number
  readonly #tools: BatchTools
  readonly #frame: RowFrame
  readonly #isOwnInspection: ReturnType<typeof ownInspectionsOfBatch>

  constructor(tools: BatchTools) {
    this.#tools = tools
    this.origin = tools.origin
    this.#kept_from = dayStart(utcDay(this.origin.received_at - tools.deliverer.retention_days * DAY_MS))
    this.#frame = rowFrame(this.origin)
    this.#isOwnInspection = ownInspectionsOfBatch(tools.isInspection)
  }

  reject(code: RejectionCode): void {
    const { answer } = this
    const index = answer.records++
    answer.rejected_count++
    if (answer.rejected.length < MAX_REPORTED_REJECTIONS)
      answer.rejected.push({ index, code, message: REJECTIONS[code] })
  }

  ignore(): void {
    this.answer.records++
    this.answer.ignored_not_a_visit++
  }

  takeHeartbeat(json: JsonRecord): void {
    const read = readHeartbeat(json, this.#tools.deliverer.root_domain, this.origin.received_at)
    if (typeof read === 'string') {
      this.reject(read)
      return
    }
    this.answer.records++
    this.answer.heartbeats++
    const host = read.host === '*' ? '*' : this.#tools.host_names.stored(read.host)
    this.coverage.heartbeats.push({ ...read, host })
  }

  /** Adds a readable record; returns a promise if its day must be opened first. */
  take(record: IntakeRecord): Promise<void> | undefined {
    if (record.at > this.origin.received_at + MAX_RECORD_AHEAD_MS) return void this.reject('timestamp_ahead')
    if (record.at < FIRST_INSTANT) return void this.reject('timestamp_too_old')
    const { deliverer } = this.#tools
    const host = record.host ?? deliverer.root_domain
    if (!belongsTo(host, deliverer.root_domain)) {
      this.answer.records++
      this.answer.ignored_other_site++
      return
    }
    // A sender's clock may be ahead, but received records are of the past.
    this.coverage.add(Math.min(record.at, this.origin.received_at - 1))
    if (record.status !== 0) this.coverage.has_statuses = true
    const marked = this.#isOwnInspection(record.user_agent)
    if (marked === null) return this.#takeVisit(record, host)
    const kept = { ...record }
    return marked.then((isOwn) => {
      if (!isOwn) return this.#takeVisit(kept, host)
      this.answer.records++
      this.answer.ignored_own_inspection++
    })
  }

  #takeVisit(record: IntakeRecord, host: string): Promise<void> | undefined {
    const { judge } = this.#tools
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
    const opened = await this.#tools.openDay(day)
    this.days.set(day, opened)
    return opened
  }

  #keep(record: IntakeRecord, asked_host: string, agents: AgentsOfDay): undefined {
    const index = this.answer.records++
    if (record.at < this.#kept_from) this.expired++
    const agent = this.#agentOf(record, agents)
    this.agents.add(agent)
    const page = this.#tools.pages.of(this.#tools.host_names.stored(asked_host), record.target)
    this.pages.add(page)
    const id_event = record.id === null ? null : eventOfId(this.origin.source_id, record.id)
    const { at, status, status_raw, edge_action } = record
    const fact = { ...OBSERVED, at, status, status_raw, edge_action }
    const parts = { page: page.part, agent: agent.part }
    const row = factRow(this.#frame, id_event ?? openEvent(index), fact, `"${record.method}"`, parts)
    this.#month(record.at).add(row, id_event)
    return undefined
  }

  #agentOf(record: IntakeRecord, agents: AgentsOfDay): ClassifiedAgent {
    const { judge, prove } = this.#tools
    const proof = prove({
      at: record.at,
      received_at: this.origin.received_at,
      user_agent: record.user_agent,
      address: record.address,
      attested: record.address !== null,
      verified_bot: record.verified_bot,
      signature_verified: record.signature_verified,
    })
    const own = judge.agent(record.user_agent, proof)
    if (agents.admit(own)) return own
    this.is_crowded = true
    return judge.shared(record.user_agent)
  }

  #month(at: number): MonthRows {
    const month = monthOf(at)
    const known = this.rows.get(month)
    if (known !== undefined) return known
    const fresh = new MonthRows()
    this.rows.set(month, fresh)
    return fresh
  }
}

/** The columns that all delivered records share: each is one request at its exact time. */
const OBSERVED = { precision: 'exact', reading: 0, requests: 1, provider_estimate: null } as const

/** The identity of a request that its sender names: the same in every batch (rules 4). 128 bits, decimal. */
function eventOfId(source_id: string, id: string): string {
  return BigInt(`0x${hash('sha256', `${source_id}\n${id}`, 'hex').slice(0, 32)}`).toString()
}

/** The days of a batch's rows, `YYYY-MM-DD`. */
export function batchDays(batch: Batch): string[] {
  return [...batch.days.keys()].map((day) => utcDay(day * DAY_MS))
}
