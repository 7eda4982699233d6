/**
 * How long opening the authority gate of a site with 1,000 hosts blocks the event loop: a fresh installation in a
 * temporary folder. Run: npm run bench -- authority-gate [hosts, default 1000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '#clock.ts'
import { openAuthority } from '#crawlers/authority/open-authority.ts'
import { recordCoverage } from '#crawlers/coverage/record-coverage.ts'
import { dayStart } from '#days/utc-day.ts'
import { addSite } from '#sites/sites.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { row } from './parts/figures.ts'
import { measureLoopDelay } from './parts/loop-delay.ts'
import { openData } from './parts/open-data.ts'

const hosts = Number(process.argv[2] ?? 1_000)
const data = mkdtempSync(join(tmpdir(), 'spoor-gate-'))
const installation = await openData(data)
try {
  const crawlers = await installation.crawlers()
  const { operator, control } = installation
  const site = await addSite(operator, { ...operator, domain: 'example.com' })
  const { source } = await addIntakeSource(operator, { site_id: site.id, name: 'web1' })
  const first = dayStart('2020-01-01')
  await control.transaction(async (tx) => {
    const since = { is_primary: 1 as const, connected_at: first }
    await tx.updateTable('sources').set(since).where('id', '=', source.id).execute()
    for (let at = 0; at < hosts; at++) {
      await recordCoverage(tx, {
        site_id: site.id,
        source_id: source.id,
        host: `h${at}.example.com`,
        quality: 'complete',
        reason: 'observed',
        is_declared: 0,
        ranges: [{ from: first + at * DAY_MS, to: first + 2_000 * DAY_MS, silence_limit_ms: 0 }],
      })
    }
  })
  const end = measureLoopDelay()
  const started = performance.now()
  const made = await openAuthority({ ...crawlers, site })
  const { longest, own_longest } = end()
  console.log(row('', 'hosts', 'all ms', 'longest ms', 'own longest ms'))
  const figures = [performance.now() - started, longest, own_longest].map((ms) => ms.toFixed(1))
  console.log(row('opening the gate', made.length, ...figures))
} finally {
  await installation.close()
  rmSync(data, { recursive: true })
}
