/** Classifies every line of a file, and stages those to store (decisions 3.4, rules 4). */
import { type Clock, DAY_MS } from '#clock.ts'
import type { HeldLists } from '#crawlers/identity/prove-request.ts'
import type { Prover } from '#crawlers/identity/prover.ts'
import type { RegistryDocument } from '#crawlers/registry/document.ts'
import { belongsTo } from '#sites/root-domain.ts'
import type { HostNames } from '../facts/host-limit.ts'
import { isOwnInspection } from '../facts/own-inspections.ts'
import type { IgnoredKind } from '../log/format.ts'
import type { LineKind, LogReader } from '../log/read-line.ts'
import { clientOf, type LogRecord, requestOf } from '../log/record.ts'
import { isServerInternal, readRequest } from '../log/request.ts'
import { hashText, joinHashesHigh, joinHashesLow } from './double-log.ts'
import type { FileAgent, FileAgents } from './file-agents.ts'
import type { FileCounts } from './file-counts.ts'
import { type LineOrigin, lineHash } from './line-identity.ts'
import { NO_STATUS } from './row-columns.ts'
import type { Stage } from './stage-rows.ts'
import { readStoredRequest, type StoredRequest } from './stored-request.ts'

/** A line that is further ahead of the clock has a wrong time (rules 3). */
export const MAX_LINE_AHEAD_MS = DAY_MS

export interface FileReading extends LineOrigin {
  delivery_id: string
  root_domain: string
  /** The host of lines that name none. */
  default_host: string
  /** The service's time, epoch milliseconds. */
  now: number
  agents: FileAgents
  /** The registry that classifies agents. */
  document: RegistryDocument
  prove: Prover['prove']
  /** The lists of `prove`, for threads that prove requests themselves. */
  lists: HeldLists
  /** Addresses may need reverse DNS. */
  asks_names: boolean
  /** Ids of the inspections of the site. */
  own_inspections: ReadonlySet<string>
  host_names: HostNames
  stage: Stage
  counts: FileCounts
  clock: Clock
  /** The time zone of times without one; undefined: UTC. */
  timezone: string | undefined
}

/** Counts the current line in its class; true: the caller should flush staged rows. */
export function takeLine(reading: FileReading, reader: LogReader, kind: LineKind): boolean {
  reading.counts.lines++
  if (reader.has_local_times) reading.counts.has_local_times = true
  if (reader.sees_edge) reading.counts.sees_edge = true
  if (kind === 'record') return takeRecord(reading, reader)
  if (kind === 'malformed') reading.counts.addMalformed(reader.malformed, reader.line_number, reader.line())
  else takeIgnored(reading, reader, kind)
  return false
}

/** A line that is not a visit still shows that the log was written at its time. */
function takeIgnored({ counts, now }: FileReading, reader: LogReader, kind: IgnoredKind): void {
  if (reader.record.at > now + MAX_LINE_AHEAD_MS) {
    counts.addMalformed('time_ahead', reader.line_number, reader.line())
    return
  }
  counts.addTime(reader.record.at)
  counts[kind]++
}

/** Counts a readable line in its class; true: the caller should flush staged rows. */
function takeRecord(reading: FileReading, reader: LogReader): boolean {
  const { counts } = reading
  const record = reader.record
  if (record.at > reading.now + MAX_LINE_AHEAD_MS) {
    counts.addMalformed('time_ahead', reader.line_number, reader.line())
    return false
  }
  counts.addTime(record.at)
  if (record.user_agent !== '') counts.has_agents = true
  if (isServerInternal(record)) {
    counts.server_internal++
    return false
  }
  const named = namedHost(record)
  const host = named ?? reading.default_host
  if (!belongsTo(host, reading.root_domain)) {
    counts.addForeignHost(host)
    return false
  }
  if (isOwnInspection(record.user_agent, reading.own_inspections)) {
    counts.own_inspection++
    return false
  }
  const agent = agentOf(reading, record)
  if (agent !== null) return keepRecord(reading, reader, { host, is_named: named !== null }, agent)
  counts.addHost(host)
  counts.human++
  if (record.user_agent === '') counts.human_without_agent++
  if (record.status !== null) counts.has_statuses = true
  return false
}

/** The record's agent if it is automated, by its name or by its provider's verdict (rules 4); else null. */
function agentOf({ agents }: FileReading, { user_agent, verified_bot }: LogRecord): FileAgent | null {
  return verified_bot === null ? agents.judge(user_agent) : agents.vouched(user_agent)
}

interface LineHost {
  host: string
  /** False: the line names no host. */
  is_named: boolean
}

function keepRecord(reading: FileReading, reader: LogReader, { host, is_named }: LineHost, agent: FileAgent): boolean {
  const { counts } = reading
  const record = reader.record
  const request = readStoredRequest(requestOf(record))
  if (typeof request === 'string') {
    counts.addMalformed(request, reader.line_number, reader.line())
    return false
  }
  counts.addHost(host)
  counts.kept++
  if (!is_named) counts.without_host++
  if (record.status !== null) counts.has_statuses = true
  noteDouble(counts, record, request, agent)
  const proved = reading.agents.proved(agent, proofOf(reading, record))
  return reading.stage.add({
    at: record.at,
    host: reading.host_names.stored(host),
    path: request.path,
    path_fidelity: request.path_fidelity,
    path_class: request.path_class,
    status: record.status ?? NO_STATUS,
    status_raw: record.status_raw ?? NO_STATUS,
    method: request.method,
    edge_action: record.edge_action,
    agent: reading.agents.ofDay(proved, Math.floor(record.at / DAY_MS)),
    line_hash: lineHash(reading, reader.line(), record.at),
    line_number: reader.line_number,
  })
}

function noteDouble({ double_log }: FileCounts, record: LogRecord, request: StoredRequest, agent: FileAgent): void {
  const second = Math.floor(record.at / 1000)
  const [client, key] = [hashText(clientOf(record)), hashText(agent.agent_key)]
  double_log.add(
    joinHashesHigh(second, client.high, request.hash.high, key.high),
    joinHashesLow(second, client.low, request.hash.low, key.low),
    request.protocol_hash,
  )
}

/** The proof of the record's client, which is the peer of the connection (rules 4). */
function proofOf({ prove, now }: FileReading, record: LogRecord): string {
  return prove({
    at: record.at,
    received_at: now,
    user_agent: record.user_agent,
    address: clientOf(record),
    attested: true,
    verified_bot: record.verified_bot,
    signature_verified: false,
  })
}

const SLASH = 47

/** The line's host, else that of an absolute target; null: neither, so that the default host counts (rules 4). */
function namedHost(record: LogRecord): string | null {
  if (record.host !== null) return record.host
  // Nearly every request is `GET /…`, which has no absolute target.
  if (record.source.charCodeAt(record.request_start + 4) === SLASH) return null
  const request = readRequest(requestOf(record))
  return typeof request === 'string' ? null : request.absolute_host
}
