/**
 * How fast `spoor migrate-to` copies an installation of crawlers' requests and visitors' events to PostgreSQL and to a
 * double of a ClickHouse server on the same machine: rows per second of each table, compared and copied, and how long
 * writes are refused at the end. A real cluster adds its network and its quorum; the double adds an engine that shares
 * the processors. Run: npm run bench -- migrate [million requests, default 2] [million events, default 1]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import type { Installation } from '#installation/installation.ts'
import type { MovePhase, MoveProgress } from '#move/move-state.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { configOf, makeTarget, openAt, type TestTarget } from '../test/support/moving.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { fillSite } from './parts/crawler-history.ts'
import { row } from './parts/figures.ts'
import { fillTracker } from './parts/tracker-history.ts'

const [requests = 2, events = 1] = process.argv.slice(2).map(Number)
/** The first rows of a table do not show its pace. */
const MIN_ROWS = 1_000

/** Every event of the open day is earlier. */
const NOW = Date.parse('2026-11-20T22:00:00Z')

const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const server = await startPostgres()
const target = await makeTarget(join(folder, 'server'), server)
try {
  const installation = await openAt(configOf(join(folder, 'data')), NOW)
  await fill(installation)
  await measure(installation, target)
  await installation.close()
} finally {
  await target.remove()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function fill(installation: Installation): Promise<void> {
  const crawlers = await installation.crawlers()
  await fillSite(installation, requests * 1e6)
  await fillTracker(installation, events * 1e6, { domain: 'example.org' })
  await rebuildDirtyDays(crawlers)
  await deriveDays({ ...crawlers, collection: installation.operator.collection() })
  console.log(`${requests} million requests and ${events} million events are stored and derived`)
}

async function measure(installation: Installation, { settings }: TestTarget): Promise<void> {
  const times = timesOfTables()
  const started = performance.now()
  const report = await installation.moveTo(settings, {
    signal: new AbortController().signal,
    onProgress: (progress) => times.note(progress),
  })
  const seconds = (performance.now() - started) / 1_000
  times.end()
  console.log(row('rows a second', 'rows', 'copied', 'verified'))
  for (const { table, rows } of report.evidence?.tables ?? []) {
    if (rows < MIN_ROWS) continue
    const pace = (phase: MovePhase) => String(Math.round(rows / times.secondsOf(phase, table)))
    console.log(row(table, String(rows), pace('copying'), pace('verifying')))
  }
  const rows = report.evidence?.rows ?? 0
  console.log(
    `${rows} rows in ${seconds.toFixed(1)} s, copied once and compared twice: ${Math.round(rows / seconds)} a second`,
  )
  console.log(`control store: ${report.control?.rows} rows; nothing was taken for ${report.read_only_seconds} s`)
}

/** How long each table took in each phase, by the reports of its progress. */
function timesOfTables() {
  const seconds = new Map<string, number>()
  let current: { name: string; since: number } | null = null
  const end = (): void => {
    if (current === null) return
    const before = seconds.get(current.name)
    const took = (performance.now() - current.since) / 1_000
    seconds.set(current.name, before === undefined ? took : before + took)
    current = null
  }
  return {
    end,
    note({ phase, table }: MoveProgress): void {
      const name = table === null ? null : `${phase} ${table}`
      if (name === current?.name) return
      end()
      if (name !== null) current = { name, since: performance.now() }
    },
    secondsOf(phase: MovePhase, table: string): number {
      const found = seconds.get(`${phase} ${table}`)
      if (found === undefined) throw new Error(`The move did not come to ${table} while ${phase}.`)
      return found
    },
  }
}
