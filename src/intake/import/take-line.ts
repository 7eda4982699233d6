/** Every line of a file falls into its class, and the ones to keep are staged (decisions 3.4, rules 4). */
import { hash } from 'node:crypto'
import { type Clock, DAY_MS, MINUTE_MS } from '#clock.ts'
import type { Prover } from '#crawlers/identity/prover.ts'
import type { RegistryDocument } from '#crawlers/registry/document.ts'
import { overlap, type TimeRange } from '#days/intervals.ts'
import { pathClass } from '#paths/path-class.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { belongsTo } from '#sites/root-domain.ts'
import type { HostNames } from '../facts/host-limit.ts'
import { isOwnInspection } from '../facts/own-inspections.ts'
import type { IgnoredKind } from '../log/format.ts'
import type { PrefilteredLines } from '../log/prefilter-human-lines.ts'
import type { LineKind, LogReader } from '../log/read-line.ts'
import { clientOf, type LogRecord, requestOf } from '../log/record.ts'
import { isServerInternal, readRequest } from '../log/request.ts'
import type { FileAgent, FileAgents } from './file-agents.ts'
import type { FileCounts } from './file-counts.ts'
import type { Stage } from './stage-rows.ts'

/** Beyond this a line's time is a mistake (rules 3). */
export const MAX_LINE_AHEAD_MS = DAY_MS

/** An upload whose days were moved to the server at hand. */
export interface MovedPart {
  source_id: string
  server: string
  /** The time that it covers, disjoint and ascending. */
  ranges: TimeRange[]
}

export interface FileReading {
  delivery_id: string
  source_id: string
  server: string
  moved: readonly MovedPart[]
  root_domain: string
  /** Host of lines that name none. */
  default_host: string
  /** The service's now, epoch milliseconds. */
  now: number
  agents: FileAgents
  /** What the agents are judged by. */
  document: RegistryDocument
  prove: Prover['prove']
  /** Ids of the inspections of the site. */
  own_inspections: ReadonlySet<string>
  host_names: HostNames
  stage: Stage
  counts: FileCounts
  clock: Clock
  /** Zone of times that carry none; undefined: UTC. */
  timezone: string | undefined
}

/** Puts the line at hand into its class; true when staged rows should be handed on. */
export function takeLine(reading: FileReading, reader: LogReader, kind: LineKind): boolean {
  reading.counts.lines++
  if (kind === 'record') return takeRecord(reading, reader)
  if (kind === 'human') takeHumanLine(reading, reader)
  else if (kind === 'malformed') reading.counts.addMalformed(reader.malformed, reader.line_number, reader.line())
  else takeIgnored(reading, reader, kind)
  return false
}

/** Adds up the human lines of a block; false when the order of lines matters to its hosts, so each is read. */
export function takeHumanLines({ counts, default_host, root_domain }: FileReading, block: PrefilteredLines): boolean {
  const hosts = block.hosts.map((one) => ({ ...one, host: one.host ?? default_host }))
  const own = hosts.filter(({ host }) => belongsTo(host, root_domain))
  const foreign = hosts.filter(({ host }) => !belongsTo(host, root_domain))
  const names = own.map(({ host }) => host)
  if (!counts.takesHosts(names, foreign.length, block.rest.length / 2)) return false
  counts.lines += block.human
  for (const minute of block.minutes) counts.minutes.add(minute * MINUTE_MS)
  counts.from = Math.min(counts.from, block.from)
  counts.to = Math.max(counts.to, block.to)
  if (block.has_agents) counts.has_agents = true
  for (const { host, human } of foreign) counts.addForeignHost(host, human)
  for (const { host, human, without_agent, has_statuses } of own) {
    counts.addHost(host, human)
    counts.human += human
    counts.human_without_agent += without_agent
    if (has_statuses) counts.has_statuses = true
  }
  return true
}

/** The short form of takeRecord for a plain human line. */
function takeHumanLine({ counts, now, default_host, root_domain }: FileReading, reader: LogReader): void {
  const { at, has_agent, has_status } = reader.human_line
  if (at > now + MAX_LINE_AHEAD_MS) {
    counts.addMalformed('time_ahead', reader.line_number, reader.line())
    return
  }
  counts.addTime(at)
  if (has_agent) counts.has_agents = true
  const host = reader.human_line.host ?? default_host
  if (!belongsTo(host, root_domain)) {
    counts.addForeignHost(host)
    return
  }
  counts.addHost(host)
  counts.human++
  if (!has_agent) counts.human_without_agent++
  if (has_status) counts.has_statuses = true
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

/** Puts a readable line into its class; true when staged rows should be handed on. */
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

/** The record's agent when it is automated: by its name, or by its provider's verdict (rules 4). */
function agentOf({ agents }: FileReading, { user_agent, verified_bot }: LogRecord): FileAgent | null {
  return verified_bot === null ? agents.judge(user_agent) : agents.vouched(user_agent)
}

interface LineHost {
  host: string
  /** False where the line itself says none. */
  is_named: boolean
}

function keepRecord(reading: FileReading, reader: LogReader, { host, is_named }: LineHost, agent: FileAgent): boolean {
  const { counts } = reading
  const record = reader.record
  const requested = requestOf(record)
  const request = readRequest(requested)
  if (typeof request === 'string') {
    counts.addMalformed(request, reader.line_number, reader.line())
    return false
  }
  counts.addHost(host)
  counts.kept++
  if (!is_named) counts.without_host++
  if (record.status !== null) counts.has_statuses = true
  counts.double_log.add(
    Math.floor(record.at / 1000),
    clientOf(record),
    request.target,
    agent.agent_key,
    requested.slice(requested.lastIndexOf(' ') + 1),
  )
  const { path, fidelity } = pathV1(request.target)
  return reading.stage.add({
    at: record.at,
    host: reading.host_names.stored(host),
    path,
    path_fidelity: fidelity,
    path_class: pathClass(path),
    // 0 says that no response was observed; the logged number is kept beside it.
    status: record.status ?? NO_STATUS,
    status_raw: record.status_raw !== null && record.status_raw <= 65_535 ? record.status_raw : NO_STATUS,
    method: request.method,
    edge_action: record.edge_action,
    agent: reading.agents.ofDay(reading.agents.proved(agent, proofOf(reading, record)), Math.floor(record.at / DAY_MS)),
    line_hash: lineHash(reading, reader.line(), record.at),
    line_number: reader.line_number,
  })
}

/** A log's client is the connection's peer; the prover knows proxies, private and cut addresses (rules 4). */
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

const NO_STATUS = 0
const SLASH = 47

/** The line's own host, else the host of an absolute target; null for neither: the default stands in (rules 4). */
function namedHost(record: LogRecord): string | null {
  if (record.host !== null) return record.host
  // Nearly every request is `GET /…`: only the others can have an absolute target.
  if (record.source.charCodeAt(record.request_start + 4) === SLASH) return null
  const request = readRequest(requestOf(record))
  return typeof request === 'string' ? null : request.absolute_host
}

/** A line's identity before its ordinal: 128 bits of source, server and content, in hexadecimal (rules 4). */
function lineHash(reading: FileReading, line: string, at: number): string {
  const { source_id, server } = reading.moved.find((part) => isWithinPart(part, at)) ?? reading
  return hash('sha256', `${source_id}\n${server}\n${line}`, 'hex').slice(0, 32)
}

function isWithinPart({ ranges }: MovedPart, at: number): boolean {
  return overlap(ranges, { from: at, to: at + 1 }) === 'inside'
}
