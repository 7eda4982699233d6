/**
 * A service that collects on a folder, to be ended by kill -9. Reports where it listens, and which pages and counts the
 * stores hold at its start.
 */
import pino from 'pino'
import Type from 'typebox'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { rows } from '#evidence/sql.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { buildHttpSurfaces } from '../../src/main.ts'

const [data = ''] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const stored = rows(Type.Object({ path: Type.String() }))`SELECT path FROM spoor.events FINAL WHERE stream = 'browser'`

const config = { ...readConfig({}), data }
const installation = await openInstallation({ config, clock: systemClock(), log, wait_ms: 10_000 })
const crawlers = await installation.crawlers()
const collector = await installation.openCollector()
const pages = (await crawlers.evidence.all(stored)).map(({ path }) => path)
const counts = await installation.control.db
  .selectFrom('collection_counts')
  .select('events')
  .where('outcome', '=', 'accepted')
  .execute()
const counted = counts.reduce((sum, { events }) => sum + events, 0)
const http = buildHttpSurfaces(installation, crawlers, { log, support_email: null, collector })
const url = await http.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ url, pages, counted })}\n`)
