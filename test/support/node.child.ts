/** A service node, to be ended by kill -9. Its configuration is the argument; prints where it listens. */
import pino from 'pino'
import { systemClock } from '#clock.ts'
import type { Config } from '#config.ts'
import { readConfig } from '#config.ts'
import { startService } from '../../src/main.ts'

/** What a test says of a node; everything else is as by default. */
export type NodeConfig = Pick<
  Config,
  'data' | 'database_url' | 'clickhouse' | 'secret_key' | 'collect' | 'node_name' | 'port'
>

const [given = ''] = process.argv.slice(2)
const config = { ...readConfig({}), metrics: null, ...(JSON.parse(given) as NodeConfig) }
const log = pino({ level: process.env.NODE_LOG ?? 'silent' }, pino.destination(2))
const service = await startService({ config, clock: systemClock(), log, wait_ms: 10_000 })
process.stdout.write(`${service.url}\n`)
process.stdin.on('end', () => void service.stop().then(() => process.exit(0))).resume()
