/** What a batch leaves behind (rules 3, Intake; decisions 3.5). */
import { type Batch, type Heartbeat, minutesOf } from '../events.ts'
import { dayOf, HOUR } from '../time.ts'
import { identityOf } from './identity.ts'
import {
  type Ledger,
  noteEvidence,
  type Observer,
  observedTimeOf,
  observerOf,
  type Source,
  sourceOf,
} from './ledger.ts'
import { mark, OBSERVED, WHOLE } from './observed-time.ts'

export function receiveBatch(ledger: Ledger, batch: Batch): void {
  const source = sourceOf(ledger, batch.source)
  const instants = [...minutesOf(batch), ...batch.visits.map(({ at }) => at)].sort((a, b) => a - b)
  const name = ledger.broken === 'senders_hide_each_other' ? '' : (batch.sender ?? `token ${source.tokens}`)
  countRecords(ledger, source, name, batch, instants)
  if (instants.length + batch.heartbeats.length === 0) return
  noteEvidence(ledger, source)
  const observer = observerOf(source, name)
  observer.delivered_at = ledger.now
  observer.is_retired = false
  coverRecords(ledger, observer, instants)
  for (const heartbeat of batch.heartbeats) coverHeartbeat(ledger, observer, heartbeat)
  const times = ledger.broken === 'repeated_batches_count_twice' && batch.is_repeated ? 2 : 1
  if (instants.length > batch.visits.length) source.has_statuses = true
  for (const visit of batch.visits) {
    if (visit.status !== null) source.has_statuses = true
    if (visit.id !== undefined && source.ids.has(visit.id)) continue
    if (visit.id !== undefined) source.ids.add(visit.id)
    source.facts.push({ ...visit, source: source.name, requests: times, identity: identityOf(ledger, visit) })
  }
}

/** A batch's records belong to each day that it shows; those of one that shows none to the day on which it came. */
function countRecords({ now }: Ledger, source: Source, name: string, batch: Batch, instants: readonly number[]): void {
  const days = new Set(instants.map(dayOf))
  for (const { from, to } of batch.heartbeats) for (let day = dayOf(from); day <= dayOf(to - 1); day++) days.add(day)
  for (const day of days.size === 0 ? [dayOf(now)] : days) {
    const key = `${name} ${day}`
    const known = source.records.get(key) ?? { all: 0, unreadable: 0 }
    known.all += instants.length + batch.heartbeats.length + batch.unreadable
    known.unreadable += batch.unreadable
    source.records.set(key, known)
  }
}

/** From each record back to the sender's previous one and on to its next one, where the silence is a normal one. */
function coverRecords({ broken }: Ledger, observer: Observer, instants: readonly number[]): void {
  // Histories have no silence between 15 minutes and 6 hours after a heartbeat: what a sender's longest silence makes
  // normal is not predicted.
  const limit = broken === 'silence_of_an_hour_is_normal' ? HOUR : 15
  for (const at of instants) observer.instants.add(at)
  const sorted = [...observer.instants].sort((a, b) => a - b)
  const delivered = new Set(instants)
  sorted.forEach((at, index) => {
    const before = sorted[index - 1]
    if (delivered.has(at)) cover(observer, '*', at, at)
    if (before === undefined || at - before > limit) return
    if (delivered.has(at) || delivered.has(before)) cover(observer, '*', before, at)
  })
}

function coverHeartbeat({ broken }: Ledger, observer: Observer, heartbeat: Heartbeat): void {
  if (broken === 'heartbeats_prove_nothing') return
  const host = broken === 'heartbeats_of_a_host_speak_of_all' ? null : heartbeat.host
  cover(observer, host ?? '*', heartbeat.from, heartbeat.to)
  if (host === null) observer.instants.add(heartbeat.to)
}

function cover(observer: Observer, host: string, from: number, to: number): void {
  mark(observedTimeOf(observer, host), from, to, WHOLE | OBSERVED)
  observer.first = Math.min(observer.first, from)
  observer.last = Math.max(observer.last, to)
  const which = host === '*' ? 'all' : 'named'
  observer.through[which] = Math.max(observer.through[which] ?? to, to)
}
