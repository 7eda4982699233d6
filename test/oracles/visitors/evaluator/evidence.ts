/**
 * Goes through a history up to an instant: which events count, and what is known about how they were collected (rules
 * 6).
 */

import {
  type BrowserRequest,
  dayOf,
  dayStart,
  type History,
  type Instant,
  type Scalar,
  type SentEvent,
  type Step,
} from '../history.ts'
import { Definitions } from './definitions.ts'
import { type Origin, originOf, type Page, pageOf } from './pages-and-origins.ts'
import type { Rules } from './rules.ts'

export interface Stored {
  at: Instant
  /** The order of receipt. */
  order: number
  /** Events of one request have its number. */
  request: number
  stream: 'browser' | 'server'
  /** Of a day, because salts are. */
  visitor: string
  kind: SentEvent['type']
  name: string
  page: Page | null
  origin: Origin
  props: Readonly<Record<string, Scalar>>
  id: string | null
  revenue: { amount_minor: number; currency: string; order_id: string | null; kind: 'sale' | 'refund' } | null
}

export interface DayCounts {
  browser: number
  server: number
  bots: number
  refused: number
  repeats: number
  opted_out: number
}

/** Events of visitors that the site itself sent and that were refused: missing evidence. */
export interface Missing {
  at: Instant
  day: string
  /**
   * What they would have been: a pageview, anything with a revoked key, or a name; `:other` for names that no
   * definition has.
   */
  group: string
  visitor: number
}

export interface Interval {
  from: Instant
  to: Instant
}

export interface Evidence {
  events: Stored[]
  counts: Map<string, DayCounts>
  missing: Missing[]
  loads: Set<string>
  proofs: Set<string>
  /** The newest inspection. */
  inspection: { at: Instant; found: boolean } | null
  outages: Interval[]
  /** The last one may have no end yet. */
  pauses: { from: Instant; to: Instant | null }[]
  is_installed: boolean
  first_event_at: Instant | null
  last_proof_at: Instant | null
  overview_v2: boolean
  /** Readers that are switched off. */
  closed: Set<string>
  /** Whether anything was refused, or sent from elsewhere, within the hour before `at`. */
  refusals: Instant[]
  definitions: Definitions
}

/** Everything known at `until`; what comes later has not happened yet. */
export function gather({ domain, steps }: History, until: Instant, rules: Rules): Evidence {
  const known: Evidence = {
    events: [],
    counts: new Map(),
    missing: [],
    loads: new Set(),
    proofs: new Set(),
    inspection: null,
    outages: [],
    pauses: [],
    is_installed: false,
    first_event_at: null,
    last_proof_at: null,
    overview_v2: false,
    closed: new Set(),
    refusals: [],
    definitions: new Definitions(),
  }
  const ids = new Map<string, Instant>()
  const revoked = new Map<number, Instant>()
  let heeds_opt_out = true
  let order = 0
  let request = 0

  const countsOf = (at: Instant): DayCounts => {
    const day = dayOf(at)
    const counts = known.counts.get(day) ?? { browser: 0, server: 0, bots: 0, refused: 0, repeats: 0, opted_out: 0 }
    known.counts.set(day, counts)
    return counts
  }
  const refuse = (at: Instant, events: number) => {
    countsOf(at).refused += events
    known.refusals.push(at)
  }
  const isPaused = () => known.pauses.some(({ to }) => to === null)
  const isRepeat = (stream: string, { id }: SentEvent, at: Instant): boolean => {
    if (id === null || rules.repeats_count) return false
    const name = rules.id_streams_apart ? `${stream} ${id}` : id
    const received = ids.get(name)
    if (received !== undefined && at - received < rules.id_memory_ms) return true
    ids.set(name, at)
    return false
  }
  const missed = (step: BrowserRequest, group: string) =>
    void known.missing.push({ at: step.at, day: dayOf(step.at), group, visitor: step.visitor })

  const store = (stream: 'browser' | 'server', step: { at: Instant; visitor?: number }, event: SentEvent) => {
    const counts = countsOf(step.at)
    if (isRepeat(stream, event, step.at)) {
      counts.repeats++
      return
    }
    counts[stream]++
    known.first_event_at ??= step.at
    known.last_proof_at = step.at
    const { order_id = null, kind = 'sale', ...money } = event.revenue ?? { amount_minor: 0, currency: '' }
    known.events.push({
      at: step.at,
      order: ++order,
      request,
      stream,
      visitor: stream === 'server' ? '' : `${dayOf(step.at)} ${step.visitor}`,
      kind: event.type,
      name: event.type === 'revenue' ? 'revenue' : (event.name ?? ''),
      id: event.id,
      page: event.url === null ? null : pageOf(event.url),
      origin: originOf(event, domain, rules),
      props: event.props ?? {},
      revenue: event.type === 'revenue' ? { ...money, order_id, kind } : null,
    })
  }

  const takeFromBrowser = (step: BrowserRequest) => {
    const count = step.events.length
    const revoked_at = revoked.get(step.key)
    if (revoked_at !== undefined) {
      refuse(step.at, count)
      // The limitation ends with the first accepted event after the revocation.
      const has_ended = known.events.some(({ at, stream }) => stream === 'browser' && at > revoked_at + 2_000)
      if (!has_ended && !step.is_bot && !step.is_foreign) for (const _ of step.events) missed(step, ':key')
      return
    }
    if (step.is_foreign || isPaused()) return refuse(step.at, count)
    const opts_out = step.opts_out !== undefined && heeds_opt_out && rules.opt_out_is_heeded
    if (step.is_bot && !rules.bots_are_visits) {
      // Nothing of those who opt out is stored, so that none of their events is known again.
      const isKnown = (event: SentEvent) => !opts_out && isRepeat('bot', event, step.at)
      for (const event of step.events) countsOf(step.at)[isKnown(event) ? 'repeats' : 'bots']++
      return
    }
    if (opts_out) {
      countsOf(step.at).opted_out += count
      return
    }
    for (const event of step.events) {
      if (isDeclared(event, known.definitions)) store('browser', step, event)
      else {
        refuse(step.at, 1)
        const is_named = event.name !== undefined && known.definitions.names().has(event.name)
        missed(step, event.type === 'pageview' ? ':pageview' : is_named ? (event.name ?? '') : ':other')
      }
    }
  }

  const take = (step: Step) => {
    switch (step.do) {
      case 'enable': {
        known.is_installed = true
        const open = known.pauses.find(({ to }) => to === null)
        if (open !== undefined) open.to = step.at
        break
      }
      case 'disable':
        if (!isPaused()) known.pauses.push({ from: step.at, to: null })
        break
      case 'revoke':
        revoked.set(step.key, step.at)
        break
      case 'browser':
        request++
        takeFromBrowser(step)
        break
      case 'server':
        request++
        if (isPaused()) refuse(step.at, step.events.length)
        else for (const event of step.events) store('server', step, event)
        break
      case 'load':
        known.loads.add(dayOf(step.at))
        known.last_proof_at = step.at
        break
      case 'inspect':
        // It is made on days without an accepted event of a browser only.
        if ((known.counts.get(dayOf(step.at))?.browser ?? 0) > 0) break
        known.inspection = { at: step.at, found: step.found }
        if (step.found) known.proofs.add(dayOf(step.at))
        if (step.found) known.last_proof_at = step.at
        break
      case 'down':
        known.outages.push({ from: step.at, to: Math.min(step.until, until) })
        break
      case 'heed_opt_out':
        heeds_opt_out = step.on
        break
      case 'reader':
        if (step.on) known.closed.delete(step.reader)
        else known.closed.add(step.reader)
        break
      case 'overview_v2':
        known.overview_v2 = step.on
        break
      default:
        known.definitions.take(step, known.first_event_at === null ? null : dayStart(known.first_event_at))
    }
  }
  for (const step of steps) if (step.at <= until) take(step)
  return known
}

/** Only declared properties of the declared kind are taken; pageviews and sales of the browser have none. */
function isDeclared({ type, name, props = {} }: SentEvent, definitions: Definitions): boolean {
  return Object.entries(props).every(([key, value]) => {
    const property = type === 'event' ? definitions.property(name ?? '', key) : null
    if (property === null) return false
    if (property.kind === 'enum') return typeof value === 'string' && property.values.includes(value)
    return property.kind === 'integer' ? Number.isInteger(value) : typeof value === 'boolean'
  })
}
