/**
 * How fast events are accepted, durable before the answer, compared with a bare Fastify POST that answers 202, both
 * under the load of the same generator in a separate process on the same machine. One event per request. Besides the
 * elapsed time it measures the processor time of a request, of the thread that answers and of the whole process, which
 * other programs affect less. With a mode of nodes (docs/operating/nodes.md), the service is a node on a real
 * PostgreSQL and the double of a ClickHouse server, which share the processors with it.
 * Run: npm run bench -- collect [seconds per round, default 6] [connections, default 256] [embedded (default), direct,
 * local or shared]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import Type from 'typebox'
import { systemClock } from '#clock.ts'
import { type Config, readConfig } from '#config.ts'
import { count, rows } from '#evidence/sql.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { addSite } from '#sites/sites.ts'
import { buildHttpSurfaces } from '../src/main.ts'
import { startClickHouseDouble } from '../test/support/clickhouse.ts'
import { createDatabase, startPostgres } from '../test/support/postgres.ts'
import { enableTracker } from '../test/support/tracker.ts'
import { measureRound, openBarePost, startSender } from './parts/bare-post.ts'
import { percentile, row } from './parts/figures.ts'

const seconds = Number(process.argv[2] ?? 6)
const connections = Number(process.argv[3] ?? 256)
const MODES = ['embedded', 'direct', 'local', 'shared'] as const
const mode = MODES.find((known) => known === (process.argv[4] ?? 'embedded'))
if (mode === undefined) throw new Error(`No mode ${process.argv[4]}: one of ${MODES.join(', ')}`)
const ROUNDS = 3
const UNLIMITED = { per_second: 1e9, burst: 1e9 }
const storedEvents = rows(Type.Object({ events: count() }))`SELECT count() AS events FROM spoor.events FINAL`
const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))

try {
  console.log(`${connections} connections, ${seconds} s per round\n`)
  console.log(row('', 'per s', 'p50 ms', 'p99 ms', 'refused', 'thread µs', 'process µs'))
  const bare = await openBarePost()
  const servers = mode === 'embedded' ? null : await startServers()
  const config: Config = { ...readConfig({}), data: join(folder, 'data'), ...servers?.config }
  const service = await openService(config)
  const senders = {
    bare: await startSender(bare.port, '/', '', connections),
    own: await startSender(service.port, '/collect', service.key, connections),
  }
  let acknowledged = 0
  const rates: Record<'bare' | 'own', number[]> = { bare: [], own: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const which of ['bare', 'own'] as const) {
      const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()]
      const reported = await measureRound(senders[which], round === 0 ? 2 : seconds)
      if (which === 'own') acknowledged += reported.answers - reported.refused
      const rate = reported.answers / reported.seconds
      if (round > 0) rates[which].push(rate)
      const name = `${which === 'bare' ? 'bare Fastify POST, 202' : 'POST /collect'}${round === 0 ? ', warming up' : ''}`
      const times = [percentile(reported.milliseconds, 50).toFixed(1), percentile(reported.milliseconds, 99).toFixed(1)]
      const used = [process.threadCpuUsage(thread), process.cpuUsage(all)].map(({ user, system }) =>
        ((user + system) / reported.answers).toFixed(1),
      )
      console.log(row(name, rate.toFixed(0), ...times, reported.refused, ...used))
      await pause(1_000)
    }
  }
  for (const sender of Object.values(senders)) sender.kill()
  await service.settle()
  const stored = await service.stored()
  if (stored !== acknowledged) throw new Error(`${acknowledged} events were acknowledged, ${stored} are stored`)
  const median = (values: number[]) => percentile(values, 50)
  console.log(`\n${acknowledged} events acknowledged, all of them stored`)
  console.log(`POST /collect is ${(median(rates.own) / median(rates.bare)).toFixed(2)} of the bare POST`)
  await service.close()
  await servers?.close()
  await bare.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The stores of a node, and its mode of collecting events. */
async function startServers() {
  const [evidence, spools] = [join(folder, 'evidence'), join(folder, 'spools')]
  for (const made of [evidence, spools]) mkdirSync(made)
  const postgres = await startPostgres({ fsync: 'on', synchronous_commit: 'on' })
  const database = await createDatabase({ server: postgres })
  const double = await startClickHouseDouble(evidence)
  const collect = { mode, folder: mode === 'shared' ? spools : null } as Config['collect']
  const clickhouse = { urls: [double.url], cluster: null }
  const config = { database_url: database.url, clickhouse, collect, secret_key: 'b'.repeat(64), node_name: 'bench' }
  return {
    config,
    async close() {
      await double.close()
      await postgres.close()
    },
  }
}

async function openService(config: Config) {
  const log = pino({ level: 'info' }, pino.destination(join(folder, 'log')))
  const installation = await openInstallation({ config, clock: systemClock(), log, wait_ms: 0 })
  const crawlers = await installation.crawlers()
  const collector = await installation.openCollector({ limits: { address: UNLIMITED, site: UNLIMITED } })
  const http = buildHttpSurfaces(installation, crawlers, { log, support_email: null, collector })
  const site = await addSite(installation.operator, { ...installation.operator, domain: 'example.com' })
  const now = new Date(systemClock().now()).toISOString()
  const { public_key } = await enableTracker({ installation }, site, { from: now, through: now })
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  return {
    port: new URL(url).port,
    key: public_key,
    settle: () => collector.settle(),
    stored: async () => (await crawlers.evidence.all(storedEvents))[0]?.events,
    async close() {
      await http.close()
      await collector.stop()
      await installation.close()
    },
  }
}
