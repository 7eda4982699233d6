/** Facts of live sources, and their encoding for the evidence store (rules 4). */
import { createHash } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { PathClass, PathFidelity } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import type { EdgeAction } from '../log/edge-action.ts'

/** One observed automated request, or several that a provider counts together. */
export interface Fact {
  /** 128-bit identity, decimal: the same request is the same event, however often it is delivered. */
  event: string
  /** Epoch milliseconds; with precision `hour` the beginning of the hour. */
  at: number
  precision: 'exact' | 'hour'
  /** The number of its reading; 0: the source has no readings. */
  reading: number
  /** At least 1. */
  requests: number
  /** The estimate of a sampling provider, which is in no total. */
  provider_estimate: number | null
  host: string
  path: string
  path_fidelity: PathFidelity
  path_class: PathClass
  /** 0: no response was observed. */
  status: number
  /** The reported number; 0: none. */
  status_raw: number
  method: string
  /** The action of the edge; null: the source does not say. */
  edge_action: EdgeAction | null
  user_agent: string
  /** 64-bit key of user agent and proof facts, decimal. */
  agent_key: string
}

/** The source and the delivery of facts. */
export interface FactOrigin {
  site_id: string
  source_id: string
  delivery_id: string
  /** Epoch milliseconds. */
  received_at: number
}

/** An agent as it is stored once, before the facts that refer to it. */
export interface FactAgent {
  agent_key: string
  user_agent: string
  /** The canonical text of its proof facts; empty: none. */
  proof: string
}

/** Parts of a row that many rows share, encoded once, because this runs for every stored record of live sources. */
export interface RowParts {
  /** Host, path, fidelity and class. */
  page: string
  /** User agent and key. */
  agent: string
}

/** The columns of `requests` that are equal in all rows of a delivery. */
export interface RowFrame {
  site_id: string
  /** Source and delivery. */
  origin: string
  received_at: string
}

/** The parts of a row that all facts of a delivery share. */
export function rowFrame(origin: FactOrigin): RowFrame {
  return {
    site_id: origin.site_id,
    origin: `"${origin.source_id}","${origin.delivery_id}"`,
    received_at: instantOfRow(origin.received_at),
  }
}

type RowFields = Pick<
  Fact,
  'at' | 'precision' | 'reading' | 'requests' | 'provider_estimate' | 'status' | 'status_raw' | 'edge_action'
>

/** One fact as a row of `requests`. `method` is JSON text. */
export function factRow(frame: RowFrame, event: string, fact: RowFields, method: string, parts: RowParts): string {
  const edge_action = fact.edge_action === null ? 'null' : `"${fact.edge_action}"`
  return `["${frame.site_id}","${dayOfRow(fact.at)}","${event}","${instantOfRow(fact.at)}","${fact.precision}",${frame.origin},${fact.reading},${fact.requests},${fact.provider_estimate},${parts.page},${fact.status},${fact.status_raw},${method},${edge_action},${parts.agent},"${frame.received_at}"]\n`
}

type PageFields = Pick<Fact, 'host' | 'path' | 'path_fidelity' | 'path_class'>

/** The columns of a page in a row. */
export function pagePart(page: PageFields): string {
  return `${jsonString(page.host)},${jsonString(page.path)},"${page.path_fidelity}","${page.path_class}"`
}

/** The columns of an agent in a row. */
export function agentPart(agent: Pick<Fact, 'user_agent' | 'agent_key'>): string {
  return `${jsonString(agent.user_agent)},"${agent.agent_key}"`
}

/** The partition of an instant, for example 202605. */
export function monthOf(at: number): number {
  const day = dayOfRow(at)
  return Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7))
}

/** `YYYY-MM-DD hh:mm:ss.mmm` in UTC. */
export function instantOfRow(at: number): string {
  const second = Math.floor(at / 1000)
  if (second !== known.second) {
    known.second = second
    known.text = new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ')
  }
  return `${known.text}.${MILLISECONDS[at - second * 1000]}`
}

/** The last second, because requests are usually in the order of time. */
const known = { second: Number.NaN, text: '' }
const MILLISECONDS = Array.from({ length: 1000 }, (_, ms) => String(ms).padStart(3, '0'))

function dayOfRow(at: number): string {
  const day = Math.floor(at / DAY_MS)
  if (day !== known_day.day) {
    known_day.day = day
    known_day.text = utcDay(at)
  }
  return known_day.text
}

const known_day = { day: Number.NaN, text: '' }

/** TRICKY: half of a surrogate pair is written as an escape that the engine refuses ("text that is not Unicode"). */
export function jsonString(text: string): string {
  return JSON.stringify(text.isWellFormed() ? text : text.toWellFormed())
}

/** The key of user agent and proof facts; without proof facts that of the user agent alone. */
export function agentKey(userAgent: string, proof = ''): string {
  const digest = createHash('sha256').update(userAgent).update('\0').update(proof).digest()
  return digest.readBigUInt64BE(0).toString()
}
