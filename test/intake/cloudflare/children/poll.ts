/**
 * Connects a zone of the stand-in when it is not, polls it at four hours in a row, says how many hours each poll read,
 * and rebuilds roll-ups.
 */
import pino from 'pino'
import { HOUR_MS } from '#clock.ts'
import { readConfig } from '#config.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { connectZone } from '#intake/cloudflare/connect.ts'
import { pollZones } from '#intake/cloudflare/poll-zones.ts'
import { addSite, listAllSites } from '#sites/sites.ts'
import { fakeClock } from '../../../support/clock.ts'

const [folder = '', url = '', token = '', now = ''] = process.argv.slice(2)
const clock = fakeClock(now)
const environment = {
  SPOOR_CLOUDFLARE_API_URL: url,
  SPOOR_ALLOW_NETWORKS: '127.0.0.0/8',
  SPOOR_ALLOW_PORTS: new URL(url).port,
}
const installation = await openInstallation({
  config: { ...readConfig(environment), data: folder },
  clock,
  log: pino({ level: 'silent' }),
  wait_ms: 5_000,
})
const { operator, cloudflare } = installation
const ctx = { ...(await installation.crawlers()), cloudflare }
if ((await listAllSites(operator)).length === 0) {
  const site = await addSite(operator, { ...operator, domain: 'example.com' })
  await connectZone(ctx, { site, token })
}
for (let hour = 0; hour < 4; hour++) {
  const { hours } = await pollZones(ctx, new AbortController().signal)
  console.log(hours)
  await rebuildDirtyDays(ctx)
  clock.advance(HOUR_MS)
}
await installation.close()
console.log('done')
