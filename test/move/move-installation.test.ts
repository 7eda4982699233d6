/** The whole way of an installation to servers, broken off in every phase, while evidence comes and goes. */
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { history } from '#demo/history.ts'
import type { Installation } from '#installation/installation.ts'
import { eraseRemovedSites } from '#jobs/erase-removed-sites.ts'
import type { MovePhase, MoveProgress } from '#move/move-state.ts'
import { readMoveState } from '#move/move-state.ts'
import type { MoveReport } from '#move/report.ts'
import { enforceRetention } from '#retention/enforce-crawler-retention.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { playSite } from '../../cli/commands/demo-site.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'
import { configOf, everyAnswer, makeSecrets, makeTarget, openAt, type TestTarget } from '../support/moving.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const never = new AbortController().signal
const ignore = () => {}

let folder: string
let target: TestTarget
beforeAll(async () => {
  folder = makeTestFolder()
  await playSite(configOf(folder), { now: NOW, days: 3, seed: 1 }, never)
  target = await makeTarget(join(folder, 'server'))
})
afterAll(async () => {
  await target.remove()
  removeTestFolder(folder)
})

async function derive(installation: Installation): Promise<void> {
  const crawlers = await installation.crawlers()
  const context = { ...crawlers, collection: installation.operator.collection() }
  await deriveDays(context)
  await deriveDefinitions(context)
}

function importLate(installation: Installation, day: string, requests: number, site = 'example.com') {
  const text = history()
    .on(day)
    .humans()
    .crawler('gptbot')
    .requests(requests, { path: `/late/${day}` })
    .text()
  const asked = { site, host: null, label: `late-${day}.log` }
  return installation.importLog(asked, Readable.from([Buffer.from(text, 'latin1')]), ignore)
}

/** Breaks a move off where this progress is first reported. */
const breakOff = (installation: Installation, when: (progress: MoveProgress) => boolean): Promise<MoveReport> => {
  const breaking = new AbortController()
  const onProgress = (progress: MoveProgress) => when(progress) && breaking.abort(new Error('broken off'))
  return installation.moveTo(target.settings, { signal: breaking.signal, onProgress })
}

test('broken off in each phase and resumed, with evidence coming and going, it answers everything as before', async () => {
  let installation = await openAt(configOf(folder), NOW)
  onTestFinished(() => installation.close())
  const secrets = await makeSecrets(installation)
  const { operator } = installation
  const crawlers = await installation.crawlers()
  await derive(installation)
  await runOperation(operator, 'site.add', { domain: 'example.org' })
  await importLate(installation, '2026-03-06', 40, 'example.org')

  const phases: readonly [MovePhase, string | null, () => Promise<unknown>][] = [
    ['copying', 'pages', () => importLate(installation, '2025-11-20', 7)],
    [
      'verifying',
      'events',
      async () => {
        await runOperation(operator, 'site.retention', { site: 'example.com', days: 30 })
        await enforceRetention(crawlers)
      },
    ],
    [
      'catching_up',
      'requests',
      async () => {
        await runOperation(operator, 'site.remove', { site: 'example.org' })
        await eraseRemovedSites(crawlers)
      },
    ],
    ['read_only', null, () => importLate(installation, '2026-03-07', 3)],
    ['read_only', 'search_ai_rows', () => derive(installation)],
  ]
  for (const [phase, table, between] of phases) {
    const moving = breakOff(installation, (seen) => seen.phase === phase && seen.table === table)
    await expect(moving, `${phase} ${table}`).rejects.toThrow('broken off')
    expect(readMoveState(folder)).toMatchObject({ phase, failure: 'broken off', report: null })
    await between()
  }
  await expect(
    openAt({ ...configOf(join(folder, 'other')), database_url: target.settings.database_url }, NOW),
  ).rejects.toThrow('target of a move that has not ended')

  // What comes during the copy itself: the last of it before the last piece.
  let late: Promise<unknown> | null = null
  let before = new Map<string, unknown>()
  const order: string[] = []
  installation.stopForMoves({
    async stopJobs() {
      await late
      before = await everyAnswer(installation, secrets)
      order.push('rest')
    },
    async refuseWrites() {
      order.push('refuse')
    },
    resume: () => order.push('go on'),
  })
  const report = await installation.moveTo(target.settings, {
    signal: never,
    onProgress({ phase, table }) {
      if (phase === 'verifying' && table === 'crawler_daily')
        late ??= runOperation(operator, 'site.add', { domain: 'example.net' }).then(() =>
          importLate(installation, '2026-03-08', 11, 'example.net'),
        )
    },
  })
  expect(order).toEqual(['rest', 'refuse'])
  const tableOf = (name: string) => report.evidence?.tables.find(({ table }) => table === name)
  expect(tableOf('requests')).toMatchObject({ sum: String(tableOf('requests')?.rows) })
  expect(tableOf('requests')?.rows).toBeGreaterThan(400)
  expect(tableOf('sessions')?.rows).toBeGreaterThan(20)
  expect(report.control?.tables.find(({ table }) => table === 'sites')).toMatchObject({ rows: 2 })
  expect(report.differences).toBe(0)

  // Nothing is stored in the old stores any more, by the process that moved them or by another.
  await expect(importLate(installation, '2026-03-09', 1)).rejects.toThrow('has moved to other stores')
  await expect(runOperation(operator, 'site.add', { domain: 'example.info' })).rejects.toThrow(
    'has moved to other stores',
  )
  await installation.close()
  await expect(openAt(configOf(folder), NOW)).rejects.toThrow(
    /have moved to http.* and postgres.*SPOOR_CLICKHOUSE_URL and SPOOR_DATABASE_URL/,
  )

  const other_key = { ...configOf(folder, target), secret_key: '8'.repeat(64) }
  await expect(openAt(other_key, NOW)).rejects.toThrow('another one than that of the installation')
  installation = await openAt(configOf(folder, target), NOW)
  const after = await everyAnswer(installation, secrets)
  expect([...after.keys()]).toEqual([...before.keys()])
  for (const [name, answer] of before) expect(after.get(name), name).toEqual(answer)
  expect(JSON.stringify(after.get('site.list {}'))).toContain('example.net')
  // What was sealed opens, and what comes now is stored; what was stored is not stored again.
  const { sealed_order_key, site_id } = await installation.control.db
    .selectFrom('trackers')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(installation.secrets.open(sealed_order_key, `tracker:${site_id}:order_key`)).toMatch(/^[\da-f]{64}$/)
  expect(await importLate(installation, '2026-03-08', 11, 'example.net')).toMatchObject({ stored: 0 })
  expect(await importLate(installation, '2026-03-09', 4, 'example.net')).toMatchObject({ stored: 4 })
}, 240_000)
