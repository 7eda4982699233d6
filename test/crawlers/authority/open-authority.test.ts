/** Opening the gate of a site with 1,000 hosts in pieces, between which everything else has its turn (rules 5). */
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { openAuthority } from '#crawlers/authority/open-authority.ts'
import { readAuthority } from '#crawlers/authority/read-authority.ts'
import { recordCoverage } from '#crawlers/coverage/record-coverage.ts'
import { dayStart } from '#days/utc-day.ts'
import { isGateOpen } from '#sites/gates.ts'
import type { Site } from '#sites/site.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { daysWalked } from '../../support/days-walked.ts'
import { openTestService, type TestService } from '../../support/service.ts'

const NOW = '2026-03-10T12:00:00Z'
const HOSTS = 1_000

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

/** A source that covered so many hosts, each by its own name and from a day of its own on. */
async function coverHosts(site: Site, hosts: number): Promise<string> {
  const { operator, control } = service.installation
  const { source } = await addIntakeSource(operator, { site_id: site.id, name: 'web1' })
  await control.transaction(async (tx) => {
    const since = { is_primary: 1 as const, connected_at: dayStart('1995-01-01'), connection_status: 'live' as const }
    await tx.updateTable('sources').set(since).where('id', '=', source.id).execute()
    for (let at = 0; at < hosts; at++) {
      const from = dayStart('1995-01-01') + at * DAY_MS
      await recordCoverage(tx, {
        site_id: site.id,
        source_id: source.id,
        host: nameOf(site, at),
        quality: 'complete',
        reason: 'observed',
        is_declared: 0,
        ranges: [{ from, to: dayStart('2026-03-10'), silence_limit_ms: 0 }],
      })
    }
  })
  return source.id
}
const nameOf = (site: Site, at: number) => `h${String(at).padStart(4, '0')}.${site.root_domain}`

/** The most statements, and the most days spelled out, between two turns of the event loop while `work` runs. */
async function maxPerTick(work: () => Promise<unknown>): Promise<{ statements: number; days: number; turns: number }> {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const spelled = vi.spyOn(Date.prototype, 'toISOString')
  const most = { statements: 0, days: 0, turns: 0 }
  let is_over = false
  const look = () => {
    most.statements = Math.max(most.statements, prepared.mock.calls.length)
    most.days = Math.max(most.days, spelled.mock.calls.length)
    most.turns++
    prepared.mockClear()
    spelled.mockClear()
    if (!is_over) setImmediate(look)
  }
  setImmediate(look)
  try {
    await work()
  } finally {
    is_over = true
    look()
    vi.restoreAllMocks()
  }
  return most
}

test.skipIf(inject('control_store') === 'postgres')(
  'of 1,000 hosts no turn of the event loop has more than a few statements and a few hosts',
  async () => {
    const site = await service.addSite('example.com')
    const source_id = await coverHosts(site, HOSTS)
    const most = await maxPerTick(async () => {
      expect(await openAuthority({ ...service.crawlers, site })).toHaveLength(HOSTS)
    })
    // A plan reads nine tables, and at most 50 hosts are stored in three statements.
    expect(most.statements).toBeLessThanOrEqual(20)
    expect(most.days).toBeLessThanOrEqual(200)
    expect(most.turns).toBeGreaterThan(HOSTS / 20)
    const { db } = service.installation.control
    const { assignments } = await readAuthority(db, site.id)
    expect(assignments).toHaveLength(HOSTS)
    expect(assignments[0]).toMatchObject({ hostname: nameOf(site, 0), effective_day: '1995-01-01' })
    expect(assignments.at(-1)).toMatchObject({ hostname: nameOf(site, 999), effective_day: '1997-09-26' })
    expect(new Set(assignments.map(({ revision }) => revision.source_id))).toEqual(new Set([source_id]))
    expect(await isGateOpen(db, site.id, 'crawler_authority_v2')).toBe(true)
    expect(await openAuthority({ ...service.crawlers, site })).toEqual([])
  },
)

test('sources recorded while hosts are planned are assigned by their latest state', async () => {
  const site = await service.addSite('example.org')
  const source_id = await coverHosts(site, 60)
  const { control } = service.installation
  const opening = openAuthority({ ...service.crawlers, site })
  const sampled = { from: dayStart('2026-03-09'), to: dayStart('2026-03-10'), silence_limit_ms: 0 }
  await control.transaction((tx) =>
    recordCoverage(tx, {
      site_id: site.id,
      source_id,
      host: nameOf(site, 60),
      quality: 'partial',
      reason: 'sampled',
      sampling: 0.5,
      is_declared: 0,
      ranges: [sampled],
    }),
  )
  const made = await opening
  expect(made).toHaveLength(61)
  expect(made.at(-1)).toMatchObject({ hostname: nameOf(site, 60), revision: { sampling: 0.5 } })
})

test('evidence since the year 1 costs a reading of the authority no more days than its window has', async () => {
  const site = await service.addSite('example.net')
  const { operator, control } = service.installation
  const { source } = await addIntakeSource(operator, { site_id: site.id, name: 'web1' })
  const from = dayStart('0001-01-01')
  await control.transaction(async (tx) => {
    const since = { is_primary: 1 as const, connected_at: from, data_through: dayStart('2026-03-10') }
    await tx.updateTable('sources').set(since).where('id', '=', source.id).execute()
    await recordCoverage(tx, {
      site_id: site.id,
      source_id: source.id,
      host: '*',
      sender: 'web1',
      quality: 'complete',
      reason: '',
      is_declared: 0,
      ranges: [{ from, to: dayStart('2026-03-10'), silence_limit_ms: 0 }],
    })
  })
  await openAuthority({ ...service.crawlers, site })
  await service.createKey([site])
  const days = await daysWalked(async () => {
    const { json } = await service.ask('/v1/sites/example.net/performance?window=30d')
    expect(json.meta).toMatchObject({
      window: { from: '2026-02-09', to: '2026-03-10' },
      authority: { hosts: [{ hostname: 'example.net', source_connection_id: source.id }] },
    })
  })
  expect(days).toBeLessThan(1_500)
})
