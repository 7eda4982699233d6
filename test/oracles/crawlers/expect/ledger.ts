/** All that has happened to a site, as the specification wants it remembered. */
import type { Minute, Visit } from '../events.ts'
import type { Broken } from './broken.ts'
import { noObservedTime, type ObservedTime } from './observed-time.ts'
import type { TimeSpan } from './silences.ts'

export interface Fact extends Visit {
  source: string
  /** How many requests. */
  requests: number
  identity: Identity
}

/** From weakest to strongest (decisions 3.3). */
export const IDENTITIES = ['unknown', 'ua_identified', 'provider_verified', 'network_verified'] as const
export type Identity = (typeof IDENTITIES)[number]

/** A sender of a live source, or the server whose logs are uploaded. */
export interface Observer {
  name: string
  /** By declared host; `*` is all hosts. */
  hosts: Map<string, ObservedTime>
  /** Instants of a live sender's records and ends of its heartbeats for all hosts. */
  instants: Set<Minute>
  first: Minute
  /** The end of all that it covered. */
  last: Minute
  /** The newest instant of which it has reported for all hosts, and for named ones. */
  through: { all: Minute | null; named: Minute | null }
  delivered_at: Minute
  is_retired: boolean
}

export interface Source {
  name: string
  type: 'https_intake' | 'log_upload'
  /** Of uploads only. */
  server: string
  status: 'pending' | 'live' | 'revoked' | 'disconnected'
  connected_at: Minute | null
  /** The owner's word. */
  may_count: boolean
  observers: Map<string, Observer>
  /** Of uploads: by host what files cover. */
  spans: Map<string, TimeSpan[]>
  files: number
  facts: Fact[]
  /** Of uploads: stored lines by their text. */
  lines: Map<string, Fact>
  ids: Set<string>
  /** Of live sources: what each sender delivered, by its name and day. */
  records: Map<string, { all: number; unreadable: number }>
  /** How many tokens it has had: without a name, each is a sender. */
  tokens: number
  has_statuses: boolean
}

export interface Ledger {
  broken: Broken
  now: Minute
  sources: Map<string, Source>
  /** Who counted a host of the open day when coverage was recorded last. */
  open_day: { day: number; winners: Map<string, string> }
  authority: Authority
}

/** Who counts a host from this day on, until its next assignment. */
export interface Assignment {
  day: number
  source: string
}

/** Without an end while its source is disconnected. */
export interface Interruption {
  source: string
  disconnected_at: Minute
  reconnected_at: Minute | null
  /** A source that nothing was assigned to before it was reconnected interrupts nothing. */
  is_of_assigned: boolean
}

export interface Authority {
  is_open: boolean
  /** By host, those in force, in the order of their days. */
  assignments: Map<string, Assignment[]>
  /** The earliest day that any assignment ever had, superseded ones included. */
  earliest: number | null
  interruptions: Interruption[]
}

export const emptyLedger = (now: Minute, broken: Broken): Ledger => ({
  broken,
  now,
  sources: new Map(),
  open_day: { day: 0, winners: new Map() },
  authority: { is_open: false, assignments: new Map(), earliest: null, interruptions: [] },
})

export function addSource(ledger: Ledger, name: string, type: Source['type'], server = ''): Source {
  const source: Source = {
    name,
    type,
    server,
    status: 'pending',
    connected_at: null,
    may_count: true,
    observers: new Map(),
    spans: new Map(),
    files: 0,
    facts: [],
    lines: new Map(),
    ids: new Set(),
    records: new Map(),
    tokens: 1,
    has_statuses: false,
  }
  ledger.sources.set(name, source)
  return source
}

export function sourceOf(ledger: Ledger, name: string): Source {
  const source = ledger.sources.get(name)
  if (source === undefined) throw new Error(`The history speaks of ${name} before it exists.`)
  return source
}

/** With its first durable evidence a source is connected, and live with each further one. */
export function noteEvidence(ledger: Ledger, source: Source): void {
  source.status = 'live'
  source.connected_at ??= ledger.now
}

export function observerOf(source: Source, name: string): Observer {
  const known = source.observers.get(name)
  if (known !== undefined) return known
  const made: Observer = {
    name,
    hosts: new Map(),
    instants: new Set(),
    through: { all: null, named: null },
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    delivered_at: 0,
    is_retired: false,
  }
  source.observers.set(name, made)
  return made
}

export function observedTimeOf(observer: Observer, host: string): ObservedTime {
  const known = observer.hosts.get(host)
  if (known !== undefined) return known
  const made = noObservedTime()
  observer.hosts.set(host, made)
  return made
}
