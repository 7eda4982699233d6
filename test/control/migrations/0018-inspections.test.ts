/** A store of an older version: what the look for the snippet found is kept, as an inspection of that kind. */
import { expect, onTestFinished, test } from 'vitest'
import { findSnippetInspections } from '#inspections/snippet-inspections.ts'
import { openTestControl } from '../../support/control.ts'
import { takeBackInspections } from './take-back.ts'

test('inspections for the snippet are kept, and go with their site', async () => {
  const store = await openTestControl()
  onTestFinished(() => store.remove())
  await takeBackInspections(store.execute)
  await store.execute(
    "INSERT INTO accounts (id, name, status, access, created_at) VALUES ('a', 'A', 'active', 'trial', 1)",
  )
  await store.execute(
    "INSERT INTO sites (id, account_id, root_domain, created_at, retention_days) VALUES ('s', 'a', 'example.com', 1, 400)",
  )
  await store.execute("INSERT INTO snippet_inspections VALUES ('s', 42, 'http_503')")
  await store.control.close()
  const { db } = await store.open()
  expect([...(await findSnippetInspections(db)).values()]).toEqual([
    { site_id: 's', inspected_at: 42, outcome: 'http_503' },
  ])
  expect(await db.selectFrom('inspections').select(['kind', 'host', 'state']).execute()).toEqual([
    { kind: 'snippet', host: 'example.com', state: 'done' },
  ])
  await db.deleteFrom('sites').execute()
  expect(await db.selectFrom('inspections').select('id').execute()).toEqual([])
})
