import pino from 'pino'
import { beforeEach, expect, test, vi } from 'vitest'
import { history } from '#demo/history.ts'
import { render } from '#evidence/fragment.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { startBackground } from '#jobs/background.ts'
import type { JobEnded } from '#jobs/job.ts'
import { removeSite } from '#sites/sites.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
})

/** The real store, in which roll-ups of February cannot be written while it is `broken`. */
function failingInFebruary() {
  const { evidence } = service.crawlers
  const store: EvidenceStore & { broken: boolean } = {
    broken: true,
    writeLock: evidence.writeLock,
    all: (statement, limits) => evidence.all(statement, limits),
    insert: (table, lines, count) => evidence.insert(table, lines, count),
    ping: () => evidence.ping(),
    state: () => evidence.state(),
    close: () => evidence.close(),
    async run(command, limits) {
      const { text, parameters } = render(command)
      const february = /INSERT INTO spoor\.crawler_daily/.test(text) && JSON.stringify(parameters).includes('2026-02-')
      if (february && store.broken) throw new Error('the disk went away')
      return evidence.run(command, limits)
    },
  }
  return store
}

const ROUND_MS = 60_000

test('after a month that cannot be rebuilt the other months and jobs have their turn, and the next round mends it', async () => {
  const { operator, control, key_uses } = service.installation
  const site = await service.addSite('example.com')
  await service.createKey()
  const log = history()
  for (const day of ['2026-01-30', '2026-02-03', '2026-02-04', '2026-03-09']) {
    log.on(day).people().crawler('oai-searchbot').requests(5)
  }
  await service.importText(site, log)
  const read = async () => {
    const { json } = await service.ask('/v1/sites/example.com/performance?window=90d')
    return { ...json, meta: null }
  }
  const dirty = async () => {
    const rows = await control.db.selectFrom('dirty_days').select('day').orderBy('day').execute()
    return rows.map((row) => row.day)
  }
  const before = await read()
  const removed = await service.addSite('example.org')
  await removeSite(operator, { account_id: operator.account_id, site_id: removed.id })

  const evidence = failingInFebruary()
  const ended: JobEnded[] = []
  const failed = () => ended.filter((job) => job.failed).map((job) => job.job)
  // The last job of a round.
  const roundEnds = () => vi.waitUntil(() => ended.some(({ job }) => job === 'end_retention'), { timeout: ROUND_MS })
  const collection = { readableThrough: () => service.clock.now() }
  const ctx = { ...service.crawlers, evidence, collection }
  const background = startBackground(ctx, key_uses, pino({ level: 'silent' }), (job) => ended.push(job))
  await roundEnds()
  expect(failed()).toEqual(['rebuild'])
  for (const job of ['clear_imports', 'erase_sites', 'note_key_uses', 'clear_builds']) {
    expect(ended).toContainEqual(expect.objectContaining({ job, failed: false }))
  }
  expect(await dirty()).toEqual(['2026-02-03', '2026-02-04'])
  expect(await control.db.selectFrom('removed_sites').select('evidence_deleted_at').execute()).toEqual([
    { evidence_deleted_at: expect.any(Number) },
  ])
  expect(await read()).toEqual(before)

  evidence.broken = false
  ended.length = 0
  background.nudge()
  await roundEnds()
  await background.stop()
  expect(failed()).toEqual([])
  expect(ended).toContainEqual(expect.objectContaining({ job: 'rebuild', days: 2 }))
  expect(await dirty()).toEqual([])
  expect(await read()).toEqual(before)
})
