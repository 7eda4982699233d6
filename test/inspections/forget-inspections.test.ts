import { expect, test } from 'vitest'
import { forgetOldInspections } from '#inspections/forget-inspections.ts'
import { queueInspections } from '#inspections/queue.ts'
import { recordRobots } from '#inspections/robots-snapshots.ts'
import { addEvidence } from '#issues/texts/evidence-refs.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { addIssue } from '../support/issues.ts'

const { fresh } = serviceOfFile()

test('after 400 days inspections without an issue are deleted, and bodies with their last snapshot', async () => {
  const service = await fresh('2025-01-01T00:00:00Z')
  const site = await service.addSite('shop.example')
  const { control } = service.installation
  const { clock } = service
  const target = { site_id: site.id, host: 'shop.example', path: '/', crawler_id: null, reason: 'home' as const }
  const visitOf = (text: string) => ({
    url: 'https://shop.example/robots.txt',
    status: 200,
    code: null,
    has_too_many_redirects: false,
    body: Buffer.from(text),
    sha256: text.padEnd(64, '0'),
    is_truncated: false,
    is_challenge: false,
    is_declined: false,
    is_unreadable: false,
  })
  const look = async (text: string) => {
    await queueInspections(control.db, [{ ...target, issue_id: null }], clock.now())
    const fetched = { site_id: site.id, scheme: 'https' as const, host: 'shop.example', fetched_at: clock.now() }
    await recordRobots(control, { ...fetched, visit: visitOf(text) })
  }
  await look('a')
  await queueInspections(control.db, [{ ...target, issue_id: 'an-issue' }], clock.now())
  clock.set('2026-02-06T00:00:00Z')
  await look('b')
  await forgetOldInspections({ control, clock })
  const kept = await control.db.selectFrom('inspections').select('issue_id').orderBy('queued_at').execute()
  expect(kept).toEqual([{ issue_id: 'an-issue' }, { issue_id: null }])
  const bodies = await control.db.selectFrom('robots_bodies').select('sha256').execute()
  expect(bodies).toEqual([{ sha256: 'b'.padEnd(64, '0') }])
})

test('an inspection that is evidence of an issue is kept as long as the issue', async () => {
  const service = await fresh('2025-01-01T00:00:00Z')
  const site = await service.addSite('shop.example')
  const { control } = service.installation
  const { clock } = service
  const target = { site_id: site.id, host: 'shop.example', crawler_id: null, issue_id: null }
  for (const path of ['/evidence', '/change', '/neither'])
    await queueInspections(control.db, [{ ...target, path, reason: 'precondition' }], clock.now())
  const paths = () => control.db.selectFrom('inspections').select(['id', 'path']).orderBy('path').execute()
  const [change, evidence] = (await paths()).map(({ id }) => id) as [string, string]
  const issue = await addIssue(control, site)
  await control.transaction((tx) => addEvidence(tx, issue.id, [{ kind: 'inspection', id: evidence }]))
  await control.db
    .insertInto('issue_changes')
    .values({ id: 'c', issue_id: issue.id, site_id: site.id, at: 1, change: 'opened', inspection_id: change })
    .execute()
  clock.set('2026-02-06T00:00:00Z')
  await forgetOldInspections({ control, clock })
  expect((await paths()).map(({ path }) => path)).toEqual(['/change', '/evidence'])
  await control.db.deleteFrom('issues').where('id', '=', issue.id).execute()
  await forgetOldInspections({ control, clock })
  expect(await paths()).toEqual([])
})
