/** Issues in the control store: opened once, moved by one writer, listed in order. Runs on both databases. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { HarmedPath, HarmGroup } from '#issues/detection/group-units.ts'
import { openIssue } from '#issues/detection/open-issue-once.ts'
import type { DetectionScope } from '#issues/evidence/detection-scope.ts'
import { markIntended, revokeMark } from '#issues/intended/intended-marks.ts'
import { writeIssue } from '#issues/lifecycle/write-issue.ts'
import { readIssues } from '#issues/read-issues.ts'
import type { IssueText } from '#issues/texts/describe-group.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { addIssue } from '../../support/issues.ts'
import type { TestService } from '../../support/service.ts'

const file = serviceOfFile()
let service: TestService
let site: Site
beforeEach(async () => {
  service = await file.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
})

const member: HarmedPath = {
  host: 'example.com',
  path: '/pricing',
  page_id: '1',
  crawler_id: 'gptbot',
  vantage: 'origin',
  harm: 'refused',
  harmful: 3,
  observed: 3,
  is_login_asked: 0,
  rank: 1,
  first_ms: 1,
  last_ms: 2,
  first_day: '2026-03-10',
  last_day: '2026-03-10',
}
const group: HarmGroup = {
  host: 'example.com',
  path_key: '/pricing',
  crawler_id: 'gptbot',
  vantage: 'origin',
  harm: 'refused',
  members: [member],
}
const text: IssueText = {
  title: 'GPTBot got 403',
  cause: 'http_status',
  confidence: 'low',
  description: null,
  fix_prompt: null,
  evidence_refs: [
    {
      kind: 'rollup_daily',
      host: 'example.com',
      path_key: '/pricing',
      status: 403,
      count: 3,
      window: '2026-03-10/2026-03-10',
    },
  ],
}
const opening = { group, text, inspection_id: null }
const scope = () => ({ scope: { site_id: site.id }, as_of: service.clock.now() }) as unknown as DetectionScope
const open = () => service.crawlers.control.transaction((tx) => openIssue(tx, scope(), opening))

describe('writers (rules 8.2)', () => {
  test('of writers that open the same issue one does, with its evidence, baseline and change', async () => {
    const opened = await Promise.all([open(), open(), open()])
    expect(opened.filter((one) => one)).toHaveLength(1)
    const { db } = service.crawlers.control
    expect(await db.selectFrom('issue_evidence').selectAll().execute()).toHaveLength(1)
    expect(await db.selectFrom('issue_changes').select('change').execute()).toEqual([{ change: 'opened' }])
    expect(await db.selectFrom('inspections').select(['reason', 'path']).execute()).toEqual([
      { reason: 'baseline', path: '/pricing' },
    ])
  })

  test('if two writers read the same revision, the second one changes nothing', async () => {
    const row = await addIssue(service.crawlers.control, site)
    const write = (cause: string) => service.crawlers.control.transaction((tx) => writeIssue(tx, row, { cause }))
    expect((await Promise.all([write('dns'), write('tls')])).sort()).toEqual([false, true])
  })

  test('an issue that returns refers to the ended issue of the same unit', async () => {
    const { control } = service.crawlers
    const before = await addIssue(control, site, { crawler_id: 'gptbot', state: 'closed', ended_at: 5 })
    await open()
    const rows = await control.db.selectFrom('issues').select('previous_id').where('unit', 'is not', null).execute()
    expect(rows).toEqual([{ previous_id: before.id }])
  })
})

describe('getIssues (rules 8.2)', () => {
  test('regressed first, then open, fixes and confirmed ones; by confidence, harm, detection', async () => {
    const { control } = service.crawlers
    const add = (title: string, given: object) => addIssue(control, site, { title, ...given })
    await add('confirmed', { state: 'fix_detected', fix_confirmed_at: 5 })
    await add('fixed', { state: 'fix_detected' })
    await add('open low', {})
    await add('open later', { detected_at: Date.parse('2026-03-10T11:00:00Z') })
    await add('open much', { recent_harm_count: 9 })
    await add('open high', { confidence: 'high', recent_harm_count: 1 })
    await add('regressed', { state: 'regressed' })
    for (const state of ['withdrawn', 'lapsed', 'closed'] as const) await add(state, { state })
    const all = await readIssues({ control, site }, { limit: 50 })
    const order = ['regressed', 'open high', 'open much', 'open low', 'open later', 'fixed', 'confirmed']
    expect(all.issues.map(({ title }) => title)).toEqual(order)
    expect(all).toMatchObject({ limit: 50, returned_count: 7, total_count: 7, truncated: false })
    const some = await readIssues({ control, site }, { limit: 2 })
    expect(some).toMatchObject({ returned_count: 2, total_count: 7, truncated: true })
    expect(some.issues).toEqual(all.issues.slice(0, 2))
  })

  test('a site without issues lists none', async () => {
    expect(await readIssues({ control: service.crawlers.control, site }, { limit: 8 })).toEqual({
      limit: 8,
      returned_count: 0,
      total_count: 0,
      truncated: false,
      issues: [],
    })
  })
})

describe('intended marks (rules 8.1)', () => {
  const mark = (path: string, crawler_id: string | null = null) =>
    markIntended(service.crawlers, { site_id: site.id, host: 'example.com', path, harm: 'refused', crawler_id })

  test('a prefix ends the issues below it, and is marked once', async () => {
    const { control } = service.crawlers
    await addIssue(control, site, { path_key: '/private/a' })
    await addIssue(control, site, { path_key: '/other' })
    const first = await mark('/private/*')
    expect(await mark('/private/*')).toEqual(first)
    const { issues } = await readIssues({ control, site }, { limit: 8 })
    expect(issues.map(({ path }) => path)).toEqual(['/other'])
    expect(await revokeMark(service.crawlers, site.id, first.id)).toMatchObject({ revoked_at: service.clock.now() })
  })

  test('a text that is neither a path nor a prefix is refused', async () => {
    for (const path of ['private', '/a*b', '/**', '']) await expect(mark(path)).rejects.toThrow(/allowed is a path/)
  })
})
