/**
 * How long the check of a quota takes, and whether it is exact, with 32 clients of one account at once: on SQLite in
 * this process, and on a separate PostgreSQL with four connections. Run: npm run bench -- quota [hours of 1,100
 * requests, default 20]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { MINUTE_MS } from '#clock.ts'
import { openPostgresQuotas } from '#control/quotas/postgres-quotas.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import { HOURLY_LIMIT, MINUTE_BUCKETS } from '#control/quotas/rings.ts'
import { openSqliteQuotas } from '#control/quotas/sqlite-quotas.ts'
import { percentile, row } from './parts/figures.ts'

const CLIENTS = 32
const START = Date.parse('2026-03-10T12:00:30Z')
const REQUESTS_AN_HOUR = HOURLY_LIMIT * 1.1
const hours = Number(process.argv[2] ?? 20)

interface Figures {
  waits_ms: number[]
  passed: number
}

/**
 * Hours of 1,100 requests each, of which 1,000 may pass; within an hour, each client sends its next request as soon as
 * it has an answer.
 */
async function measure(quotas: QuotaStore, account: string): Promise<Figures> {
  const figures: Figures = { waits_ms: [], passed: 0 }
  for (let hour = 0; hour < hours; hour++) {
    const now = START + hour * MINUTE_BUCKETS * MINUTE_MS
    let left = REQUESTS_AN_HOUR
    const client = async () => {
      while (left-- > 0) {
        const since = performance.now()
        const { is_counted } = await quotas.count(account, now)
        figures.waits_ms.push(performance.now() - since)
        if (is_counted) figures.passed++
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
  }
  return figures
}

async function report(name: string, quotas: QuotaStore): Promise<void> {
  await measure(quotas, 'warm-up')
  const { waits_ms, passed } = await measure(quotas, 'measured')
  const ms = [50, 99, 99.9].map((percent) => percentile(waits_ms, percent).toFixed(3))
  console.log(row(name, ...ms, `${passed}/${hours * HOURLY_LIMIT}`))
}

const folder = mkdtempSync(join(tmpdir(), 'spoor-quota-'))
const server = spawn(
  process.execPath,
  [new URL('../test/support/postgres-server.child.ts', import.meta.url).pathname],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
  },
)
const stores: QuotaStore[] = []
try {
  console.log(
    row(`${CLIENTS} clients, ${hours * REQUESTS_AN_HOUR} requests`, 'p50 ms', 'p99 ms', 'p99.9 ms', 'passed/allowed'),
  )
  stores.push(openSqliteQuotas(join(folder, 'quotas.sqlite')))
  await report('SQLite', stores[0] as QuotaStore)
  for await (const line of createInterface({ input: server.stdout })) {
    stores.push(openPostgresQuotas((JSON.parse(line) as { url: string }).url))
    break
  }
  await report('PostgreSQL', stores[1] as QuotaStore)
} finally {
  for (const store of stores) await store.close()
  server.stdin.end()
  await once(server, 'close')
  rmSync(folder, { recursive: true })
}
