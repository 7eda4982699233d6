/** What `/metrics` reports, in its own registry. Labels are closed sets: no site, host, path, caller (rules 7). */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '#clock.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import { Refusal } from '#refusal.ts'
import { version } from '#version.ts'
import { type Gauges, watchGauges } from './gauges.ts'
import { type LiveMeters, liveMeters } from './live-meters.ts'

export interface Meters extends LiveMeters {
  /** The whole page in the Prometheus text format. */
  read(): Promise<string>
  content_type: string
  onAnswered(seen: { operation: string | null; status: number; seconds: number }): void
  onStatement(seen: { kind: string; seconds: number; error: string | null }): void
  /** `days`: how many were rebuilt, where the job rebuilds days. */
  onJob(ended: { job: string; seconds: number; failed: boolean; days?: number }): void
  /** Counts an import while it runs and when it ends. */
  ofImport(work: () => Promise<ImportReceipt>): Promise<ImportReceipt>
  /** Lets the page show the stores' own state from now on. */
  showStores(gauges: Gauges): void
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STATEMENT_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 30, 120, 600]
const IMPORT_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600]

/** `clock` must be the machine's own: alerts compare its instants with theirs. */
export function createMeters(clock: Clock): Meters {
  const registry = new Registry()
  const registers = [registry]
  let refresh = async () => {}
  collectDefaultMetrics({ register: registry })
  new Gauge({
    registers,
    name: 'spoor_build_info',
    help: 'Version of Spoor and of its Node; always 1.',
    labelNames: ['version', 'node'],
  }).set({ version, node: process.versions.node }, 1)
  const requests = new Histogram({
    registers,
    name: 'spoor_http_request_duration_seconds',
    help: 'Answered requests by operation of the contract (none: every other path) and status.',
    labelNames: ['operation', 'status'],
    buckets: REQUEST_SECONDS,
  })
  const statements = new Histogram({
    registers,
    name: 'spoor_evidence_statement_duration_seconds',
    help: 'Ended statements of the evidence store, waiting included.',
    labelNames: ['kind'],
    buckets: STATEMENT_SECONDS,
  })
  const statementErrors = new Counter({
    registers,
    name: 'spoor_evidence_errors_total',
    help: 'Failed statements of the evidence store by kind of failure.',
    labelNames: ['kind'],
  })
  return {
    async read() {
      await refresh()
      return registry.metrics()
    },
    content_type: registry.contentType,
    onAnswered({ operation, status, seconds }) {
      requests.observe({ operation: operation ?? 'none', status: String(status) }, seconds)
    },
    onStatement({ kind, seconds, error }) {
      statements.observe({ kind }, seconds)
      if (error !== null) statementErrors.inc({ kind: error })
    },
    ...liveMeters(registers, clock),
    onJob: jobMeters(registers, clock),
    ofImport: importMeters(registers, clock),
    showStores(gauges) {
      refresh = watchGauges(registers, gauges)
    },
  }
}

function jobMeters(registers: Registry[], clock: Clock): Meters['onJob'] {
  const rounds = new Histogram({
    registers,
    name: 'spoor_job_duration_seconds',
    help: 'Ended rounds of background jobs.',
    labelNames: ['job', 'result'],
    buckets: STATEMENT_SECONDS,
  })
  const succeeded = new Gauge({
    registers,
    name: 'spoor_job_last_success_timestamp_seconds',
    help: 'When a background job last succeeded in this process, Unix time.',
    labelNames: ['job'],
  })
  const days = new Counter({
    registers,
    name: 'spoor_rollups_rebuilt_total',
    help: 'Days whose roll-ups were rebuilt.',
  })
  return ({ job, seconds, failed, days: rebuilt }) => {
    rounds.observe({ job, result: failed ? 'failed' : 'done' }, seconds)
    if (!failed) succeeded.set({ job }, clock.now() / 1_000)
    if (rebuilt !== undefined) days.inc(rebuilt)
  }
}

function importMeters(registers: Registry[], clock: Clock): Meters['ofImport'] {
  const running = new Gauge({
    registers,
    name: 'spoor_imports_running',
    help: 'Imports that run or wait for another import.',
  })
  const ended = new Histogram({
    registers,
    name: 'spoor_import_duration_seconds',
    help: 'Ended imports: stored, refused (the file or the request is at fault), failed.',
    labelNames: ['result'],
    buckets: IMPORT_SECONDS,
  })
  const bytes = new Counter({ registers, name: 'spoor_import_bytes_total', help: 'Bytes of stored imports, as read.' })
  const lines = new Counter({
    registers,
    name: 'spoor_import_lines_total',
    help: 'Lines of stored imports by the class of the receipt; the classes add up to the lines.',
    labelNames: ['class'],
  })
  return async (work) => {
    const started = clock.elapsed()
    const end = (result: string) => ended.observe({ result }, (clock.elapsed() - started) / 1_000)
    running.inc()
    try {
      const receipt = await work()
      for (const [of, count] of classesOf(receipt)) lines.inc({ class: of }, count)
      bytes.inc(receipt.bytes)
      end('stored')
      return receipt
    } catch (error) {
      end(error instanceof Refusal ? 'refused' : 'failed')
      throw error
    } finally {
      running.dec()
    }
  }
}

function classesOf(receipt: ImportReceipt): [string, number][] {
  const { stored, duplicates, human, malformed, other_site } = receipt
  const ignored = Object.values(receipt.ignored).reduce((sum: number, count: number) => sum + count, 0)
  return Object.entries({ stored, duplicates, human, malformed, other_site, ignored })
}
