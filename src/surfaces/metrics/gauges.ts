/** What is read from the stores for each `/metrics`. A store that does not answer in time is shown as down. */
import { setTimeout as pause } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { AlertCondition } from '#health/alerts.ts'
import type { Condition } from '#health/condition.ts'
import type { EngineCondition } from '#health/engines.ts'
import type { InspectionCondition } from '#health/inspections.ts'
import type { JobCondition } from '#health/jobs.ts'

export interface Gauges {
  control(): Promise<Condition>
  evidence(): Promise<{ layout: number; memory_bytes: number }>
  jobs(): Promise<JobCondition[]>
  alerts(): Promise<AlertCondition>
  inspections(): Promise<InspectionCondition>
  engines(): Promise<EngineCondition[]>
  /** Requests to deprecated routes, by active token and operation. */
  deprecated(): Promise<{ prefix: string; operation: string; requests: number }[]>
  /** Events that are acknowledged and not yet in the evidence store. */
  spool(): { bytes: number; oldest_age_ms: number | null }
}

/** Longer than any healthy answer, shorter than the ten seconds after which a scrape gives up. */
const PATIENCE_MS = 4_000

/** Returns what brings them up to date, to be awaited before the page is written. */
export function watchGauges(registers: Registry[], stores: Gauges): () => Promise<void> {
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge<L>({ registers, name, help, labelNames })
  const dirty = gauge('spoor_rollups_dirty', 'Days whose roll-ups may be stale, by state of their facts.', ['state'])
  const deliveries = gauge('spoor_deliveries', 'Deliveries that are being written or broke off.', ['state'])
  const registry = gauge('spoor_registry_info', 'The crawler registry version in force; always 1.', ['version'])
  const memory = gauge('spoor_evidence_memory_bytes', 'Memory that the evidence engine holds.')
  const up = gauge('spoor_store_up', 'Whether a store answered this scrape: 1 or 0.', ['store'])
  const spoolBytes = gauge('spoor_spool_bytes', 'Bytes of acknowledged events that wait for the evidence store.')
  const spoolAge = gauge('spoor_spool_oldest_age_seconds', 'Age of the oldest event that waits; 0 when none does.')
  const showJobs = watchJobs(registers)
  const showAlerts = watchAlerts(registers)
  const showInspections = watchInspections(registers)
  const showEngines = watchEngines(registers)
  const deprecatedRequests = gauge(
    'spoor_deprecated_requests',
    'Requests to deprecated routes of the account API, by active token.',
    ['token', 'operation'],
  )
  return async () => {
    const reads = [
      inTime(stores.control()),
      inTime(stores.evidence()),
      inTime(stores.jobs()),
      inTime(stores.alerts()),
      inTime(stores.inspections()),
      inTime(stores.engines()),
      inTime(stores.deprecated()),
    ] as const
    const [condition, state, jobs, alerts, inspections, engines, deprecated] = await Promise.all(reads)
    // No await from here on, so that two concurrent scrapes cannot reset each other's values.
    for (const each of [dirty, deliveries, registry]) each.reset()
    memory.remove()
    const spool = stores.spool()
    spoolBytes.set(spool.bytes)
    spoolAge.set(spool.oldest_age_ms === null ? 0 : spool.oldest_age_ms / 1_000)
    showJobs(jobs ?? [])
    showAlerts(alerts)
    showInspections(inspections)
    showEngines(engines ?? [])
    deprecatedRequests.reset()
    for (const { prefix: token, operation, requests } of deprecated ?? []) {
      deprecatedRequests.set({ token, operation }, requests)
    }
    up.set({ store: 'control' }, condition === null ? 0 : 1)
    up.set({ store: 'evidence' }, state === null ? 0 : 1)
    if (state !== null) memory.set(state.memory_bytes)
    if (condition === null) return
    for (const [of, count] of Object.entries(condition.dirty_days)) dirty.set({ state: of }, count)
    for (const [of, count] of Object.entries(condition.deliveries)) deliveries.set({ state: of }, count)
    if (condition.registry_version !== null) registry.set({ version: condition.registry_version }, 1)
  }
}

/** The leased jobs, over all processes. Ages, not instants, because alert rules do not use the service clock. */
function watchJobs(registers: Registry[]): (jobs: readonly JobCondition[]) => void {
  const gauge = (name: string, help: string) => new Gauge({ registers, name, help, labelNames: ['job'] })
  const age = gauge('spoor_leased_job_success_age_seconds', 'Time since a leased job last succeeded in any process.')
  const failures = gauge('spoor_leased_job_failures', 'Runs of a leased job in a row that failed.')
  const running = gauge('spoor_leased_job_running', 'Whether a leased job runs on any process: 1 or 0.')
  return (jobs) => {
    for (const each of [age, failures, running]) each.reset()
    for (const { name: job, success_age_ms, failures: failed, is_running } of jobs) {
      if (success_age_ms !== null) age.set({ job }, success_age_ms / 1_000)
      failures.set({ job }, failed)
      running.set({ job }, is_running ? 1 : 0)
    }
  }
}

/** Alerts of issues, sources and trackers, over all processes. */
function watchAlerts(registers: Registry[]): (alerts: AlertCondition | null) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ registers, name, help, labelNames })
  const deliveries = gauge('spoor_alert_deliveries', 'Deliveries of alerts that wait or were given up.', ['state'])
  const age = gauge('spoor_alert_oldest_waiting_age_seconds', 'Age of the oldest alert that waits; 0 when none does.')
  const receivers = gauge('spoor_alert_receivers', 'Receivers of alerts by state.', ['state'])
  return (alerts) => {
    for (const each of [deliveries, age, receivers]) each.reset()
    if (alerts === null) return age.remove()
    deliveries.set({ state: 'waiting' }, alerts.waiting)
    deliveries.set({ state: 'failed' }, alerts.failed)
    age.set(alerts.oldest_waiting_ms === null ? 0 : alerts.oldest_waiting_ms / 1_000)
    for (const [state, count] of Object.entries(alerts.receivers)) receivers.set({ state }, count)
  }
}

/** Inspections and issues of all sites. */
function watchInspections(registers: Registry[]): (condition: InspectionCondition | null) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ registers, name, help, labelNames })
  const queue = gauge('spoor_inspections_waiting', 'Inspections that are due, wait for a budget, or run.', ['state'])
  const age = gauge(
    'spoor_inspections_oldest_due_age_seconds',
    'Time since the oldest due inspection became due; 0: none is due.',
  )
  const day = gauge('spoor_inspections_day', 'Inspections of the last 24 hours: made, failed, expired.', ['outcome'])
  const issues = gauge('spoor_issues', 'Listed issues by state.', ['state'])
  return (condition) => {
    for (const each of [queue, age, day, issues]) each.reset()
    if (condition === null) return age.remove()
    const { due, deferred, running, oldest_due_ms, made, failed, expired } = condition
    for (const [state, count] of Object.entries({ due, deferred, running })) queue.set({ state }, count)
    age.set(oldest_due_ms === null ? 0 : oldest_due_ms / 1_000)
    for (const [outcome, count] of Object.entries({ made, failed, expired })) day.set({ outcome }, count)
    for (const [state, count] of Object.entries(condition.issues)) issues.set({ state }, count)
  }
}

/** Engines of all accounts together. */
function watchEngines(registers: Registry[]): (engines: readonly EngineCondition[]) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ registers, name, help, labelNames })
  const waiting = gauge('spoor_scan_runs_waiting', 'Questions that are due or being asked.', ['engine'])
  const spent = gauge('spoor_engine_spent_dollars', 'What engines cost this calendar month, in US dollars.', ['engine'])
  const state = gauge('spoor_engine_state', 'Engines that are switched on by state: 1.', ['engine', 'state'])
  return (engines) => {
    for (const each of [waiting, spent, state]) each.reset()
    for (const one of engines) {
      const { engine } = one
      waiting.inc({ engine }, one.waiting)
      spent.inc({ engine }, one.spent_micros / 1_000_000)
      if (one.is_asked) state.set({ engine, state: one.fault ?? (one.has_room ? 'ready' : 'budget_used') }, 1)
    }
  }
}

/** Null when it failed or took too long: a scrape must end also while a store hangs. */
async function inTime<T>(work: Promise<T>): Promise<T | null> {
  return Promise.race([work.catch(() => null), pause(PATIENCE_MS, null, { ref: false })])
}
