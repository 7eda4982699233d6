/** The doctor's checks of an opened installation. They only read; a check that does not end in time has failed. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#clock.ts'
import { threadPoolSize } from '#config.ts'
import { latestLayout } from '#control/migrate.ts'
import { ControlServerAway } from '#control/postgres-errors.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import type { ControlStore } from '#control/store.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { missingTables } from '#evidence/missing-tables.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { machineAdvice } from '#machine/advice.ts'
import { readMaxOpenFiles } from '#machine/open-files.ts'
import { withoutStep } from '#next-step.ts'
import { formatSize } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import type { CollectionState } from '#tracker/context.ts'
import { checkAlerts } from './alerts.ts'
import { checkClock } from './clock.ts'
import { checkControlServer } from './control-server.ts'
import { checkDeprecatedRoutes } from './deprecated-routes.ts'
import { checkEngines } from './engines.ts'
import { type Finding, finding } from './findings.ts'
import { checkInspections } from './inspections.ts'
import { checkJobs } from './jobs.ts'
import { checkLists } from './lists.ts'
import { checkNodes } from './nodes.ts'
import { checkQuotas } from './quotas.ts'
import { checkRegistry } from './registry.ts'
import { checkSecrets, type SecretsContext } from './secrets.ts'
import { checkSources } from './sources.ts'
import { checkTrackers } from './trackers.ts'
import { checkWork } from './work.ts'

export interface DiagnosticContext {
  /** Where the stores are. */
  folder: string
  clock: Clock
  control: ControlStore
  evidence(): Promise<EvidenceStore>
  /** @throws Refusal: the stores were moved elsewhere since they were opened. */
  refuseMoved?(): void
  secrets: SecretsContext['secrets']
  /** Left out where no request of the account API is counted. */
  quotas?: Pick<QuotaStore, 'read'>
  /** The state of the collector; left out where there is none. */
  collection?(): Pick<CollectionState, 'hidesAddresses'>
  /** Where strangers reach the service; null when it is not set. */
  public_url: string | null
  /** Null when no service runs and a command opened the folder for itself. */
  service: ServiceState | null
}

export interface ServiceState {
  /** `off`, the address, or null when it could not be had. */
  metrics: 'off' | string | null
  /** The host and port that the metrics were to have. */
  metrics_address?: string | null
  has_watchdog: boolean
  /** The jobs that this process runs when they are due. */
  leased_jobs: readonly string[]
}

const PATIENCE_MS = 5_000
const POOL_THREADS = 16
const OPEN_FILES = 4_096

/** Runs all checks. */
export async function checkHealth(context: DiagnosticContext): Promise<Finding[]> {
  const stores = [...checkMoved(context), ...(await checkStores(context))]
  const who =
    context.service === null ? 'No server runs on the folder; this command opened it.' : 'A server runs on the folder.'
  const machine = [finding('server', who), checkThreads(), checkOpenFiles()]
  // Without the control store there is nothing further to look at.
  if (stores.some(({ code }) => code === 'control_store_failed')) return [...stores, ...machine]
  return [
    ...stores,
    ...machine,
    ...(await checkControlServer(context.control)),
    ...(await checkNodes(context)),
    ...(await checkQuotas(context)),
    ...(await checkSecrets(context)),
    await checkRegistry(context),
    ...(await checkLists(context)),
    ...(await checkSources(context)),
    ...(await checkTrackers(context)),
    ...(await checkWork(context)),
    ...(await checkInspections(context)),
    ...(await checkEngines(context)),
    ...(await checkDeprecatedRoutes(context)),
    ...(await checkAlerts(context)),
    ...(await checkClock(context)),
    ...(await checkJobs(context)),
    ...(context.service === null ? [] : checkService(context.service)),
  ]
}

/** The service that has moved the stores still reads them. */
function checkMoved({ refuseMoved }: DiagnosticContext): Finding[] {
  try {
    refuseMoved?.()
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const handing_over = 'The stores are being handed over to servers; if the move has ended, repeat it.'
    return [finding('stores_moved', error.next === undefined ? error.message : handing_over)]
  }
}

async function checkStores({ control, evidence }: DiagnosticContext): Promise<Finding[]> {
  // A command opens the store here, which may take its time; answering may not.
  const opened = await evidence().catch(asError)
  const [controlState, evidenceState] = await Promise.all([
    inTime(latestLayout(control)),
    opened instanceof Error ? opened : inTime(opened.state()),
  ])
  const missing = opened instanceof Error ? [] : await inTime(missingTables(opened))
  const failed: Finding[] = []
  if (controlState instanceof Error) {
    failed.push(finding('control_store_failed', reasonOfControl(controlState)))
  }
  if (evidenceState instanceof Refusal && evidenceState.kind === 'conflict') {
    failed.push(finding('stores_apart', evidenceState.message))
  } else if (isOfLayout('older_schema', evidenceState)) {
    failed.push(finding('stores_outdated', evidenceState.message))
  } else if (isOfLayout('newer_schema', evidenceState)) {
    failed.push(finding('stores_not_opened', evidenceState.message))
  } else if (evidenceState instanceof Error) {
    failed.push(finding('evidence_store_failed', `The evidence store does not answer: ${evidenceState.message}`))
  }
  if (!(missing instanceof Error) && missing.length > 0) {
    failed.push(finding('evidence_table_missing', `Missing: ${missing.join(', ')}.`))
  }
  if (failed.length > 0 || controlState instanceof Error || evidenceState instanceof Error) return failed
  const { layout, memory_bytes } = evidenceState
  const memory = formatSize(memory_bytes)
  return [finding('stores', `Control has layout ${controlState}, evidence has layout ${layout} and holds ${memory}.`)]
}

/** The store may have been refused for it when it was opened. */
function isOfLayout(kind: 'older_schema' | 'newer_schema', state: unknown): state is Error {
  const error = state instanceof Refusal ? state.cause : state
  return error instanceof EvidenceError && error.kind === kind
}

function checkThreads(): Finding {
  const threads = threadPoolSize()
  return finding(threads < POOL_THREADS ? 'thread_pool_small' : 'thread_pool', `The pool has ${threads} threads.`)
}

function checkOpenFiles(): Finding {
  const most = readMaxOpenFiles()
  if (most === Number.POSITIVE_INFINITY) return finding('open_files', 'No limit, or the system does not report it.')
  return finding(most < OPEN_FILES ? 'open_files_few' : 'open_files', `At most ${most} files may be open.`)
}

function checkService({ metrics, metrics_address, has_watchdog }: ServiceState): Finding[] {
  return [
    metrics === null
      ? finding(
          'metrics_not_listening',
          `The address ${metrics_address} of SPOOR_METRICS_LISTEN was in use at the start: no metrics are served.`,
        )
      : finding('metrics', metrics === 'off' ? 'The metrics are turned off.' : `The metrics are at ${metrics}.`),
    has_watchdog
      ? finding('watchdog', 'The launcher watches the service.')
      : finding('watchdog_off', 'The service runs without a watchdog.'),
  ]
}

async function inTime<T>(work: Promise<T>): Promise<T | Error> {
  const late = pause(PATIENCE_MS, new Error(`no answer within ${PATIENCE_MS / 1_000} s`), { ref: false })
  return Promise.race([work.catch(asError), late])
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

function reasonOfControl(error: Error): string {
  if (error.cause instanceof ControlServerAway) return error.cause.message
  return `The control store does not answer: ${adviceOf(error)}`
}

function adviceOf(error: Error): string {
  const advice = machineAdvice(error)
  return advice === null ? error.message : withoutStep(advice)
}
