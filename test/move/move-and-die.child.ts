/** Moves a folder and ends itself by kill -9 where a phase begins, or a table in it; otherwise prints the report. */
import pino from 'pino'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { openInstallation } from '#installation/open-installation.ts'
import type { TargetSettings } from '#move/target.ts'

const [data = '', secret_key = '', target = '', phase = '', table = ''] = process.argv.slice(2)
const config = { ...readConfig({}), data, secret_key, dns_servers: ['127.0.0.1:1'] }
const log = pino({ level: 'silent' })
const installation = await openInstallation({ config, clock: systemClock(), log, wait_ms: 10_000 })
const report = await installation.moveTo(JSON.parse(target) as TargetSettings, {
  signal: new AbortController().signal,
  onProgress(progress) {
    if (progress.phase === phase && (table === '' || progress.table === table)) process.kill(process.pid, 'SIGKILL')
  },
})
await installation.close()
process.stdout.write(`${JSON.stringify(report)}\n`)
