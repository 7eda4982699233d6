/** Serves a throw-away site full of seeded history, for working on Spoor: the same service, import and builder as everywhere. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { seedHistory } from '#demo/seed.ts'
import { openLog } from '#log.ts'
import { reach } from '#surfaces/cli/reach.ts'
import { startService } from '../src/main.ts'

const folder = mkdtempSync(join(tmpdir(), 'spoor-dev-'))
const clock = systemClock()
// Throw-away history never goes into a database that somebody keeps.
const config = { ...readConfig(), data: folder, database_url: null }
const service = await startService({
  config,
  clock,
  log: openLog(config.log_level),
  wait_ms: 0,
})
const way = await reach(config)
await way.run('site.add', { domain: 'example.com' })
const { secret } = await way.run('key.create', { name: 'development', sites: [] })
const log = seedHistory({ now: clock.now(), days: 60, seed: 1 })
const receipt = await way.importLog(
  { site: 'example.com', host: null, label: 'seed' },
  Readable.from([Buffer.from(log)]),
  () => {},
)
await way.close()

console.log(
  `Spoor listens on ${service.url} with ${receipt.stored} seeded requests of example.com; the data goes when you stop it.`,
)
console.log(`curl -H "Authorization: Bearer ${secret}" "${service.url}/v1/sites/example.com/crawlers?window=90d"`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
}
