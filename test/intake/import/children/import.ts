/**
 * Imports a file into the folder's one site, made when missing, under a clock that stands still, saying how many lines
 * it has read; then rebuilds roll-ups.
 */
import { createReadStream } from 'node:fs'
import pino from 'pino'
import { readConfig } from '#config.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { addSite, listAllSites } from '#sites/sites.ts'
import { fakeClock } from '../../../support/clock.ts'

const [folder = '', file = '', now = ''] = process.argv.slice(2)
const installation = await openInstallation({
  config: { ...readConfig({}), data: folder },
  clock: fakeClock(now),
  log: pino({ level: 'silent' }),
  wait_ms: 5_000,
})
const { operator } = installation
if ((await listAllSites(operator)).length === 0) await addSite(operator, { ...operator, domain: 'example.com' })
const crawlers = await installation.crawlers()
console.log(0)
const asked = { site: 'example.com', host: null, label: 'a.log' }
await installation.importLog(asked, createReadStream(file), ({ lines }) => console.log(lines))
await rebuildDirtyDays(crawlers)
await installation.close()
