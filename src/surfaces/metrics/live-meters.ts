/** What `/metrics` reports of live evidence and alerts: log batches, tracker events, zones, snippet inspections. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Clock } from '#clock.ts'
import type { IntakeAnswer } from '#intake/batches/batch-answer.ts'
import { IntakeRefusal } from '#intake/batches/batch-refusal.ts'
import type { Intake } from '#intake/batches/intake.ts'
import { LOAD_LIMITS } from '#intake/batches/load-limits.ts'
import { Refusal } from '#refusal.ts'

export interface LiveMeters {
  /** Counts batches while they are taken and when they end. */
  ofBatches(receive: Intake['receive']): Intake['receive']
  /** A batch was answered with a problem of this kind. */
  onBatchRefused(reason: string): void
  onEvents(counted: { outcome: string; reason: string; events: number }): void
  onSnippetInspected(outcome: string): void
  /** An attempt to deliver an alert ended. */
  onAlertAttempt(attempt: { kind: string; result: { is_delivered: boolean } }): void
  /** A call of an engine ended: `answered`, or the code of a refusal or failure. */
  onEngineCall(asked: { engine: string; outcome: string }): void
  /** `fault` null: the zone was read. */
  onZonePolled(polled: { hours: number; fault: string | null }): void
}

const WAIT_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30]
const BATCH_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Meters of work as it happens: inspections, alerts, engines, zones, batches. */
export function liveMeters(registers: Registry[], clock: Clock): LiveMeters {
  return {
    ofBatches: batchMeters(registers, clock),
    onBatchRefused: reasonMeter(
      registers,
      'spoor_intake_refusals_total',
      'Batches answered with a problem, by its kind.',
    ),
    onEvents: eventMeter(registers),
    onSnippetInspected: inspectionMeter(registers),
    onAlertAttempt: alertMeter(registers),
    onEngineCall: engineMeter(registers),
    onZonePolled: zoneMeters(registers),
  }
}

function batchMeters(registers: Registry[], clock: Clock): LiveMeters['ofBatches'] {
  const places = new Gauge({
    registers,
    name: 'spoor_intake_places',
    help: 'How many batches may be in progress at the same time (all), and how many are (taken).',
    labelNames: ['state'],
  })
  places.set({ state: 'taken' }, 0)
  places.set({ state: 'all' }, LOAD_LIMITS.batches)
  const waits = new Histogram({
    registers,
    name: 'spoor_intake_wait_seconds',
    help: 'How long admitted batches waited until their body was read.',
    buckets: WAIT_SECONDS,
  })
  const ended = new Histogram({
    registers,
    name: 'spoor_intake_batch_duration_seconds',
    help: 'Ended batches: stored, refused (the sender or the load is at fault), failed.',
    labelNames: ['outcome'],
    buckets: BATCH_SECONDS,
  })
  const records = new Counter({
    registers,
    name: 'spoor_intake_records_total',
    help: 'Records of stored batches by outcome; the outcomes add up to the records.',
    labelNames: ['outcome'],
  })
  const rejected = new Counter({
    registers,
    name: 'spoor_intake_rejected_records_total',
    help: 'Rejected records of stored batches by reason; more: those past the listed ones of a batch.',
    labelNames: ['reason'],
  })
  return (receive) => async (delivery, open) => {
    const started = clock.elapsed()
    const seconds = () => (clock.elapsed() - started) / 1_000
    places.inc({ state: 'taken' })
    try {
      const answer = await receive(delivery, () => {
        waits.observe(seconds())
        return open()
      })
      ended.observe({ outcome: 'stored' }, seconds())
      for (const [outcome, count] of outcomesOf(answer)) records.inc({ outcome }, count)
      for (const { code: reason } of answer.rejected) rejected.inc({ reason })
      const unlisted = answer.rejected_count - answer.rejected.length
      if (unlisted > 0) rejected.inc({ reason: 'more' }, unlisted)
      return answer
    } catch (error) {
      const is_refusal = error instanceof IntakeRefusal || error instanceof Refusal
      ended.observe({ outcome: is_refusal ? 'refused' : 'failed' }, seconds())
      throw error
    } finally {
      places.dec({ state: 'taken' })
    }
  }
}

function outcomesOf(answer: IntakeAnswer): [string, number][] {
  return Object.entries({
    accepted: answer.accepted,
    duplicate: answer.duplicates,
    human: answer.ignored_human,
    other_site: answer.ignored_other_site,
    not_a_visit: answer.ignored_not_a_visit,
    own_inspection: answer.ignored_own_inspection,
    heartbeat: answer.heartbeats,
    rejected: answer.rejected_count,
  })
}

function eventMeter(registers: Registry[]): LiveMeters['onEvents'] {
  const events = new Counter({
    registers,
    name: 'spoor_tracker_events_total',
    help: 'Tracker events by outcome and, of refused ones, by reason; server: from servers of customers.',
    labelNames: ['outcome', 'reason'],
  })
  return ({ outcome, reason, events: count }) => events.inc({ outcome, reason: labelOf(reason) }, count)
}

function inspectionMeter(registers: Registry[]): LiveMeters['onSnippetInspected'] {
  const count = reasonMeter(
    registers,
    'spoor_snippet_inspections_total',
    'Inspections of home pages for the snippet.',
    'outcome',
  )
  return (outcome) => count(/^http_\d+$/.test(outcome) ? 'http_status' : outcome)
}

function alertMeter(registers: Registry[]): LiveMeters['onAlertAttempt'] {
  const attempts = new Counter({
    registers,
    name: 'spoor_alert_attempts_total',
    help: 'Attempts to deliver an alert, by kind of receiver and outcome: delivered, failed.',
    labelNames: ['kind', 'outcome'],
  })
  return ({ kind, result }) => attempts.inc({ kind, outcome: result.is_delivered ? 'delivered' : 'failed' })
}

function engineMeter(registers: Registry[]): LiveMeters['onEngineCall'] {
  const calls = new Counter({
    registers,
    name: 'spoor_engine_calls_total',
    help: 'Ended calls of engines: answered, or the code of a refusal or failure.',
    labelNames: ['engine', 'outcome'],
  })
  return ({ engine, outcome }) => calls.inc({ engine: labelOf(engine), outcome: labelOf(outcome) })
}

function zoneMeters(registers: Registry[]): LiveMeters['onZonePolled'] {
  const polls = new Counter({ registers, name: 'spoor_zone_polls_total', help: 'Ended polls of Cloudflare zones.' })
  const hours = new Counter({ registers, name: 'spoor_zone_readings_total', help: 'Hours of zones that were read.' })
  const onFailure = reasonMeter(
    registers,
    'spoor_zone_poll_failures_total',
    'Polls of zones in which something could not be read or stored, by reason.',
  )
  return ({ hours: read, fault }) => {
    polls.inc()
    hours.inc(read)
    if (fault !== null) onFailure(fault)
  }
}

function reasonMeter(registers: Registry[], name: string, help: string, label = 'reason'): (reason: string) => void {
  const counter = new Counter({ registers, name, help, labelNames: [label] })
  return (reason) => counter.inc({ [label]: labelOf(reason) })
}

/** Labels are codes of closed sets; anything else would be a stranger's text. */
const labelOf = (code: string) => (/^[a-z][a-z0-9_]{0,39}$|^$/.test(code) ? code : 'other')
